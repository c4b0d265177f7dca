"""Orders to name something: one thing or several, and the noun that says what."""

from __future__ import annotations

import pytest

from readproof.lang.fa.questions import NAMES, ONE, SEVERAL, frame_of, head_of


@pytest.mark.parametrize(
    ("subject", "frame", "head"),
    [
        ("بزرگترین شهر جامائیکا", ONE, "شهر"),
        ("دشت‌های ایران", SEVERAL, "دشت‌های"),
        ("مهم‌ترین و بزرگ‌ترین شهرهای ایران", SEVERAL, "شهرهای"),
        ("دو دانشگاه مهم ایلام", SEVERAL, "دانشگاه"),
        ("زیر شاخه‌های زبان آرامی", SEVERAL, "شاخه‌های"),
        ("اعضای ثابت کواریمن", SEVERAL, "اعضای"),
        ("اماکن سیاحتی شهرستان فیروزآباد", SEVERAL, "اماکن"),
        ("سوغات و ارمغان‌های شهرستان بردسکن", SEVERAL, "سوغات"),
        ("یکی از شهرهای گیلان", ONE, "یکی"),
        ("نمونه‌ای از ویژگی‌های سیستم عامل", ONE, "نمونه‌ای"),
        ("نام پایتخت ایران", ONE, "پایتخت"),
        ("نام افزایه‌هایی که به مرورگرها اضافه شد", NAMES, "افزایه‌هایی"),
        ("نام‌های قدیمی شهر اصفهان", SEVERAL, "نام‌های"),
    ],
)
def test_frame_and_head(subject: str, frame: str, head: str) -> None:
    assert frame_of(subject) == (frame, frame != ONE)
    assert head_of(subject) == head
