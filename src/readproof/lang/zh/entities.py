"""Names in Chinese text, with their kind: people, places, organisations, works, numbers, times, peoples, Latin names.

Lists and endings do most of it (…大学, …铁路, …鱼), with jieba's tags, surnames, and the letters that foreign names are
spelt with. It need not find every name; what it finds must be one, as an attack will put another in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from readproof.lang.api import Word, column, lines
from readproof.lang.zh.numbers import numbers
from readproof.lang.zh.questions import headwords
from readproof.lang.zh.times import times
from readproof.lang.zh.words import words

Kind = Literal["person", "place", "organisation", "work", "number", "time", "people", "latin", "name"]

_SPELT = (
    "阿埃艾爱安昂奥巴白拜班邦包保鲍贝本比彼毕宾波伯博布查达大丹当道德登迪蒂丁东杜多顿恩尔法范菲费芬丰佛夫弗福富盖戈格根古圭哈海"
    "汉豪赫黑亨胡华怀霍基吉加贾简杰金津卡凯坎康考科克肯库奎昆拉腊莱赖兰朗劳勒雷里莉利丽连列林琳龙隆鲁路伦罗洛吕马玛麦迈曼梅美门"
    "蒙米密明莫默姆木穆纳娜南内尼年宁纽诺欧帕潘庞佩彭皮平珀普奇齐乔切钦琴丘让热日荣茹儒瑞若萨塞桑瑟森沙莎山珊尚绍舍申圣施什史士舒孟廉厄惹露茨冈努弥狄丢番岑茜缪瑙铎黛"
    "朔斯司思松苏索塔泰坦汤唐陶特腾提廷图托瓦万旺威韦维卫魏温文翁沃乌武西希锡夏香谢辛欣休许雅亚延扬杨耶叶伊依易因茵英尤于约泽扎詹"
    "章哲珍芝智朱卓兹佐冯凡妮姬娅婷媛嘉奈尤川彻戴捷摩斐曹朝柏柯桃比沙滕泽洁洛涅温滋瓜甘登皮盖真祖科穆纽蓓薇蕾裘詹谷贺贡赛路迦里"
)
_STOPS = "的是在于和与及，。、（）()？?有被由因对从到为了着将把向《》“”「」曾也都又还所 "
_FOREIGN = re.compile(
    f"[{_SPELT}]{{1,7}}(?:[·‧・•.．](?:[{_SPELT}A-Z]{{1,8}}|[^{_STOPS}·‧・]{{1,4}}(?=[{_STOPS}]|$))){{1,4}}"
)
_SPELT_WHOLE = re.compile(f"[{_SPELT}]+")
_MARKED = re.compile("《[^《》]{1,30}》")
_QUOTED = re.compile('[“「『"]([^“”「」『』"]{2,14})[”」』"]')
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9'&.+\-]*(?: [A-Za-z0-9][A-Za-z0-9'&.+\-]*)*")
_MASKED = re.compile("(?P<surname>[\u4e00-\u9fff])(?P<rest>[0-9]{0,2}某{1,2}[0-9甲乙丙丁]?|[xX×]{1,2}[0-9]{0,3})")
# 成龙 is a man
_DRAGON = 4
_RUN = ("n", "j", "b", "vn", "an", "s", "eng", "f", "l")
_PEOPLE = re.compile("[\u4e00-\u9fff]{1,5}(?:语|族|教)$")


# words that end as names do, or that jieba takes for names
@lru_cache(maxsize=1)
def not_names() -> frozenset[str]:
    """Words that end as names do, or that jieba takes for names."""
    return frozenset(column("zh", "notnames"))


@dataclass(frozen=True, slots=True)
class Entity:
    """text[start:end] is a name; `detail` narrows its kind: chinese or foreign, country or city, an ending."""

    start: int
    end: int
    text: str
    kind: Kind
    detail: str = ""


@lru_cache(maxsize=1 << 12)
def entities(text: str) -> tuple[Entity, ...]:
    """The names of a text, in order, none inside another."""
    taken = bytearray(len(text))
    kept: list[Entity] = []
    for entity in _candidates(text):
        if not any(taken[entity.start : entity.end]):
            taken[entity.start : entity.end] = b"\x01" * (entity.end - entity.start)
            kept.append(entity)
    return tuple(sorted(kept, key=lambda entity: entity.start))


def _candidates(text: str) -> Iterator[Entity]:
    """In the order in which they win."""
    for match in _MARKED.finditer(text):
        yield Entity(match.start(), match.end(), match[0], "work", "marked")
    for match in _QUOTED.finditer(text):
        yield Entity(match.start(1), match.end(1), match[1], "name", "quoted")
    for time in times(text):
        yield Entity(time.start, time.end, time.text, "time", time.granularity)
    for match in _FOREIGN.finditer(text):
        yield _foreign(text, match.start(), match.end())
    for match in _MASKED.finditer(text):
        if match["surname"] in surnames():
            yield Entity(match.start(), match.end(), match[0], "person", "masked")
    yield from _ended(text)
    yield from _listed(text)
    yield from _people(text)
    for match in _LATIN.finditer(text):
        if len(match[0]) > 1:
            yield Entity(match.start(), match.end(), match[0], "latin", _latin_detail(match[0]))
    for number in numbers(text):
        bare = number.style != "arabic" and number.kind == "cardinal" and not number.measure
        if not number.article and not bare:
            yield Entity(number.start, number.end, number.text, "number", number.kind)


def _foreign(text: str, start: int, end: int) -> Entity:
    """A foreign name with dots: a person's, or that of what was named after one (恩斯特·哈佩尔球场)."""
    longer = next((end + size for size in range(4, 1, -1) if text[end : end + size] in endings()), end)
    name = text[start:longer]
    ending = ending_of(name)
    kind = _ENTITY_KINDS.get(endings().get(ending, ""), "person")
    if kind == "person":
        return Entity(start, end, text[start:end], "person", "foreign")
    return Entity(start, longer, name, kind, ending)


