"""Answers that a Chinese question could have had: of the type it asks for and formed as its gold answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

from readproof.lang.lists import lines
from readproof.lang.zh.asked import Asked
from readproof.lang.zh.clauses import clause_kind, clauses, governed, is_known_clause
from readproof.lang.zh.entities import Entity, ending_of, entities
from readproof.lang.zh.fakenumbers import any_number, any_time, other_numbers, other_times
from readproof.lang.zh.fakethings import kind_for, known_answers, things
from readproof.lang.zh.names import alike, chinese_name, county_with_province, foreign_name, others, places
from readproof.lang.zh.polarity import polarities
from readproof.lang.zh.questions import Phrase
from readproof.lang.zh.statements import is_clause

_TRIES = 8
_ONE = ("time", "number", "reason", "manner", "yesno", "choice", "description")
_SEA = re.compile("[洋海湾礁沙岩]|水域|沿岸|河口")
_LIVES = re.compile("海域|栖息|分布|生活在|生长|产于")
_RULED = re.compile("^[唐宋明清汉元魏晋隋梁齐周辽金陈北南后].{0,2}[宗帝祖]$|[一二三四]世$|皇后$|公主$|太后$")


def fakes(phrase: Phrase, gold: str, question: str, random: Random, passage: str = "") -> Iterator[str]:
    """Answers to the phrase, in chance order, the likest first."""
    asked = Asked(phrase, question, gold, passage)
    make = _MAKERS[phrase.type]
    clause = phrase.type == "thing" and clause_kind(phrase.head) and not known_answers(phrase.head)
    if phrase.count == 1 or phrase.type in _ONE or clause:
        yield from make(asked, random)
        return
    first = re.split("[、，,和与及;；]", gold)[0].strip("“”「」『』\"' ") or gold
    count = phrase.count or random.choice((2, 3))
    single = replace(asked, gold=first)
    made = dict.fromkeys(one for _ in range(4) for one in make(single, random))
    pool = [one for one in made if not is_clause(one) and not is_known_clause(one)]
    for _ in range(_TRIES if len(pool) >= count else 0):
        chosen = random.sample(pool, count)
        yield "、".join(chosen[:-1]) + "和" + chosen[-1]
    yield from (one for one in make(single, random) if not is_known_clause(one))


def _times(asked: Asked, random: Random) -> Iterator[str]:
    found = list(other_times(asked.head, asked.gold, random))
    yield from found
    for _ in range(0 if found else _TRIES):
        yield any_time(asked.head, asked.gold, asked.question, asked.passage, random)


def _numbers(asked: Asked, random: Random) -> Iterator[str]:
    found = list(other_numbers(asked.phrase, asked.gold, random))
    yield from found
    for _ in range(0 if found else _TRIES):
        yield any_number(asked.phrase, asked.question, random)


def _people(asked: Asked, random: Random) -> Iterator[str]:
    found = entities(asked.gold)
    name = next((one for one in found if one.kind in ("person", "latin")), None)
    if name is not None and _RULED.search(name.text) and len(name.text) <= 6:
        yield from alike(name.text, random)
    if name is not None and name.kind == "latin":
        yield from others(Entity(0, len(name.text), name.text, "latin", "person"), random)
        return
    if name is not None and name.detail == "masked":
        yield from others(name, random)
        return
    if re.search("[\u4e00-\u9fff]{2,}人$", asked.gold) and name is None:
        for country in places("法国", "country", random):
            yield f"{country}人"
    group = next((one for one in found if one.kind in ("organisation", "people")), None)
    if name is None and group is not None:
        yield from others(group, random)
    foreign = "·" in asked.gold or (name is not None and name.detail == "foreign")
    for _ in range(_TRIES):
        yield foreign_name(random) if foreign else chinese_name(random)


def _places(asked: Asked, random: Random) -> Iterator[str]:
    gold, head = asked.gold, asked.head
    if asked.question[asked.phrase.end :].startswith("人"):
        gold = gold.removesuffix("人")
        asked = replace(asked, gold=gold)
    named = bool(re.search("[省市县州国]", gold))
    named = named or any(one.kind == "place" for one in entities(gold))
    named = named and not (_LIVES.search(asked.question) and re.search("[洋礁]", gold))
    inside = any(one.end == asked.phrase.start and one.kind == "place" for one in entities(asked.question))
    spots = "part" if head == "位置" or inside else "sea" if _SEA.search(gold) and not named else ""
    pool = spots_of(spots) if spots else known_answers(head) if head not in ("路", "站") else ()
    if pool:
        for _ in range(_TRIES):
            yield random.choice(pool)
        return
    if head in ("国", "国家") or head.endswith("国家"):
        old = next((one.text for one in entities(gold) if one.detail == "state"), "")
        for _ in range(_TRIES):
            yield from _first(places(old or "法国", "state" if old else "country", random))
        return
    yield from _named_places(asked, random)


def _named_places(asked: Asked, random: Random) -> Iterator[str]:
    gold, head = asked.gold, asked.head
    found = [one for one in entities(gold) if one.kind in ("place", "organisation")]
    latin = next((one for one in entities(gold) if one.kind == "latin"), None)
    if latin is not None and not found:
        yield from others(Entity(0, len(latin.text), latin.text, "latin", "thing"), random)
        return
    if len(gold) <= 12 and len(found) == 1 and found[0].text == gold:
        yield from others(found[0], random)
    if not found and gold and not head:
        for _ in range(_TRIES):
            yield random.choice(spots_of("habitat" if _LIVES.search(asked.question) else "spot"))
    foreign = any(one.detail in ("country", "land") and one.text != "中国" for one in found) or "·" in gold
    rank = {"省": "province", "市": "city", "县": "county", "区": "county"}.get(head[-1:], "")
    wide = head == "地区" or (_LIVES.search(asked.question) and not head)
    for _ in range(_TRIES):
        if wide and foreign:
            yield from _first(places("法国", "country", random))
        elif wide and found:
            yield from _first(places("湖南省", "province", random))
        elif rank:
            yield from _first(places(f"某{head[-1]}", rank, random))
        elif foreign:
            yield from _first(places("罗马", "city", random))
        elif len(gold) > 5:
            yield county_with_province(random)
        else:
            yield from _first(places("大连", "town", random))


def _first(found: Iterator[str]) -> Iterator[str]:
    for one in found:
        yield one
        return


@lru_cache(maxsize=4)
def spots_of(kind: str) -> tuple[str, ...]:
    """Places that are no names: spots on land, parts of a place, seas."""
    return tuple(answer for of, answer in lines("zh", "spots") if of == kind)


def _organisations(asked: Asked, random: Random) -> Iterator[str]:
    yield from alike(f"某某{asked.head}", random)
    if ending_of(asked.gold):
        yield from alike(asked.gold, random)
    yield from things(asked, random)


def _reasons(asked: Asked, random: Random) -> Iterator[str]:
    yield from clauses("reason", asked.gold, random)


def _manners(asked: Asked, random: Random) -> Iterator[str]:
    what, kind = governed("", asked.question[asked.phrase.end :])
    known = kind if what == "manner" and asked.phrase.form == "way" else ""
    yield from clauses("doing" if asked.phrase.form == "doing" else known or "manner", asked.gold, random)


def _descriptions(asked: Asked, random: Random) -> Iterator[str]:
    kind = kind_for(asked)
    if asked.phrase.form == "definition" and not kind and not known_answers(asked.head):
        kind = "definition"
    if asked.phrase.form in ("end", "definition") and not kind:
        yield from things(asked, random)
    if asked.phrase.form == "state" and known_answers(asked.head):
        for _ in range(_TRIES):
            yield random.choice(known_answers(asked.head))
        return
    if asked.phrase.form == "state" and kind == "outcome":
        kind = "description"
    yield from clauses(kind or "description", asked.gold, random)


def _yes_no(asked: Asked, random: Random) -> Iterator[str]:
    yield from polarities(asked.phrase, asked.gold, asked.question, random)


def _choices(asked: Asked, random: Random) -> Iterator[str]:
    one, _, other = asked.phrase.text.removeprefix("是").partition("还是")
    wrong = [side for side in (one, other) if side and side not in asked.gold] or [other or one]
    random.shuffle(wrong)
    yield from wrong


_MAKERS: dict[str, Callable[[Asked, Random], Iterator[str]]] = {
    "time": _times,
    "number": _numbers,
    "person": _people,
    "place": _places,
    "organisation": _organisations,
    "thing": things,
    "reason": _reasons,
    "manner": _manners,
    "description": _descriptions,
    "yesno": _yes_no,
    "choice": _choices,
}
