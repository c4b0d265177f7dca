"""Time expressions in Chinese text: find them, say how fine they are, and move them to another time of the same form.

Years, dates, months, weekdays and clock times; centuries and decades with their part (19世纪中叶, 80年代初); 公元前;
dynasties (唐朝) and reign years (康熙三年); seasons. A length of time (三年, 20分钟) is a number, not a time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Literal

from readproof.lang.api import column, lines
from readproof.lang.zh.numbers import Style, parse, written

Granularity = Literal[
    "dynasty", "century", "decade", "reign", "year", "season", "month", "day", "weekday", "clock", "relative"
]

_D = "[0-9０-９]"
_N = "[零〇○一二三四五六七八九]"
_SMALL = f"(?:{_D}{{1,2}}|[一二三四五六七八九十]{{1,3}}|廿[一二三四五六七八九])"
_PART = (
    "(?:早期|前期|初期|中期|晚期|后期|后半叶|前半叶|后半期|前半期|上半叶|下半叶|中后期|中叶|初叶|末叶|末期"
    "|初年|末年|年间|初|中|末|上半|下半)"
)
_ERA = "(?:公元前|西元前|纪元前|公元|西元)"
_WEEK = "(?:星期|礼拜|周|週)[一二三四五六日天](?![期年个代])"
_HALF_DAY = "(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|晚间|深夜|午夜|黎明)"
_RELATIVE = (
    "(?:今天|昨天|明天|前天|后天|今年|去年|前年|明年|后年|本月|上月|上个月|下个月|本周|上周|下周"
    "|当天|次日|翌日|次年|翌年)"
)
_SWAPS = (
    ("初", "中叶", "末"),
    ("初叶", "中叶", "末叶"),
    ("初期", "中期", "末期"),
    ("早期", "中期", "晚期"),
    ("前期", "中期", "后期"),
    ("前半叶", "后半叶"),
    ("上半叶", "下半叶"),
    ("前半期", "后半期"),
    ("初年", "末年"),
    ("上半", "下半"),
)
_SEASON = "(?:[春夏秋冬](?:季|天)|[初仲晚深盛隆][春夏秋冬])"
_NEWEST = 2024


@dataclass(frozen=True, slots=True)
class Time:
    """text[start:end] names a time; `year` is the (first) year it means, negative before our era, where it says one."""

    start: int
    end: int
    text: str
    granularity: Granularity
    year: int | None = None


@lru_cache(maxsize=1 << 12)
def times(text: str) -> tuple[Time, ...]:
    """The time expressions of a text, in order; a date that names year, month and day is one expression."""
    return tuple(_time(match) for match in _pattern().finditer(text))


def shifted(time: Time, random: Random, direction: int = 0) -> str:
    """Another time of the same form; earlier if `direction` is below 0, later if above."""
    match = _pattern().fullmatch(time.text)
    if match is None:
        return time.text
    for _ in range(30):
        new = _shifted(match, time, random, direction or random.choice((-1, -1, 1)))
        if new != time.text:
            return new
    return time.text


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    reigns = "|".join(sorted(set(column("zh", "reigns")), key=len, reverse=True))
    named = "|".join(sorted(_dynasty_forms(), key=len, reverse=True))
    # a number of three digits is a year only where it is no length of time: 未来100年内
    year = f"(?:[12]{_D}{{3}}|{_D}{{3,4}}(?!年(?:[内以来]|历史|多))|{_N}{{4}}|(?<=前){_D}{{1,4}})"
    return re.compile(
        f"(?P<century>{_ERA}?{_SMALL}世[纪紀](?:(?P<tens>{_D}{{1}}0|[二三四五六七八九]?十)年代)?(?P<part>{_PART})?)"
        f"|(?P<decade>(?:{_D}{{2}})?(?<!{_D})(?:{_D}{{3}}0|{_D}0|[二三四五六七八九]?十)年代(?:{_PART})?)"
        f"|(?P<reign>(?:{reigns})(?:元|{_D}{{1,2}}|[一二三四五六七八九十]{{1,4}})年(?:间)?)"
        f"|(?P<dynasty>(?<!中华)(?:{named}))(?:{_PART})?"
        f"|(?P<date>(?:{_ERA}?(?<!{_D}){year}年(?:{_PART})?)(?:(?P<month>{_SMALL}月(?:份|初|中旬|上旬|下旬|底|末)?)"
        f"(?P<day>{_SMALL}[日号號])?|[春夏秋冬][季天]?|初|末|底|年初|年底|上半年|下半年)?)"
        f"|(?P<before>{_ERA}前?{_D}{{1,4}}年)"
        f"|(?P<span>(?<!{_D}){_D}{{4}}(?=\\s?[-—–~～至到]+\\s?{_D}{{4}}年))"
        f"|(?P<monthday>(?<![个{_D[1:-1]}]){_SMALL}月(?:{_SMALL}[日号號]|份|初|中旬|上旬|下旬|底|末)?)"
        f"|(?P<week>{_WEEK})"
        f"|(?P<clock>{_HALF_DAY}{_SMALL}[时時点點](?:{_SMALL}分(?!钟|之)|半|钟|整)?"
        f"|{_SMALL}(?:[时時](?![代间候起])|[点點](?=[半钟整{_D[1:-1]}]))(?:{_SMALL}分(?!钟|之)|半|钟|整)?|{_D}{{1,2}}[:：]{_D}{{2}}(?!{_D}))"
        f"|(?P<season>{_SEASON})"
        f"|(?P<relative>{_RELATIVE})"
    )


@lru_cache(maxsize=1)
def _dynasty_forms() -> dict[str, tuple[str, str, int]]:
    """Each way to write a dynasty: its name, its suffix, its first year."""
    forms = {}
    for name, suffixes, first, _last in lines("zh", "dynasties"):
        alone = len(name) > 1
        allowed = [suffixes] if suffixes == "时期" else [*suffixes]
        if alone:
            allowed += ["", "时期"] if suffixes == "时期" else ["", "时期", "时代"]
        elif "朝" in allowed:
            allowed += ["朝时期", "代时期"]
        for suffix in allowed:
            forms[name + suffix] = (name, suffix, int(first))
    return forms


def _time(match: re.Match[str]) -> Time:
    text = match[0]
    kind = match.lastgroup or ""
    if match["century"]:
        return Time(match.start(), match.end(), text, "decade" if match["tens"] else "century", _century_year(text))
    if match["decade"]:
        return Time(match.start(), match.end(), text, "decade", _decade_year(text))
    if match["reign"]:
        return Time(match.start(), match.end(), text, "reign", _reign_year(text))
    if match["dynasty"]:
        return Time(match.start(), match.end(), text, "dynasty", _dynasty_forms()[match["dynasty"]][2])
    if match["date"] or match["before"] or match["span"]:
        granularity: Granularity = "day" if match["day"] else "month" if match["month"] else "year"
        return Time(match.start(), match.end(), text, granularity, _year(text))
    if match["monthday"]:
        return Time(match.start(), match.end(), text, "day" if re.search("[日号號]$", text) else "month")
    simple: dict[str, Granularity] = {"week": "weekday", "season": "season", "relative": "relative"}
    return Time(match.start(), match.end(), text, simple.get(kind, "clock"))


def _figures(text: str) -> int:
    value = parse(text.replace("廿", "二十"))
    return int(value) if value is not None else 0


def _century_year(text: str) -> int | None:
    found = re.search(_SMALL, text)
    if found is None:
        return None
    century = _figures(found[0])
    return -century * 100 if "前" in text[: found.start()] else (century - 1) * 100


def _decade_year(text: str) -> int | None:
    found = re.match(f"{_D}+", text)
    return _figures(found[0]) if found and len(found[0]) == 4 else None


def _reign_year(text: str) -> int | None:
    for name, first, _length in lines("zh", "reigns"):
        if text.startswith(name):
            figures = re.sub("年间?$", "", text[len(name) :])
            return int(first) + (1 if figures == "元" else _figures(figures)) - 1
    return None


def _year(text: str) -> int | None:
    found = re.search(f"{_D}{{1,4}}|{_N}{{4}}", text)
    if found is None:
        return None
    return -_figures(found[0]) if "前" in text[: found.start()] else _figures(found[0])


def _style(figures: str) -> Style:
    if re.match(_D, figures):
        return "arabic"
    return "digits" if len(figures) == 4 else "chinese"


def _other(value: int, low: int, high: int, random: Random, direction: int, spread: int) -> int:
    """A value of the range other than the given one, on the wished side if there is room."""
    new = value + direction * random.randint(1, spread)
    if not low <= new <= high:
        new = value - direction * random.randint(1, spread)
    return min(max(new, low), high)


def _replaced(text: str, pattern: str, low: int, high: int, random: Random, direction: int, spread: int) -> str:
    """The text with the number that the pattern's first group finds moved."""
    found = re.search(pattern, text)
    if found is None:
        return text
    figures = found[1]
    new = _other(_figures(figures), low, high, random, direction, spread)
    return text[: found.start(1)] + written(new, _style(figures)) + text[found.end(1) :]