def _latin_detail(text: str) -> str:
    return "person" if re.fullmatch(r"[A-Z][a-z]+(?: [A-Z][a-z.]*)? [A-Z][a-z]+", text) else "thing"


def is_spelt(text: str) -> bool:
    """Whether a name is written with the letters that foreign names are spelt with."""
    return bool(_SPELT_WHOLE.fullmatch(text))


@lru_cache(maxsize=1)
def surnames() -> frozenset[str]:
    """Chinese surnames."""
    return frozenset(column("zh", "surnames"))


@lru_cache(maxsize=1)
def common_nouns() -> frozenset[str]:
    """Common nouns of the language."""
    return frozenset(column("zh", "nouns"))


@lru_cache(maxsize=1)
def _given() -> frozenset[str]:
    return frozenset(column("zh", "given"))


@lru_cache(maxsize=1)
def _places() -> dict[str, str]:
    return {name: detail for name, detail, _region in lines("zh", "places")}


@lru_cache(maxsize=1)
def endings() -> dict[str, str]:
    """The endings of names, with the kind of what they name."""
    return {ending: kind for ending, kind in lines("zh", "suffixes")}  # noqa: C416


@lru_cache(maxsize=1 << 14)
def ending_of(name: str) -> str:
    """The longest known ending of a name, with something before it; "" if there is none."""
    known = endings()
    for length in range(min(5, len(name) - 1), 0, -1):
        ending = name[-length:]
        spelt = length == 1 and len(name) >= _DRAGON and is_spelt(name) and known.get(ending) != "species"
        if ending in known and not spelt and not (ending == "龙" and len(name) < _DRAGON):
            return name[-length:]
    return ""


def listed_at(text: str, at: int) -> Entity | None:
    """The longest place of the list that begins at a place of the text."""
    known = _places()
    for length in range(min(12, len(text) - at), 1, -1):
        piece = text[at : at + length]
        if piece in known:
            return Entity(at, at + length, piece, "place", known[piece])
    return None


def _listed(text: str) -> Iterator[Entity]:
    """Places of the list; one of two characters must be a whole word."""
    edges = {word.start for word in words(text)} | {len(text)}
    ones = {word.start for word in words(text) if len(word.text) == 1 and word.tag.startswith(("n", "v", "g", "k"))}
    at = 0
    while at < len(text):
        found = listed_at(text, at)
        whole = found is not None and found.start in edges and found.end in edges
        # 日照计 is no thing of the town 日照
        cut = found is not None and found.detail == "town" and found.end in ones
        if found is not None and (len(found.text) > 2 or whole) and not cut:
            yield found
            at = found.end - 1
        at += 1


