"""Chinese numbers: what is one, what it is worth, and another of the same form."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.lang.zh.numbers import another, numbers, parse, written


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,391", 1391),
        ("3.5", 3.5),
        ("12万", 120_000),
        ("1.5亿", 150_000_000),
        ("三百五十", 350),
        ("两百五", 250),
        ("一万二", 12_000),
        ("十二", 12),
        ("一百零五", 105),
        ("二〇〇八", 2008),
        ("三亿五千万", 350_000_000),
        ("百分之三十", 0.3),
        ("三分之二", 2 / 3),
        ("45%", 0.45),
        ("三点五", 3.5),
    ],
)
def test_a_number_has_a_value(text: str, value: float) -> None:
    assert parse(text) == pytest.approx(value)


def test_no_number_is_none() -> None:
    assert parse("苹果") is None
    assert parse("三四百百三四") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("全长约35公里，有三座桥", [("35", "公里"), ("三", "座")]),
        ("他们一起统一了两岸，十分高兴", []),
        ("第三次获奖", [("三", "次")]),
        ("占百分之五，即1,200人", [("百分之五", ""), ("1,200", "人")]),
        ("F-16战机和MP3", []),
        ("几百年，数千人", []),
        ("人口200多万", [("200", "")]),
    ],
)
def test_numbers_in_text(text: str, found: list[tuple[str, str]]) -> None:
    assert [(number.text, number.measure) for number in numbers(text)] == found


def test_what_a_number_says_of_itself() -> None:
    about, ordinal, article = numbers("约35公里的第二条路是一个奇迹")
    assert about.about and about.kind == "cardinal"
    assert ordinal.kind == "ordinal" and ordinal.value == 2
    assert article.article


@given(st.integers(0, 10**11))
def test_writing_and_reading_agree(value: int) -> None:
    assert parse(written(value, "chinese")) == value
    assert parse(written(value)) == value
    assert parse(written(value, grouped=True)) == value


@pytest.mark.parametrize(
    "text", ["35公里", "三座", "1,200人", "百分之五", "45%", "12万", "3.5米", "三百五十人", "两名", "三分之二"]
)
def test_another_number_has_the_same_form(text: str) -> None:
    number = numbers(text)[0]
    for seed in range(30):
        new = another(number, Random(seed))
        assert new != number.text
        again = numbers(new + text[number.end :])[0]
        assert (again.kind, again.style, again.measure) == (number.kind, number.style, number.measure)
        assert "二名" not in new + text[number.end :]
        if number.kind == "percent":
            assert again.value < 1