def _shifted(match: re.Match[str], time: Time, random: Random, direction: int) -> str:
    text = match[0]
    if match["century"]:
        if match["tens"]:
            return (
                _replaced(text, f"({_D}0|[二三四五六七八九]?十)年代", 10, 90, random, direction * 10, 1)
                if (random.random() < 0.4)
                else _replaced(text, f"({_SMALL})世", 1, 20, random, direction, 2)
            )
        return _part(text, random) if match["part"] and random.random() < 0.3 else _century(text, random, direction)
    if match["decade"]:
        return _decade(text, random, direction)
    if match["reign"]:
        return _reign(text, time, random)
    if match["dynasty"]:
        return _dynasty(text, match["dynasty"], random, direction)
    if match["date"] or match["before"] or match["span"]:
        return _date(text, random, direction)
    if match["monthday"]:
        return _month_day(text, random, direction)
    if match["week"]:
        return text[:-1] + random.choice([day for day in "一二三四五六" if day != text[-1]])
    if match["season"]:
        return re.sub("[春夏秋冬]", lambda found: random.choice([one for one in "春夏秋冬" if one != found[0]]), text)
    if match["relative"]:
        return _relative(text, random)
    return _clock(text, random, direction)


def _century(text: str, random: Random, direction: int) -> str:
    before = text.startswith(("公元前", "西元前", "纪元前"))
    return _replaced(text, f"({_SMALL})世", 1, 12 if before else 20, random, -direction if before else direction, 4)


