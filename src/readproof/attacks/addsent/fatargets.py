"""The words of a Persian question that can be altered, each with its stream of replacements, the best target first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from readproof.attacks.addsent.altering import Fixed, free, refillable, refilled
from readproof.attacks.addsent.facentre import is_aside, is_central, is_edge, is_subject
from readproof.attacks.addsent.fagroups import group_of, leaves_a_list
from readproof.attacks.addsent.rules import Alteration
from readproof.attacks.addsent.slots import Slots
from readproof.items import Edit
from readproof.lang.fa.answerkinds import pools
from readproof.lang.fa.entities import Entity, classes, entities
from readproof.lang.fa.joints import is_broken
from readproof.lang.fa.little import little
from readproof.lang.fa.numbers import other_number, written
from readproof.lang.fa.people import origin_of, person
from readproof.lang.fa.words import ending, key, words

_MOST = 8
_OPENING = 20
_LATER = ("number", "numberword", "ordinal", "ordinalmost", "magnitude")
_TIMES = ("months_jalali", "months_gregorian", "months_lunar", "weekday", "season")
_PLACES = ("country", "city", "irancity")
_PRONOUN = re.compile("(?<![\\w\u200c\u064b-\u0655])(?:او|وی)(?![\\w\u200c])")
_LATIN = (
    "Orion",
    "Delta",
    "Vertex",
    "Nova",
    "Apollo",
    "Zenith",
    "Atlas",
    "Polaris",
    "Titan",
    "Helix",
    "Aurora",
    "Quartz",
)
# a model's kinds of names, and the lists that hold such names
_KINDS = {
    "person": "person",
    "place": "city",
    "organisation": "organisation",
    "work": "book",
    "number": "number",
    "people": "people",
}

# words that may stand for each other in few places only, or want another answer
_UNSURE = frozenset(
    f"kin_{one}"
    for one in [
        "gender",
        "light",
        "matter",
        "trait",
        "cause",
        "wind",
        "brain",
        "count",
        "measure",
        "price",
        "rule",
        "young",
        "live",
        "theory",
        "cell",
        "size",
        "length",
        "device",
        "old",
        "economy",
        "building2",
        "sky3",
        "teach",
        "event",
        "birth",
        "force",
        "flora",
        "public",
        "creature",
        "main",
        "build",
        "school",
        "net",
        "water",
        "art",
        "games",
        "sickness",
        "important",
        "field",
        "fuel",
        "biggest",
    ]
)
# names of one thing
_SAME = ("same_country", "same_britain", "same_soviet", "same_arabia", "same_iran", "same_first", "same_firstmost")
_EMPIRE = re.compile("(?:امپراتوری|امپراطوری|شاهنشاهی|پادشاهی|پادشاه|امپراتور|شاه)\\s*$")
# how many of a list are small enough to be likely
_SMALL = {"ordinal": 9, "ordinalmost": 10, "numberword": 11}
_PLURAL = re.compile("\\s+[\\w\u200c]+(?:ان|ها|های|ین|ات)\\s")
# works that tell of what is not so
_WORKS = ("رمان", "فیلم", "سریال", "نمایشنامهٔ", "داستان کوتاه", "بازی رایانه‌ای")
_TITLES = (
    "شب بی‌پایان",
    "آخرین مسافر",
    "شهر خاموش",
    "جزیرهٔ فراموش‌شده",
    "آینهٔ شکسته",
    "زمستان دور",
    "راز کتابخانه",
    "پل چوبی",
    "سفر بی‌بازگشت",
    "باغ سنگی",
    "سایه‌های بلند",
    "قطار نیمه‌شب",
)


def targets(question: str, fixed: Fixed, slots: Slots, random: Random) -> list[list[Iterator[Alteration]]]:
    """Streams of alterations, one a word, in ranks: those of a later rank are for when the earlier ones are spent."""
    if is_broken(question):
        return []
    known = _entities(question, slots)
    found = [one for one in known if free(one.start, one.end, fixed) and not _asked_of(one, fixed)]
    found = [one for one in found if not is_aside(question, one)]
    names = [
        one
        for one in found
        if not one.kind.startswith("kin_") and one.kind not in (*_LATER, *_TIMES, "strange", "plant")
    ]
    names = [one for one in names if not is_edge(question, one)]
    taken = [*fixed, *((one.start, one.end) for one in names)]
    groups = {one: group_of(question, one, known) for one in found}
    # a group changes with the first of it, and where all of it may
    found = [one for one in found if groups[one][:1] == (one,) and set(groups[one]) <= groups.keys()]
    found = [one for one in found if not leaves_a_list(one, groups)]
    names = [one for one in names if one in found]
    strange = [one for one in found if one.kind == "strange"]
    kin = [one for one in found if one.kind.startswith("kin_") and one.kind not in _UNSURE]
    later = [one for one in found if one.kind in (*_LATER, *_TIMES) and not _in_range(question, one)]
    later = [one for one in later if one.kind != "ordinalmost" or not _PLURAL.match(question[one.end :])]
    proposed = [refilled(word, question, slots, random) for word in refillable(question, taken, slots, words)]
    subjects = [one for one in names if is_subject(question, one)]
    others = [one for one in names if one not in subjects]
    ranks = [[_together(groups[one], question, fixed, random) for one in subjects]]
    ranks.append([_together(groups[one], question, fixed, random) for one in others] + proposed)
    ranks.append([_together(groups[one], question, fixed, random) for one in strange])
    ranks.append(
        [_together(groups[one], question, fixed, random) for one in [*later, *kin] if is_central(question, one)]
    )
    ranks.append([_someone(question, fixed, random)])
    ranks.append([_told(question, random)])
    return ranks


def _asked_of(one: Entity, fixed: Fixed) -> bool:
    """A name whose noun is asked for is not of that noun's kind: «کدام آلبوم ریدیوهد»."""
    return (
        one.detail == "en" and one.kind not in ("person", "given") and any(last + 1 == one.start for _, last in fixed)
    )


