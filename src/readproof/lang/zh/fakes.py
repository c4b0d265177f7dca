"""Answers that a Chinese question could have had: of the type it asks for and formed as its gold answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

from readproof.lang.lists import lines
from readproof.lang.zh.another import said_to_be
from readproof.lang.zh.asked import Asked
from readproof.lang.zh.clauses import clause_kind, clauses, governed, is_known_clause
from readproof.lang.zh.entities import Entity, ending_of, entities
from readproof.lang.zh.fakenumbers import any_number, any_time, other_numbers, other_times
from readproof.lang.zh.fakethings import described, is_counted, kind_for, known_answers, things
from readproof.lang.zh.fits import fits, is_told_apart, wants_name
from readproof.lang.zh.names import alike, chinese_name, county_with_province, foreign_name, fronts, others, places
from readproof.lang.zh.polarity import polarities
from readproof.lang.zh.questions import Phrase
from readproof.lang.zh.statements import is_clause
from readproof.lang.zh.subjects import is_species, tells_of_person

_TRIES = 8
_OWN = 0.4
_ONE = ("time", "number", "reason", "manner", "yesno", "choice", "description")
_NATIVE = re.compile("产地|出生|生于|籍贯|来自|效力|哪里人|起源|位于|葬于|祖籍")
_PLAYS = re.compile("效力|加盟|转会|踢球")
_APPLIED = re.compile("(?:应用|运用|用|使用|体现|表现)[在于]$")
# answers that already tell of several
_WHOLE = re.compile("两(?:种|类|段|部分)$|件.*事$")
_WHO = re.compile("[^的，]{2,12}[^者人长家员主父母妻夫演编任军手师角王帝]是")
_UNIT = re.compile("[0-9]\\s*[多余]?((?:平方)?(?:[毫厘公千分英海]?[米尺里寸]|公顷|公分|[公千]?[斤克]|吨|呎|吋|岁|年))")
_SEA = re.compile("[洋海湾礁沙岩]|水域|沿岸|河口")
_LIVES = re.compile("躲藏|寻找|生存|觅食|海域|栖息|分布|生活在|生长|产于")
_RULED = re.compile("^[唐宋明清汉元魏晋隋梁齐周辽金陈北南后].{0,2}[宗帝祖]$|[一二三四]世$|皇后$|公主$|太后$")


def fakes(phrase: Phrase, gold: str, question: str, random: Random, passage: str = "") -> Iterator[str]:
    """Answers to the phrase that fit its slot, in chance order, the likest first."""
    asked = Asked(phrase, question, gold, passage)
    found = False
    for answer in _made(asked, random):
        if fits(asked, answer):
            found = True
            yield answer
    if not found and wants_name(asked) and not is_told_apart(asked):
        yield from (random.choice(known_answers("通称")) for _ in range(_TRIES))


def _made(asked: Asked, random: Random) -> Iterator[str]:
    phrase, gold = asked.phrase, asked.gold
    make = _MAKERS[phrase.type]
    clause = phrase.type == "thing" and clause_kind(phrase.head) and not known_answers(phrase.head)
    single_one = phrase.count == 1 and not (is_told_apart(asked) and phrase.type in ("person", "place", "thing"))
    if single_one or phrase.type in _ONE or clause:
        yield from make(asked, random)
        return
    first = re.split("[、，,和与及;；]", gold)[0].strip("“”「」『』\"' ") or gold
    count = (phrase.count if phrase.count > 1 else 0) or random.choice((2, 3))
    single = replace(asked, gold=first)
    made = dict.fromkeys(one for _ in range(4) for one in make(single, random))
    described = {front + phrase.head for front in fronts("plain")}
    short = [one for one in made if not is_clause(one) and not is_known_clause(one)]
    pool = [one for one in short if one not in described and not _WHOLE.search(one)]
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
    if "身高" in asked.question:
        yield from (f"1.{random.randint(58, 96)}米" for _ in range(_TRIES))
        return
    found = list(other_numbers(asked.phrase, asked.gold, random))
    unit = _UNIT.search(asked.gold) if asked.head != "多少" and asked.head.startswith("多") else None
    # 3～8毫米 gives 4, which needs its unit
    yield from (f"{one}{unit[1]}" if unit and re.search("[0-9]$", one) else one for one in found)
    for _ in range(0 if found else _TRIES):
        yield any_number(asked.phrase, asked.question, random)


def _people(asked: Asked, random: Random) -> Iterator[str]:
    found = entities(asked.gold)
    if re.search("[商方]家?(?:是|为)$|[商方]$", asked.before):
        yield from (random.choice(known_answers("公司")) for _ in range(_TRIES))
        return
    if asked.at_end and _WHO.fullmatch(asked.before) and not any(one.text == asked.gold for one in found):
        yield from (random.choice(known_answers("何人")) for _ in range(_TRIES))
        return
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
    if _PLAYS.search(asked.question) and not re.search("[省市县州]$", gold):
        yield from (random.choice(known_answers("球队")) for _ in range(_TRIES))
        return
    if re.search("隶属|任职|就职|供职|毕业于|就读", asked.before):
        yield from (random.choice(known_answers("机构")) for _ in range(_TRIES))
        return
    for pattern, wanted in (("任$", "官职"), ("(?:发表|刊载|连载|刊登)[在于]$", "报纸")):
        if re.search(pattern, asked.before):
            yield from (random.choice(known_answers(wanted)) for _ in range(_TRIES))
            return
    if _APPLIED.search(asked.before):
        yield from (random.choice(known_answers("领域")) for _ in range(_TRIES))
        return
    named = bool(re.search("[省市县州国]", gold))
    named = named or any(one.kind == "place" for one in entities(gold))
    named = named and not (_LIVES.search(asked.question) and re.search("[洋礁]", gold))
    inside = any(one.end == asked.phrase.start and one.kind == "place" for one in entities(asked.question))
    at_sea = _SEA.search(gold) and not re.search("[林草山]|陆", gold) and not _NATIVE.search(asked.question)
    spots = "part" if head == "位置" or inside else "sea" if at_sea and not named else ""
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
    spot = _LIVES.search(asked.question) or re.search("[里内中上下旁边侧外端处]$", gold)
    if not found and gold and not head and spot and not _NATIVE.search(asked.question):
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
    if is_counted(asked):
        yield from described(asked, random)
        return
    pool = known_answers(asked.head)
    if pool:
        yield from (random.choice(pool) for _ in range(_TRIES))
    else:
        yield from alike(f"某某{asked.head}", random)
    if ending_of(asked.gold):
        yield from alike(asked.gold, random)
    yield from things(asked, random)


def _reasons(asked: Asked, random: Random) -> Iterator[str]:
    own = tells_of_person(asked.passage) and random.random() < _OWN
    wild = is_species(asked.passage)
    yield from clauses("nature" if wild else "motive" if own else "reason", asked.gold, random)


def _manners(asked: Asked, random: Random) -> Iterator[str]:
    if asked.phrase.form == "doing" and asked.before.endswith("是") and asked.phrase.text.endswith("的"):
        yield from (random.choice(known_answers("职业")) for _ in range(_TRIES))
        return
    what, kind = governed("", asked.question[asked.phrase.end :])
    known = kind if what == "manner" and asked.phrase.form == "way" else ""
    yield from clauses(_doing(asked) if asked.phrase.form == "doing" else known or "manner", asked.gold, random)


def _doing(asked: Asked) -> str:
    return "advice" if asked.head == "怎么办" or re.search("应该?|需要|可以|怎么", asked.question) else "doing"


def _descriptions(asked: Asked, random: Random) -> Iterator[str]:
    kind = kind_for(asked)
    if asked.head == "意思":
        kind = "meaning"
    elif asked.phrase.form == "definition" and not known_answers(asked.head):
        said = said_to_be(_defined(asked), asked.passage)
        if said and kind in ("", "definition"):
            yield from (random.choice(said) for _ in range(_TRIES))
            return
        kind = kind or "definition"
    if asked.phrase.form in ("end", "definition") and not kind:
        yield from things(asked, random)
    if asked.phrase.form == "state" and known_answers(asked.head):
        for _ in range(_TRIES):
            yield random.choice(known_answers(asked.head))
        return
    if asked.phrase.form == "state" and kind == "outcome":
        kind = "description"
    yield from clauses(kind or "description", asked.gold, random)


def _defined(asked: Asked) -> str:
    """What a definition is asked of."""
    name = asked.after if not asked.before else re.sub("(?:到底|究竟|都|就)?(?:是|指的?)?$", "", asked.before)
    return name.rpartition("，")[2]


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