def _part(text: str, random: Random) -> str:
    for group in _SWAPS:
        for part in group:
            if text.endswith(part):
                return text[: -len(part)] + random.choice([other for other in group if other != part])
    return text


def _decade(text: str, random: Random, direction: int) -> str:
    found = re.match(f"({_D}+|[二三四五六七八九]?十)年代", text)
    if found is None:
        return text
    figures = found[1]
    value = _figures(figures)
    low, high = (value - value % 100, value - value % 100 + 90) if value > 100 else (20, 90)
    new = _other(value // 10, low // 10, high // 10, random, direction, 3) * 10
    if _style(figures) == "arabic":
        return str(new).zfill(len(figures)) + text[found.end(1) :]
    return written(new, "chinese") + text[found.end(1) :]


def _reign(text: str, time: Time, random: Random) -> str:
    """A year of another reign, near in time, so that it looks like one of the same history."""
    year = time.year or 0
    own = next((name for name in column("zh", "reigns") if text.startswith(name)), "")
    known = [entry for entry in lines("zh", "reigns") if entry[0] != own]
    near = sorted(known, key=lambda entry: (abs(int(entry[1]) - year), entry[0]))[:6]
    name, _first, length = random.choice(near)
    rest = text[len(own) :]
    figures = re.sub("年间?$", "", rest)
    new = random.randint(2, max(2, int(length) - 1))
    return name + written(new, "arabic" if re.match(_D, figures) else "chinese") + rest[len(figures) :]


def _dynasty(text: str, form: str, random: Random, direction: int) -> str:
    name, suffix, first = _dynasty_forms()[form]
    found = [(other, int(begin)) for other, _suffixes, begin, _last in lines("zh", "dynasties") if other != name]
    fits = [(other, begin) for other, begin in found if other + suffix in _dynasty_forms() and name not in other]
    fits = [(other, begin) for other, begin in fits if other not in name]
    wished = [other for other, begin in fits if (begin - first) * direction > 0 and abs(begin - first) < 900]
    choices = wished or [other for other, _begin in fits]
    return random.choice(choices) + suffix + text[len(form) :] if choices else text


def _date(text: str, random: Random, direction: int) -> str:
    before = "前" in text[:3]
    year = _year(text)
    if year is None:
        return text
    size = abs(year)
    spread = 3 if size > 2000 else 12 if size > 1900 else 30 if size > 1000 else max(2, size // 4)
    top = 2500 if before else max(_NEWEST, size)
    text = _replaced(text, f"({_D}{{1,4}}|{_N}{{4}})", 1, top, random, -direction if before else direction, spread)
    at = text.find("年") + 1
    return text[:at] + _month_day(text[at:], random, random.choice((-1, 1))) if at and "月" in text[at:] else text


def _month_day(text: str, random: Random, direction: int) -> str:
    text = _replaced(text, f"({_SMALL})月", 1, 12, random, direction, 4)
    return _replaced(text, f"月({_SMALL})[日号號]", 1, 28, random, random.choice((-1, 1)), 10)


_RELATIVES = (
    ("今天", "昨天", "前天"),
    ("明天", "后天"),
    ("今年", "去年", "前年"),
    ("明年", "后年"),
    ("本月", "上月"),
    ("上个月", "下个月"),
    ("本周", "上周", "下周"),
    ("当天", "次日"),
    ("翌日", "当天"),
    ("次年", "同年"),
    ("翌年", "同年"),
)


def _relative(text: str, random: Random) -> str:
    for group in _RELATIVES:
        if text in group:
            return random.choice([other for other in group if other != text])
    return text


def _clock(text: str, random: Random, direction: int) -> str:
    half = re.match(_HALF_DAY, text)
    top = 11 if half else 23
    return _replaced(text, f"({_SMALL})[时時点點:：]", 1, top, random, direction, 4)
