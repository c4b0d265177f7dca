"""Time and place turned: dates, centuries, dynasties, order, frequency, length of time, places, directions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from readproof.attacks.base import random_of
from readproof.attacks.options.change import Change, one
from readproof.attacks.options.keyword import RANGE, ROUND, TIME_MEASURES
from readproof.attacks.options.passage import evidence
from readproof.attacks.options.phrases import is_noun_phrase
from readproof.attacks.options.restoring import restored
from readproof.attacks.options.tables import by_table, table
from readproof.attacks.options.view import OptionView
from readproof.lang.api import lines
from readproof.lang.zh.entities import Entity, entities
from readproof.lang.zh.numbers import another, numbers, parse, written
from readproof.lang.zh.times import Time, shifted, times

_COARSE = ("dynasty", "century", "decade", "reign", "year", "season", "month", "day")
_CENTURY = re.compile("(?P<before>公元前?)?(?P<figures>[0-9]{1,2}|[一二三四五六七八九十]{1,3})(?P<rest>世纪.*)")
_DECADE = re.compile("(?P<figures>[0-9]0|[二三四五六七八九]十)(?=年代)")
_MONTH = re.compile("(?P<figures>[0-9]{1,2}|[一二三四五六七八九十]{1,3})(?P<rest>月.*)")
_DYNASTY = re.compile("(?P<name>[夏商周秦汉晋隋唐辽宋金元明清])(?P<end>朝|代)")
_TO = re.compile(
    "(?P<from>从|由)(?P<first>[^，。；从由到]{2,10})(?P<to>走向|转向|发展到|演变为|演变成|转变为|过渡到|转化为|变成|到|向)(?P<second>[^，。；]{2,10}(?<!过渡|转变|发展|转化|演变|转向|转换|迈进|前进))(?=[，。；]|$)"
)
_FIRST = re.compile(
    "先(?P<first>[^，。；先后再]{2,14})(?P<comma>，?)(?P<mark>后|再|然后)(?P<second>[^，。；]{2,16})(?=[，。；]|$)"
)
# a time that stands beside another: 现代构建和未来发展
_PAIRED = re.compile("[^，。；]{0,4}[和与及、]")
_COUNTRIES = ("日本", "印度", "美国", "英国", "法国", "德国", "俄罗斯", "意大利", "韩国", "埃及", "希腊", "西班牙")
_PLACE_KINDS = ("country", "continent", "city", "province", "region", "land", "state")


def changes(view: OptionView, passage: str) -> Iterator[Change]:
    """What the strategy can do to an option."""
    for change in by_table(view, "orders", "order"):
        # a word said twice, turned in one place, leaves an option that disagrees with itself
        edit = change.edits[0]
        paired = _PAIRED.match(view.after(edit.end)) or re.search("[和与及、]$", view.before(edit.start))
        if change.meaning == "same" or (view.text.count(edit.old) == 1 and not paired):
            yield change
    yield from _times(view, passage)
    yield from _lengths(view, passage)
    yield from _places(view, passage)
    yield from _ways(view)
    for change in restored(view, passage):
        if change.edits[0].old in _order_words():
            yield change


def _order_words() -> frozenset[str]:
    known = table("orders")
    return frozenset(known) | frozenset(row.new for rows in known.values() for row in rows)


def _times(view: OptionView, passage: str) -> Iterator[Change]:
    random = random_of(view.text)
    for time in times(view.text):
        if not view.free(time.start, time.end):
            continue
        lasting = re.search("(?:约为?|了|达|时间为?|经过|长达)$", view.text[: time.start])
        for same in () if lasting else _same_time(time):
            yield one(time.start, time.text, same, "same", "time")
        listed = re.search("[、和与]$", view.text[: time.start]) or view.text[time.end : time.end + 1] in ("、", "笔")
        part = time.text.endswith("中") or (time.granularity == "dynasty" and not view.whole(time.start, time.end))
        if time.granularity not in _COARSE or lasting or listed or part or view.text.count(time.text) > 1:
            continue
        around = evidence(view.text, passage).around
        # what was there already in 战国 was there in 西汉 too: only an earlier time is wrong
        already = re.search("就|已|仍", view.after(time.end)) or re.search(
            "早在|至迟在?|最迟在?$", view.text[: time.start]
        )
        if time.text in passage or time.granularity == "dynasty":
            moved = dict.fromkeys(shifted(time, random, -1 if already else 0) for _ in range(8))
            new_times = [new for new in moved if new != time.text and new not in passage and new not in view.text]
            if time.granularity == "dynasty":
                new_times = [new for new in new_times if new[0] not in view.text]
            for new in new_times[:3]:
                yield one(time.start, time.text, new, "contrary", "time")
        elif around:
            near = [
                other for other in times(around) if other.granularity == time.granularity and other.text != time.text
            ]
            if len({other.text for other in near}) == 1 and evidence(view.text, passage).share >= 0.4:
                yield one(time.start, time.text, near[0].text, "restored", "time")
                new = shifted(time, random, 0)
                if new not in passage:
                    yield one(time.start, time.text, new, "another", "time")


def _same_time(time: Time) -> Iterator[str]:
    """The same time written otherwise: 19世纪 as 十九世纪, 唐代 as 唐朝."""
    match = _CENTURY.fullmatch(time.text)
    if match:
        figures = match["figures"]
        value = parse(figures)
        if value is not None:
            other = written(value, "chinese" if figures[0].isdigit() else "arabic")
            rest = match["rest"]
            decade = _DECADE.search(rest)
            if decade:
                tens = parse(decade[0])
                if tens is not None:
                    turned = written(tens, "chinese" if decade[0][0].isdigit() else "arabic")
                    rest = rest[: decade.start()] + turned + rest[decade.end() :]
            yield f"{match['before'] or ''}{other}{rest}"
            if value == 20 and not match["before"]:
                yield f"上个{match['rest']}"
    decade = _DECADE.match(time.text)
    if decade and time.granularity == "decade" and not match:
        tens = parse(decade[0])
        if tens is not None:
            yield written(tens, "chinese" if decade[0][0].isdigit() else "arabic") + time.text[decade.end() :]
    dynasty = _DYNASTY.fullmatch(time.text)
    if dynasty:
        yield dynasty["name"] + ("代" if dynasty["end"] == "朝" else "朝")
    if time.granularity == "month" and (month := _MONTH.fullmatch(time.text)):
        value = parse(month["figures"])
        if value is not None:
            yield written(value, "chinese" if month["figures"][0].isdigit() else "arabic") + month["rest"]


def _lengths(view: OptionView, passage: str) -> Iterator[Change]:
    """Lengths of time and how often, changed, where the passage gives them."""
    random = random_of(view.text)
    taken = [(time.start, time.end) for time in times(view.text)]
    for number in numbers(view.text):
        if number.measure not in TIME_MEASURES or not view.free(number.start, number.end) or number.article:
            continue
        if any(start < number.end and number.start < end for start, end in taken) or number.kind == "ordinal":
            continue
        if number.style == "digits" or number.text in ROUND or RANGE.match(view.text[number.end :]):
            continue
        if RANGE.search(view.text[max(0, number.start - 1) : number.start]):
            continue
        small = number.style == "arabic" and number.value == int(number.value) and 1 <= number.value <= 99
        if small and number.measure in ("年", "天", "个月", "小时", "岁", "分钟", "次"):
            same = written(number.value, "chinese")
            yield one(number.start, number.text, "两" if same == "二" else same, "same", "length")
        said = number.text + number.measure
        if said not in passage or view.text.count(said) > 1:
            continue
        new = another(number, random)
        value = parse(new) or 0
        if abs(value - number.value) >= number.value / 4 and new + number.measure not in passage:
            yield one(number.start, number.text, new, "contrary", "length")


def _places(view: OptionView, passage: str) -> Iterator[Change]:
    """A place of the passage becomes another: one of the same kind that the passage names elsewhere, or of a list."""
    named = [entity for entity in entities(view.text) if entity.kind == "place" and entity.detail in _PLACE_KINDS]
    if not named:
        return
    around = evidence(view.text, passage).around
    random = random_of(view.text)
    for place in named:
        if not view.free(place.start, place.end) or not view.whole(place.start, place.end) or place.text not in passage:
            continue
        if view.text.count(place.text) > 1 or _compound(view, place):
            continue
        for other in _other_places(place, passage, random):
            if other not in view.text and other not in around and place.text not in other and other not in place.text:
                yield one(place.start, place.text, other, "contrary", "place")
                break


def _compound(view: OptionView, place: Entity) -> bool:
    """A place inside a longer name (中国画, 北京大学, 西湖十景) is no place by itself."""
    after = view.text[place.end : place.end + 3]
    before = view.text[max(0, place.start - 1) : place.start]
    return bool(
        re.match(
            "画|人|话|化|式|籍|史|学|语|菜|戏|派|梦|馆|红|[大中小]学|模式|[·、和与及]|共产|革命|人民|国民|政府", after
        )
    ) or before in tuple("·、和与及新前们")


def _other_places(place: Entity, passage: str, random: Random) -> Iterator[str]:
    known = {entity.text for entity in entities(passage) if entity.kind == "place" and entity.detail == place.detail}
    yield from sorted(known - {place.text})
    if place.detail == "country":
        yield from random.sample(_COUNTRIES, len(_COUNTRIES))
        return
    fitting = [other for other, detail, _region in lines("zh", "places") if detail == place.detail]
    yield from (other for other in random.sample(fitting, min(6, len(fitting))) if other not in passage)


def _ways(view: OptionView) -> Iterator[Change]:
    """从A到B becomes 从B到A; 先A后B becomes 先B后A."""
    for match in _TO.finditer(view.text):
        first, second = match.span("first"), match.span("second")
        verb = view.words[view.index_of(first[1]) - 1].tag == "v"
        if "的" in match["second"] or verb or not view.free(match.start(), first[0]):
            continue
        if is_noun_phrase(view, *first) and is_noun_phrase(view, *second):
            new = f"{match['from']}{match['second']}{match['to']}{match['first']}"
            yield one(match.start(), match[0], new, "contrary", "way")
    for match in _FIRST.finditer(view.text):
        start, mark = match.span(), match.span("mark")
        if view.whole(start[0], start[0] + 1) and view.free(start[0], start[0] + 1) and view.whole(*mark):
            new = f"先{match['second']}{match['comma']}{match['mark']}{match['first']}"
            yield one(match.start(), match[0], new, "contrary", "way")
