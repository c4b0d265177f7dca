"""Numbers and times that a Chinese question could have had as its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from readproof.lang.zh.numbers import Number, another, numbers
from readproof.lang.zh.questions import Phrase
from readproof.lang.zh.times import Time, shifted, times

_TRIES = 8
# a smaller number of years is more likely a length of time than a year
_OLDEST = 1000
_SMALL = ("两", "三", "四", "五", "六", "七", "八", "九")
_SIZED = {"多高": "高", "多长": "长", "多宽": "宽", "多深": "深", "多厚": "厚", "多远": "远", "多重": "重"}
_LETTERED = re.compile(r"([0-9][0-9.,]*)\s*((?!x)[A-Za-z°]{1,6}(?:/[a-z])?)(?![A-Za-z])")
_COUNTERS = ("种", "个", "次", "名", "位", "条", "只", "项", "座")
_LENGTHS = ("米", "公里", "千米", "厘米", "毫米", "英里", "英尺", "公斤", "吨", "千克", "尺", "丈", "里")
_USUAL = {
    "多长": "三公里",
    "多高": "十二米",
    "多远": "八公里",
    "多久": "四个月",
    "多重": "二十公斤",
    "多宽": "六米",
    "多深": "十五米",
    "多厚": "三厘米",
    "多大": "三百平方米",
    "多快": "每小时六十公里",
    "多粗": "四厘米",
}
# what a question for a time wants to know, and how fine the answer must be
_WANTED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("世纪", ("century", "decade")),
    ("朝代|朝$|代$", ("dynasty",)),
    ("季节", ("season",)),
    ("星期|周几|礼拜", ("weekday",)),
    ("几点", ("clock",)),
    ("几月几|几号|哪一?[天日]|何日", ("day",)),
    ("年", ("year", "month", "day", "reign", "decade")),
)


def other_times(head: str, gold: str, random: Random) -> Iterator[str]:
    """The gold answer's time, moved; asked for a year, the year of its date."""
    found = [time for time in times(gold) if _fits(head, time)]
    if re.search("年$|年份$", head):
        found = [_year_of(time) for time in found]
    for _ in range(_TRIES if found else 0):
        moved = shifted(found[0], random)
        # the first end of 1965-1976年 has no 年 of its own
        yield f"{moved}年" if moved.isdigit() else moved


def _fits(head: str, time: Time) -> bool:
    for pattern, granularities in _WANTED:
        if re.search(pattern, head):
            return time.granularity in granularities
    return time.granularity != "relative"


def _year_of(time: Time) -> Time:
    match = re.match("[^年]*年(?!代)", time.text)
    return next(iter(times(match[0])), time) if match else time


def any_time(head: str, gold: str, question: str, passage: str, random: Random) -> str:
    """A time of the sort asked for, where the gold answer gives none."""
    near = [time.year for time in times(passage) if time.granularity in ("year", "month", "day", "reign") and time.year]
    year = max(1, random.choice(near) + random.randint(-12, 12)) if near else random.randint(1906, 2009)
    month, day = random.randint(1, 12), random.randint(1, 28)
    if "世纪" in head:
        return f"{random.randint(11, 19)}世纪"
    if gold and re.search("一般|通常|每[天日年逢]|经常", question) and re.search("时", head):
        return random.choice(("清晨", "傍晚", "周末", "雨季", "午后", "入冬前后"))
    if "时间段" in head:
        return random.choice(("清晨", "午后", "入冬前后", "每周末"))
    if re.search("时期|时代|阶段", head) and re.search("(?:[幼卵熟育备胎长]|阶)[期段]$|幼年|成年", gold):
        return random.choice(("幼年时期", "产卵期", "成熟期", "筹备阶段", "战后初期"))
    if re.search("[纪世]$|[纪世]到", gold):
        return random.choice(("侏罗纪晚期", "三叠纪", "更新世", "早白垩世", "二叠纪"))
    if re.search("朝代|朝|时期|时代", head):
        return random.choice(("北魏", "西汉", "南宋", "东晋", "北宋")) + ("时期" if "时" in head else "")
    if "季" in head:
        return random.choice("春夏秋冬") + "季"
    if re.search("星期|周几|礼拜", head):
        return "星期" + random.choice("一二三四五六")
    if "点" in head or re.search("[0-9]点", question):
        return f"{random.randint(6, 11)}点"
    if head.startswith("几月几") or "号" in head:
        return f"{month}月{day}日"
    if "月" in head and "年" not in head:
        return f"{month}月"
    if re.search("[天日]$", head):
        return f"{year}年{month}月{day}日"
    return f"{year // 10 * 10}年代" if "年代" in head else f"{year}年"