def _in_range(question: str, number: Entity) -> bool:
    """One end of a stretch cannot move alone, nor part of a model's name."""
    around = question[max(0, number.start - 1) : number.start] + question[number.end : number.end + 1]
    near = question[max(0, number.start - 4) : number.start] + "|" + question[number.end : number.end + 4]
    return bool(re.search("[–—\\-/A-Za-z]", around) or re.search(" تا ", near))


def _entities(question: str, slots: Slots) -> Sequence[Entity]:
    if slots.entities is None:
        return entities(question)
    found = []
    for mark in slots.entities(question):
        text = question[mark.start : mark.end]
        known = next((one for one in entities(text) if one.end - one.start == len(text)), None)
        kind = known.kind if known else _KINDS.get(mark.type, "organisation")
        detail = known.detail if known else "en"
        found.append(Entity(mark.start, mark.end, text, kind, detail))
    return found


def _strategy(kind: str) -> str:
    if kind in _PLACES or kind in ("province", "state", "continent", "region", "sea", "river", "mountain", "island"):
        return "place"
    if kind in ("number", "numberword", "ordinal", "ordinalmost", "magnitude"):
        return "number"
    if kind in _TIMES:
        return "time"
    if kind in ("company", "bank", "organisation", "university", "team", "party", "newspaper"):
        return "organisation"
    if kind.startswith("kin_"):
        return "word"
    if kind == "given":
        return "person"
    return kind if kind in ("person", "people", "latin") else "name"


def _news(entity: Entity, question: str, random: Random) -> Iterator[str]:
    if entity.kind == "person":
        origin = entity.detail or origin_of(entity.text, question)
        whole = len(entity.text.split()) > 1
        for _ in range(_MOST):
            yield person(origin[-2:] if whole else origin, whole, random)
    elif entity.kind == "given":
        yield from random.sample(classes()[f"{entity.detail}_given"][:50], _MOST)
    elif entity.kind == "strange":
        origin = origin_of("", question)
        for _ in range(_MOST):
            yield person(origin, False, random)
    elif entity.kind == "number":
        for _ in range(_MOST):
            new = other_number(entity.text, random)
            decade = re.search("ده[هۀ][\u0654\u200cهای]*\\s*$", question[: entity.start])
            if decade and len(entity.text) == 2:
                new = written(10 * random.randint(2, 9), entity.text)
            yield f"{new[:-1]}{entity.text[-1]}" if decade else new
    elif entity.kind == "latin":
        yield from random.sample(_LATIN, 6)
    else:
        pool = [one for one in classes().get(entity.kind) or pools()[entity.kind] if _fits(one, entity)]
        random.shuffle(pool)
        if entity.kind in ("ordinal", "ordinalmost", "numberword"):
            pool = [one for one in pool if one in classes()[entity.kind][: _SMALL[entity.kind]]] or pool
        if entity.kind == "country" and _EMPIRE.search(question[: entity.start]):
            pool = [one for one in pool if one in pools()["empire"]]
        yield from pool[:_MOST]