_ENTITY_KINDS: dict[str, Kind] = {
    "place": "place",
    "station": "place",
    "building": "place",
    "route": "place",
    "organisation": "organisation",
    "people": "people",
    "language": "people",
    "ruler": "person",
}


def _ended(text: str) -> Iterator[Entity]:
    """Runs of nouns that end as names do: 北京信息科技大学, 兰渝铁路."""
    run: list[Word] = []
    for word in (*words(text), None):
        joins = word is not None and word.tag.startswith(_RUN) and word.text not in headwords("act")
        if word is not None and joins and not re.search("[，。、？《》“”「」的]", word.text):
            run.append(word)
            continue
        if run:
            yield from _in_run(text, run)
        run = []


def _in_run(text: str, run: list[Word]) -> Iterator[Entity]:
    while run and (run[0].tag.startswith(("f", "s")) or (len(run) > 1 and run[0].text in "场种支段个位名条座家部届")):
        run = run[1:]
    for last in range(len(run), 0, -1):
        name = text[run[0].start : run[last - 1].end]
        ending = ending_of(name)
        one_word = last == 1
        if (
            not ending
            or name in not_names()
            or len(name) > 16
            or (len(name) < 4 and len(ending) == 1 and run[0].tag[0] != "n")
        ):
            continue
        if one_word and run[0].tag == "n" and len(name) <= len(ending) + 1:
            continue
        if (
            run[last - 1].tag.startswith("v")
            or name in _places()
            or (run[last - 1].text in not_names() and (one_word or run[last - 1].text != ending))
        ):
            continue
        if run[last - 1].text in ("皇帝", "大帝", "国王", "上帝"):
            continue
        kind = _ENTITY_KINDS.get(endings()[ending], "name")
        yield Entity(run[0].start, run[last - 1].end, name, kind, ending)
        return


def _people(text: str) -> Iterator[Entity]:
    for word in words(text):
        if word.tag == "nr" and word.text in common_nouns():
            continue
        if (
            word.tag == "nr"
            and 2 <= len(word.text) <= 4
            and word.text[0] in surnames()
            and word.text not in not_names()
        ):
            if word.text[-1] in "区县市镇乡村州省":
                yield Entity(word.start, word.end, word.text, "place", "county")
                continue
            foreign = len(word.text) >= 3 and is_spelt(word.text) and word.text[1:] not in _given()
            found = Entity(word.start, word.end, word.text, "person", "foreign" if foreign else "chinese")
            yield _spelt_out(text, found) if foreign else found
        elif word.tag in ("nrt", "nrfg") and len(word.text) > 1:
            known = word.text[0] in surnames() and len(word.text) <= 3
            found = Entity(word.start, word.end, word.text, "person", "chinese" if known else "foreign")
            yield found if known else _spelt_out(text, found)
        elif word.tag == "ns" and len(word.text) >= 2 and word.text not in not_names():
            if text[word.end : word.end + 1] not in ("教", "语", "文", "人", "裔", "族"):
                yield _spelt_out(text, Entity(word.start, word.end, word.text, "place", "place"))
        elif word.tag == "nt" and len(word.text) >= 3 and ending_of(word.text):
            yield Entity(word.start, word.end, word.text, "organisation", ending_of(word.text))
        elif (
            _PEOPLE.match(word.text)
            and not word.text.endswith("主教")
            and len(word.text) >= 2
            and word.tag.startswith("n")
            and word.text not in not_names()
        ):
            yield Entity(word.start, word.end, word.text, "people", word.text[-1])


def _spelt_out(text: str, entity: Entity) -> Entity:
    """A foreign name that jieba cut short, taken as far as it is spelt: 圣安德烈 → 圣安德烈亚斯."""
    if len(entity.text) < 3 or not is_spelt(entity.text):
        return entity
    start, end = entity.start, entity.end
    while end < len(text) and is_spelt(text[end]) and text[end] not in _STOPS:
        end += 1
    while start and is_spelt(text[start - 1]) and text[start - 1] not in _STOPS:
        start -= 1
    if end - start > len(entity.text) + 3:
        return entity
    return Entity(start, end, text[start:end], entity.kind, entity.detail)