def other_numbers(phrase: Phrase, gold: str, random: Random) -> Iterator[str]:
    """The gold answer's number, changed, with the measure word that the question or the answer has."""
    lettered = None if phrase.measure else _LETTERED.search(gold)
    if lettered and phrase.head != "第几":
        yield from _lettered(lettered[1], lettered[2], _lead(phrase), random)
        return
    found = [number for number in numbers(gold) if not _in_time(gold, number)]
    same = [number for number in found if phrase.measure and number.measure == phrase.measure]
    lead = "第" if phrase.head.startswith("第") else _lead(phrase)
    if phrase.head.startswith("多") and phrase.head != "多少":
        found = [number for number in found if number.measure not in _COUNTERS]
    for number in (same or found)[:1]:
        unit = phrase.measure or gold[number.end : number.measured]
        sized = _SIZED.get(phrase.head, "") if unit in _LENGTHS and "时间" not in phrase.text else ""
        for _ in range(_TRIES):
            yield f"{lead}{another(number, random)}{unit}{sized}"


def _lettered(number: str, unit: str, lead: str, random: Random) -> Iterator[str]:
    """55cm, 2GB: units that are written in letters."""
    value = float(number.replace(",", "").strip(".") or 1)
    for _ in range(_TRIES):
        moved = value * random.choice((0.5, 0.6, 1.5, 1.8, 2, 3, 4))
        yield f"{lead}{moved:.10g}{unit}" if value < 10 and "." in number else f"{lead}{max(1, round(moved))}{unit}"


def _lead(phrase: Phrase) -> str:
    """有多大 gives way as a whole, so that its 有 comes back."""
    return "有" if phrase.text.startswith("有") else ""


def _in_time(gold: str, number: Number) -> bool:
    known = (time for time in times(gold) if time.granularity != "year" or (time.year or 0) > _OLDEST)
    return any(time.start <= number.start and number.end <= time.end for time in known)


def any_number(phrase: Phrase, question: str, random: Random) -> str:
    """A number of the sort asked for, where the gold answer gives none."""
    if phrase.head.startswith("第"):
        return f"第{random.choice(_SMALL[1:])}{phrase.measure}"
    if "分之" in phrase.head:
        return f"百分之{random.choice(('十二', '二十五', '三十八', '四十五'))}"
    if phrase.head in _USUAL:
        long = "时间" in phrase.text or (phrase.head == "多长" and re.search("时|期|寿命", question))
        return _lead(phrase) + ("四个月" if long else _USUAL[phrase.head])
    if phrase.head == "几":
        return f"{random.choice(_SMALL)}{phrase.measure}"
    near = question[max(0, phrase.start - 6) : phrase.end + 3]
    money = not phrase.measure and re.search("[额费款价金]|工资|收入|利润|获利", near)
    if phrase.measure == "元" or money:
        return f"{random.randint(12, 95) * 100}元"
    if not phrase.measure and re.search("百分比|比例|占|率|增加|减少|增长", near):
        return f"{random.randint(12, 88)}%"
    if not phrase.measure and "人口" in near:
        return f"{random.randint(12, 88)}万"
    return f"{random.randint(13, 480)}{phrase.measure}"
