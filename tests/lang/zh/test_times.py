"""Chinese time expressions: which they are, how fine, and others of the same form."""

from __future__ import annotations

import json
import lzma
from random import Random

import pytest

from readproof.lang.zh.times import Granularity, shifted, times
from tests.shared_data import SHARED, needs_shared


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("他于1987年5月3日出生", [("1987年5月3日", "day")]),
        ("二〇〇八年八月，北京", [("二〇〇八年八月", "month")]),
        ("19世纪中叶到20世纪初", [("19世纪中叶", "century"), ("20世纪初", "century")]),
        ("20世纪80年代初期", [("20世纪80年代初期", "decade")]),
        ("在八十年代和1990年代", [("八十年代", "decade"), ("1990年代", "decade")]),
        ("唐朝诗人在康熙三年", [("唐朝", "dynasty"), ("康熙三年", "reign")]),
        ("公元前221年统一", [("公元前221年", "year")]),
        ("每周三上午8时30分", [("周三", "weekday"), ("上午8时30分", "clock")]),
        ("1937-1945年间", [("1937", "year"), ("1945年", "year")]),
        ("5月3日和七月", [("5月3日", "day"), ("七月", "month")]),
        ("春季开花", [("春季", "season")]),
        ("三年后，20分钟，三个月", []),
        ("当时的时代，三点建议", []),
    ],
)
def test_times_in_text(text: str, found: list[tuple[str, Granularity]]) -> None:
    assert [(time.text, time.granularity) for time in times(text)] == found
    assert all(text[time.start : time.end] == time.text for time in times(text))


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("公元前221年", -221),
        ("1987年", 1987),
        ("康熙三年", 1664),
        ("19世纪中叶", 1800),
        ("唐朝", 618),
        ("1990年代", 1990),
    ],
)
def test_a_time_knows_its_year(text: str, year: int) -> None:
    assert times(text)[0].year == year


@pytest.mark.parametrize(
    "text",
    [
        "1987年",
        "1987年5月3日",
        "19世纪中叶",
        "20世纪80年代",
        "八十年代",
        "唐朝",
        "西汉",
        "康熙三年",
        "公元前221年",
        "星期三",
        "上午8时",
        "8:30",
        "春季",
        "5月3日",
        "二〇〇八年",
        "去年",
        "民国三十八年",
        "2016年3月",
        "公元前3世纪",
    ],
)
def test_a_shifted_time_has_the_same_form(text: str) -> None:
    (time,) = times(text)
    for seed in range(40):
        new = shifted(time, Random(seed))
        assert new != text
        (again,) = times(new)
        assert again.text == new and again.granularity == time.granularity


def test_a_shift_can_be_told_its_direction() -> None:
    (time,) = times("1887年")
    for seed in range(30):
        assert int(shifted(time, Random(seed), -1)[:-1]) < 1887 < int(shifted(time, Random(seed), 1)[:-1])


@needs_shared
def test_every_time_of_real_passages_can_be_shifted() -> None:
    with lzma.open(SHARED / "data/cmrc2018/train.json.xz", "rt", encoding="utf-8") as file:
        data = json.load(file)["data"][:300]
    found = [time for one in data for paragraph in one["paragraphs"] for time in times(paragraph["context"])]
    assert len(found) > 500
    still = [time.text for time in found if shifted(time, Random(time.text)) == time.text]
    assert len(still) <= len(found) // 50, still[:20]
