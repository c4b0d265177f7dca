"""Another name of the same kind and form, for the place of a given one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from random import Random

from readproof.lang.api import Word, column, lines
from readproof.lang.zh.entities import Entity, common_nouns, ending_of, endings, entities, is_spelt, listed_at, surnames
from readproof.lang.zh.numbers import another, numbers
from readproof.lang.zh.times import shifted, times
from readproof.lang.zh.words import words

_TRIES = 8
_FAMILY = 0.5
_STATES = ("中华人民共和国", "中华民国", "新中国")
_PLANTS = "草树木花藤菊蒿竹兰松柏莓豆瓜菜莲藓蕨属菇"
_RANKS = ("country", "city", "province", "region", "town", "county", "place", "continent", "quarter", "land", "state")
# what people found or build may be called anything
_FOUNDED = ("organisation", "building", "station")
_LISTS = ("names", "names_cmrc", "names_people", "names_thuocl")


def others(entity: Entity, random: Random) -> Iterator[str]:
    """Names that may stand for the entity, in chance order, the likest first; a caller drops those it cannot use."""
    kind, text = entity.kind, entity.text
    if text in _STATES:
        yield from places("法国", "country", random)
        return
    if kind == "time":
        yield from _moved_times(text, random)
    elif kind == "number":
        yield from _moved_numbers(text, random)
    elif kind == "work":
        yield from _works(text, random)
    elif kind == "latin":
        yield from _latin(text, entity.detail, random)
    elif kind == "person" and entity.detail in ("chinese", "foreign", "masked"):
        yield from people(text, entity.detail, random)
    elif kind == "place" and entity.detail in _RANKS:
        yield from places(text, entity.detail, random)
    else:
        # a county keeps its province: another province with the same county would be no place
        near = [] if endings().get(ending_of(text)) == "place" else list(_near(text, entity.detail, random))
        known = list(alike(text, random))
        yield from (one for pair in zip_longest(near, known) for one in pair if one)
        if not near and not known:
            yield from _made_up(text, entity.detail, random)


def _near(text: str, detail: str, random: Random) -> Iterator[str]:
    """Names that differ little: another place inside (北京理工大学 → 南京理工大学), another front (白额雁 → 灰背雁)."""
    listed = ("country", "city", "province", "region", "town", "land")
    edges = {word.start for word in words(text)}
    inner = [one for one in (listed_at(text, 0),) if one and one.detail in listed and one.end in edges]
    species = endings().get(ending_of(text)) == "species"
    for one in inner[:1] if not species else ():
        for new in others(one, random):
            yield text[: one.start] + new + text[one.end :]
    if species or detail in ("species", "plant"):
        tail = _tail(text)
        kind = "plant" if detail == "plant" or text[-1] in _PLANTS else "species"
        for _ in range(_TRIES):
            yield random.choice(fronts(kind)) + tail


def _tail(text: str) -> str:
    """The last word of a name, or its last two if they are short; never all of it."""
    if ending := ending_of(text):
        return ending
    found = words(text)
    start = found[-1].start
    if len(text) - start < 2 and len(found) > 2:
        start = found[-2].start
    return text[start:] if start else text[-1:] if len(text) < 4 else text[-2:]


def people(text: str, detail: str, random: Random) -> Iterator[str]:
    """Names of people, formed as the given one."""
    for _ in range(_TRIES):
        if detail == "masked":
            yield random.choice(_common_surnames(80)) + text[1:]
        elif detail == "foreign" or "·" in text:
            name = foreign_name(random, parts=2 if "·" in text else 1)
            first, dot, _last = text.partition("·")
            yield f"{first}·{name.rpartition('·')[2]}" if dot and random.random() < _FAMILY else name
        else:
            name = chinese_name(random, len(text))
            # half of them of the same family: they are told apart by reading, not by a glance
            family = text[:1] if text[:1] in surnames() and random.random() < _FAMILY else name[:1]
            yield family + name[1:]


def chinese_name(random: Random, length: int = 3) -> str:
    """A Chinese name of two or three characters."""
    size = 1 if length == 2 else 2
    given = _given(size)
    return random.choice(_common_surnames(90)) + random.choice(given)


def foreign_name(random: Random, parts: int = 2) -> str:
    """A foreign name in Chinese letters: 维克多·霍夫曼."""
    first, last = _foreign()
    if parts == 1:
        return random.choice(last)
    return f"{random.choice(first)}·{random.choice(last)}"


def places(text: str, detail: str, random: Random) -> Iterator[str]:
    """Places of the same rank, from the same part of the world."""
    known = _places_by_detail()
    if detail == "place" and text[-1] in "海洋湾峡山河湖江岛峰角":
        return
    region = _regions().get(text, "")
    if detail == "place":
        detail = "town" if len(text) <= 3 else "city"
        if not any(sign in text for sign in "省市县州区"):
            spelt = len(text) >= 3 and is_spelt(text)
            if not spelt and len(text) > 2:
                yield from _made_up(text, "", random)
                if len(text) > 3:
                    return
            region, detail = ("外国", "city") if spelt else ("中国", "town")
    choices = (
        [name for name, where in known.get(detail, ()) if where == region] if region and detail != "county" else []
    )
    if len(choices) < 5:
        choices = [name for name, where in known.get(detail, ()) if (where == "外国") == (region == "外国")]
    same_end = [name for name in choices if name[-1] == text[-1] and text[-1] in "省市县区州"]
    pool = same_end or choices
    for _ in range(_TRIES if pool else 0):
        yield random.choice(pool)


def alike(text: str, random: Random) -> Iterator[str]:
    """Names with the same ending, of about the same length."""
    ending = ending_of(text)
    while ending:
        pool = _by_ending().get(ending, ())
        near = [name for name in pool if abs(len(name) - len(text)) <= 2 and name != text] or [
            name for name in pool if name != text and len(name) <= 2 * len(text)
        ]
        if len(near) >= 2:
            for _ in range(_TRIES):
                yield random.choice(near)
            return
        shorter = next((ending[cut:] for cut in range(1, len(ending)) if ending[cut:] in _by_ending()), "")
        ending = shorter


def county_with_province(random: Random) -> str:
    """A county with the province it lies in."""
    name, region = random.choice(_places_by_detail()["county"])
    provinces = [province for province, _ in _places_by_detail()["province"] if province.startswith(region)]
    return (provinces[0] if provinces else "") + name


def _made_up(text: str, detail: str, random: Random) -> Iterator[str]:
    """A name for what no list knows: another of its parts, another front before its last word, or a made-up name."""
    listed = ("country", "city", "province", "region")
    inner = [one for one in entities(text) if (one.detail in listed and not one.start) or one.kind == "time"]
    for one in inner[:1]:
        for new in others(one, random):
            yield text[: one.start] + new + text[one.end :]
    found = words(text)
    last = found[-1] if found else None
    common = all(word.tag in ("n", "vn", "b", "a", "an", "v", "l", "j") and len(word.text) > 1 for word in found)
    if not common and last is not None and endings().get(ending_of(text)) in _FOUNDED:
        for _ in range(_TRIES):
            yield random.choice(fronts("any")) + _tail(text)
    if detail == "defined" or (detail == "quoted" and not (common and len(found) == 1)):
        pool = [name for name in column("zh", "generic") if len(name) == min(max(len(text), 2), 5)]
        for _ in range(_TRIES):
            yield random.choice(pool)


@lru_cache(maxsize=8)
def fronts(kind: str) -> tuple[str, ...]:
    """What made-up names of a kind begin with."""
    return tuple(name for name, of in lines("zh", "fronts") if of == kind)


def _works(text: str, random: Random) -> Iterator[str]:
    inner = text.strip("《》")
    if ending_of(inner):
        yield from (f"《{name}》" if text.startswith("《") else name for name in alike(inner, random))
    pool = _titles()
    near = [title for title in pool if abs(len(title) - len(inner)) <= 2] or list(pool)
    for _ in range(_TRIES):
        title = random.choice(near)
        yield f"《{title}》" if text.startswith("《") else title


def _latin(text: str, detail: str, random: Random) -> Iterator[str]:
    pool = [name for name, kind in lines("zh", "latin") if kind == detail]
    for _ in range(_TRIES):
        name = random.choice(pool)
        yield name.upper() if text.isupper() and detail == "thing" else name


def _moved_times(text: str, random: Random) -> Iterator[str]:
    for time in times(text)[:1]:
        for _ in range(_TRIES):
            yield text[: time.start] + shifted(time, random) + text[time.end :]


def _moved_numbers(text: str, random: Random) -> Iterator[str]:
    found = numbers(text) or numbers(text + "个")
    for number in found[:1]:
        for _ in range(_TRIES):
            yield text[: number.start] + another(number, random) + text[number.end :]


def with_other_names(text: str, random: Random) -> str:
    """A clause with its names, numbers and times changed, so that it tells of something else."""
    at = 0
    pieces: list[str] = []
    for entity in entities(text):
        new = next((name for name in others(entity, random) if name != entity.text), entity.text)
        pieces += [text[at : entity.start], new]
        at = entity.end
    return "".join(pieces) + text[at:]


@lru_cache(maxsize=1)
def _foreign() -> tuple[tuple[str, ...], tuple[str, ...]]:
    entries = lines("zh", "foreign")
    return tuple(n for n, part in entries if part == "first"), tuple(n for n, part in entries if part == "last")


@lru_cache(maxsize=8)
def _common_surnames(count: int) -> tuple[str, ...]:
    return column("zh", "surnames")[:count]


@lru_cache(maxsize=2)
def _given(size: int) -> tuple[str, ...]:
    return tuple(name for name in column("zh", "given") if len(name) == size)


@lru_cache(maxsize=1)
def _places_by_detail() -> dict[str, tuple[tuple[str, str], ...]]:
    known: dict[str, list[tuple[str, str]]] = {}
    for name, detail, region in lines("zh", "places"):
        known.setdefault(detail, []).append((name, region))
    return {detail: tuple(found) for detail, found in known.items()}


@lru_cache(maxsize=1)
def _regions() -> dict[str, str]:
    return {name: region for name, _detail, region in lines("zh", "places")}


@lru_cache(maxsize=1)
def _titles() -> tuple[str, ...]:
    return column("zh", "works")


@lru_cache(maxsize=1)
def _by_ending() -> dict[str, tuple[str, ...]]:
    """The listed names under every known ending they have."""
    known = endings()
    found: dict[str, list[str]] = {}
    for listed in _LISTS:
        for name in column("zh", listed):
            for length in range(1, min(6, len(name))):
                if name[-length:] in known:
                    found.setdefault(name[-length:], []).append(name)
    return {ending: tuple(names) for ending, names in found.items()}


def respelt(text: str, random: Random) -> Iterator[str]:
    """Made-up names that differ from one of no known kind in a character or its number: 撒克里球 → 撒克利球.

    Only characters that mean nothing are changed: those of a spelt name, or of a place before its 谷, 岭 or 村.
    """
    counted = re.search("[0-9]+", text)
    if counted:
        for _ in range(_TRIES):
            number = max(1, int(counted[0]) + random.choice((-7, -4, -3, -2, 2, 3, 5, 6, 8)))
            yield f"{text[: counted.start()]}{number}{text[counted.end() :]}"
        return
    ordinal = re.search("第([一二三四五六七八九])(?![十百])", text)
    if ordinal:
        others = [sign for sign in "二三四五六七八九" if sign != ordinal[1]]
        for sign in random.sample(others, 4):
            yield f"{text[: ordinal.start(1)]}{sign}{text[ordinal.end(1) :]}"
        return
    if not re.fullmatch("[\u4e00-\u9fff·]{2,12}", text):
        return
    places = [at for at in _meaningless(text) if text[at] not in "·第一二三四五六七八九十大小新老东南西北上下中海"]
    letters = _letters(is_spelt(text[: max(len(text) - 1, 2)]))
    for at in random.sample(places, len(places)):
        for new in random.sample(letters, _TRIES):
            if new not in text:
                yield text[:at] + new + text[at + 1 :]


def _meaningless(text: str) -> list[int]:
    """The places of a name that could hold another character, and the thing be of the same kind."""
    parts = words(text)
    nouns = column("zh", "nouns")
    size = len(text) if _is_spelling(parts[-1]) else len(text) - (len(_tail(text)) if len(text) > 2 else 1)
    known = [word for word in parts if len(word.text) > 1 and (word.text in nouns or word.text in common_nouns())]
    plain = not any(word.tag[0] in "pcdur" or word.tag[:2] == "nt" for word in parts)
    if not known and plain and text not in nouns and text not in _regions():
        return list(range(size))
    return [at for word in parts if _is_spelling(word) for at in range(word.start, min(word.end, size))]


def _is_spelling(word: Word) -> bool:
    """Whether a word is nothing but a name, whose characters mean nothing."""
    if word.tag in ("nr", "nrt", "nrfg"):
        return word.text not in column("zh", "nouns")
    return word.tag in ("ns", "nz") and word.text not in _regions() and is_spelt(word.text)


@lru_cache(maxsize=2)
def _letters(spelt: bool) -> tuple[str, ...]:
    """The commonest characters of foreign names, or of Chinese given names."""
    names = [name for part in _foreign() for name in part] if spelt else column("zh", "given")
    found = Counter(sign for name in names for sign in name if "\u4e00" <= sign <= "\u9fff")
    return tuple(sign for sign, _ in found.most_common(60))


def same_heads(noun: str) -> tuple[str, ...]:
    """Common nouns of the same length and last character."""
    return tuple(one for one in _by_head().get((len(noun), noun[-1]), ()) if one != noun)


@lru_cache(maxsize=1)
def _by_head() -> dict[tuple[int, str], list[str]]:
    found: dict[tuple[int, str], list[str]] = {}
    for noun in column("zh", "nouns"):
        found.setdefault((len(noun), noun[-1]), []).append(noun)
    return found


def is_surname(text: str) -> bool:
    """Whether a text begins as a Chinese name does."""
    return bool(re.match("[\u4e00-\u9fff]", text)) and (text[:1] in surnames() or text[:2] in surnames())