def _joined(text: str) -> str:
    return key(text).replace("\u200c", "").replace(" ", "")


def _fits(new: str, entity: Entity) -> bool:
    """The ezafe that a word carries must be written as the old one was; another spelling is no other word."""
    if _joined(new) == _joined(entity.text) or any(new in same and entity.text in same for same in map(little, _SAME)):
        return False
    if entity.kind == "direction" and len(new.split()) != len(entity.text.split()):
        return False
    if not entity.kind.startswith("kin_") and entity.kind not in (
        "numberword",
        "ordinal",
        "ordinalmost",
        "people",
        "religion",
    ):
        return key(new) != key(entity.text) and not (entity.text in new or new in entity.text)
    return key(new) != key(entity.text) and ending(new) == ending(entity.text)


def _others(entity: Entity, question: str, fixed: Fixed, random: Random) -> Iterator[Alteration]:
    """The word changed wherever it stands."""
    spots = [entity.start]
    if entity.kind not in _LATER:
        pattern = f"(?<![\\w\u200c]){re.escape(entity.text)}(?!\\w|\u200c(?!ها))"
        spots = [one.start() for one in re.finditer(pattern, question)] or spots
    if entity.kind == "direction" and len(spots) > 1:
        return
    if entity.kind in ("person", "given") and _called_again(entity, question):
        return
    spots = [at for at in spots if free(at, at + len(entity.text), fixed)]
    kind = _strategy(entity.kind)
    for new in _news(entity, question, random):
        shared = (
            entity.kind not in ("person", "given") and not entity.kind.startswith("kin_") and _shares(new, question)
        )
        if spots and new != entity.text and not shared:
            yield Alteration(tuple(Edit(at, entity.text, new, kind) for at in spots), kind)


def _together(group: Sequence[Entity], question: str, fixed: Fixed, random: Random) -> Iterator[Alteration]:
    """All names of a list changed, each into another."""
    if len(group) == 1:
        yield from _others(group[0], question, fixed, random)
        return
    streams = [_others(one, question, fixed, random) for one in group]
    for several in zip(*streams, strict=False):
        edits = tuple(edit for one in several for edit in one.edits)
        if len({edit.new for edit in edits}) == len(group):
            yield Alteration(edits, several[0].kind)


def _shares(new: str, question: str) -> bool:
    """Whether a word of a longer name stands in the question already: «سازمان بهداشت سازمان جهانی بهداشت»."""
    parts = new.split()
    return len(parts) > 1 and any(re.search(f"(?<!\\w){re.escape(part)}(?!\\w)", question) for part in parts)


def _called_again(entity: Entity, question: str) -> bool:
    """Whether part of a name stands elsewhere too: the same one would then have two names."""
    rest = question.replace(entity.text, "")
    return any(len(part) > 2 and re.search(f"(?<!\\w){re.escape(part)}(?!\\w)", rest) for part in entity.text.split())


def _someone(question: str, fixed: Fixed, random: Random) -> Iterator[Alteration]:
    """A pronoun becomes a name."""
    found = _PRONOUN.search(question)
    # further on it stands for someone whom the question has named
    if found and found.start() <= _OPENING and free(found.start(), found.end(), fixed):
        for _ in range(4):
            new = person(origin_of("", question), True, random)
            yield Alteration((Edit(found.start(), found[0], new, "person"),), "person")


def _told(question: str, random: Random) -> Iterator[Alteration]:
    """What a made-up work tells is not what the passage is about: for a question without words to exchange."""
    if re.match("\\s*در (?:فیلم|رمان|سریال|کتاب|داستان|بازی|نمایشنامه)", question):
        return
    start = len(question) - len(question.lstrip(' \t\n".-–'))
    for _ in range(4):
        new = f"در {random.choice(_WORKS)} «{random.choice(_TITLES)}»، "
        yield Alteration((Edit(start, "", new, "other"),), "other")
