"""The words of a Persian question that can be altered, each with its stream of replacements, the best target first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from readproof.attacks.addsent.rules import Alteration, Fixed, Slots, free, refillable, refilled
from readproof.items import Edit
from readproof.lang.api import wordset
from readproof.lang.fa.entities import AREAS, Entity, classes, entities, origin_of, person
from readproof.lang.fa.joints import is_broken
from readproof.lang.fa.numbers import other_number, written
from readproof.lang.fa.questions import pools
from readproof.lang.fa.words import ending, in_lexicon, key, tag_of, words

# Names that a Persian question joins: of «تورنتو و اتاوا» all change or none, or what is left still speaks of one.


_WORD = "[\\w\u200c\u064b-\u0655\u0670]+"
# between two names of a list; the noun before a name may stand there again: «شهر تورنتو و شهر اتاوا»
_BETWEEN = re.compile(f"\\s*(?:،\\s*(?:و|یا)?|و|یا)\\s+(?:{_WORD}\\s+)?")
_AFTER = re.compile(f"\\s*(?P<link>،|و(?!\\w)|یا(?!\\w)|[-–])\\s*(?P<word>{_WORD})")
_BEFORE = re.compile(f"(?P<word>{_WORD})\\s*(?P<link>،|(?<!\\w)و|(?<!\\w)یا)\\s+(?:{_WORD}\\s+)?$")
_DIRECTLY = re.compile(f"(?P<word>{_WORD})\\s*(?P<link>،\\s|(?<!\\w)و\\s|(?<!\\w)یا\\s|[-–])\\s*$")
_AREAS = "شهر|شهرستان|شهرک|روستا|بخش|استان|کشور|ایالت|بندر|جزیره|منطقه|محله"
# «شهرهای لالی و اندیکا»: the list ends at the next little word or verb
_LISTED = re.compile(f"(?<!\\w)(?:{_AREAS})[\u200c ]?های\\s+(?={_WORD}(?:\\s+{_WORD})?(?:\\s*،|\\s+و\\s))")
_ENDS = ("در", "از", "به", "با", "را", "که", "بر", "تا", "جزو", "جزء")
# of these kinds a place may lie in another
_JOINED_PLACES = (*AREAS, "island", "village")
_COUNTED = ("number", "numberword", "ordinal", "ordinalmost", "magnitude")
# «اسکندر و سپاهش»: what is his goes with him
_HIS = re.compile("\u200c?(?:ش|شان|اش|یش|هایش|هایشان)$")


def group_of(question: str, one: Entity, all_of_it: Sequence[Entity]) -> tuple[Entity, ...]:
    """The names that must change together, in order; none where one of them cannot be told."""
    if _stays_in_a_list(question, one):
        return ()
    group = [one]
    for other in (found for found in all_of_it if found.start >= one.end):
        if not _meets(question, group[-1], other):
            break
        group.append(other)
    for other in reversed([found for found in all_of_it if found.end <= one.start]):
        if not _meets(question, other, group[0]):
            break
        group.insert(0, other)
    if any(_of(member) != _of(one) for member in group) or (len(group) > 1 and one.kind in _COUNTED):
        return ()
    listed = _list_at(question, one)
    if _is_joined(_BEFORE if listed else _DIRECTLY, question[: group[0].start], listed):
        return ()
    last = _AFTER.match(question[group[-1].end :])
    return () if last and _is_other(last, listed) else tuple(group)


def leaves_a_list(one: Entity, groups: Mapping[Entity, Sequence[Entity]]) -> bool:
    """Whether a place changes while several others that are joined stay: they lie in it, and so they still do."""
    joined = (other for other, group in groups.items() if other.kind in _JOINED_PLACES and tuple(group) != (other,))
    return one.kind in _JOINED_PLACES and any(other not in groups[one] for other in joined)


def _of(one: Entity) -> str:
    """Places of any kind may be listed together, and people however they are called."""
    if one.kind in _JOINED_PLACES:
        return "place"
    return "person" if one.kind in ("person", "given", "strange", "king", "king_en") else one.kind


def _meets(question: str, first: Entity, second: Entity) -> bool:
    between = question[first.end : second.start]
    found = _BETWEEN.fullmatch(between)
    if not found:
        return False
    # a comma alone may also set off what tells more
    return "،" not in between or _of(first) == _of(second)


def _is_joined(pattern: re.Pattern[str], before: str, listed: bool) -> bool:
    found = pattern.search(before)
    return found is not None and _is_other(found, listed)


def _is_other(found: re.Match[str], listed: bool) -> bool:
    """Whether a word that «و» links to a name names another thing, and does not begin or end a clause."""
    if found["link"].startswith("،") and not listed:
        return False
    word = key(found["word"])
    if tag_of(word) in ("f", "v") or word in _ENDS:
        return False
    return not (_HIS.search(word) and in_lexicon(_HIS.sub("", word)))


def _lists(question: str) -> list[tuple[int, int]]:
    """Where lists of places stand: «شهرهای الف، ب و ج»."""
    found = []
    for one in _LISTED.finditer(question):
        end = len(question)
        for word in re.finditer(_WORD, question[one.end() :]):
            if key(word[0]) in _ENDS or tag_of(word[0]) == "v":
                end = one.end() + word.start()
                break
        found.append((one.end(), end))
    return found


def _list_at(question: str, one: Entity) -> bool:
    return any(start <= one.start < end for start, end in _lists(question))


def _stays_in_a_list(question: str, one: Entity) -> bool:
    """Whether a place changes while a list of those that lie in it stays."""
    lists = _lists(question)
    return bool(lists) and one.kind in _JOINED_PLACES and not _list_at(question, one)


# Which words of a Persian question say what it is about: altering any other leaves the same event meant.

_EARLY = 4
_SHORT = 8
_LONG = 12
_VERY_LONG = 16
_LANDS = ("country", "city", "irancity", "province", "state")
_NEVER = ("weekday", "months_jalali", "months_gregorian", "months_lunar")
_UNIQUE = re.compile('ترین|اولین|آخرین|نخستین|[«»"“”]')
_DIRECTION = re.compile("(?<!\\w)(?:شمال|جنوب|شرق|غرب)")
# who says a thing, pays for it or helps with it
_BY_THE_WAY = re.compile(
    "(?<!\\w)(?:(?:گزارش|گفته|گفتهٔ|نوشته|نوشتهٔ|نقل|نظر|حمایت|کمک|پشتیبانی|همراهی|مانند|همچون|مثل|نظیر|جز|به‌جز)"
    "(?: \\S+){0,2}|علاوه بر|به غیر از)\\s*$"
)
_LINKED = re.compile("(?:^|\\s)(?:از|با|توسط|و|یا|جانب|همراه|سوی|روی)\\s*$")
_DAY = re.compile("(?:ماه|روز|هفته|هفتهٔ|نیمه|نیمهٔ|ساعت)\\s*$")
_YEAR = re.compile("(?:سال|سال‌های|دهه|دههٔ|قرن|سده|سدهٔ|محصول|شماره|شمارهٔ|آپولو)\\s*$")
# «جندی شاپور» is one name, and «پسرش خسرو» has his father's
_OF_A_NAME = re.compile("(?<!\\w)(?:جندی|(?:پسر|دختر|پدر|مادر|برادر|خواهر|همسر|فرزند)ش)\\s*$")
_OF_AGE = re.compile("\\s*(?:بزرگ|کوچک|ناتنی|ارشد)")


def is_aside(question: str, one: Entity) -> bool:
    """Whether a word stands in parentheses, or only says on which day something was."""
    before = question[: one.start]
    if before.count("(") > before.count(")") or before.count("[") > before.count("]"):
        return True
    if one.kind in _NEVER:
        return True
    # between two commas, before any verb: what stands there only tells more
    parts = before.split("،")
    opened = len(parts) > 1 and "،" in question[one.end :]
    return opened and all(word.tag != "v" and word.text not in ("در", "پس") for word in words(parts[0]))


def is_edge(question: str, one: Entity) -> bool:
    """Whether a name is by the way: the sentence would mean the same event without it."""
    before = question[: one.start]
    if one.kind == "direction" and len(_DIRECTION.findall(question)) > len(_DIRECTION.findall(one.text)):
        return True
    if one.kind == "planet" and re.search("(?:ماه|قمر)[\u200c ]?های \\S+ $", before):
        return True
    if _OF_A_NAME.search(before) or _town_follows(question, one):
        return True
    if _BY_THE_WAY.search(before):
        return True
    early = len(words(before)) < _EARLY
    if one.kind in ("person", "given", "team") and re.search("(?:زبان|شهر)\\s*$", before):
        return True
    if one.kind in _LANDS and question[one.end :].startswith(" باستان"):
        return True
    if one.kind in _LANDS and not early and len(words(question)) >= _VERY_LONG:
        return True
    if one.kind in ("continent", "region") and not early:
        return True
    if one.kind in ("direction", "nationality") and not early and len(words(question)) >= _LONG:
        return True
    # half of a pair: the other half still holds
    if one.kind in ("religion", "denomination", "church_kind", "language") and question.startswith(" و ", one.end):
        return True
    return not early and len(words(question)) >= _LONG and bool(_LINKED.search(before))


def _town_follows(question: str, one: Entity) -> bool:
    """«آژاکس آمستردام»: half of a team's name."""
    near = (other for other in entities(question) if other.start == one.end + 1)
    return one.kind == "team" and any(other.kind in ("city", "irancity", "team") for other in near)


def is_subject(question: str, one: Entity) -> bool:
    """Whether a name opens the question, or belongs to the noun that does."""
    before = words(question[: one.start])
    return len(before) < _EARLY and all(word.tag != "v" for word in before)


def is_central(question: str, one: Entity) -> bool:
    """Whether a number or a plain word decides which thing is meant: it stands early in a short question."""
    after = question[one.end :]
    if one.kind == "kin_rank" and question[: one.start].endswith("وکیل "):
        return False
    following = words(after)
    if one.kind in ("kin_man", "kin_woman") and (_OF_AGE.match(after) or (following and following[0].tag != "x")):
        return False
    before = words(question[: one.start])
    if one.kind == "ordinalmost" and before and before[-1].tag != "f":
        return False
    if one.kind.startswith("kin_") or one.kind in ("magnitude", "season"):
        superlative = one.text.endswith("ترین")
        alone = superlative or not _UNIQUE.search(question)
        return alone and len(words(question[: one.start])) < _EARLY
    if one.kind == "number" and not _YEAR.search(question[: one.start]):
        return False
    if one.kind == "numberword" or _DAY.search(question[: one.start]):
        return False
    if _UNIQUE.search(question) and one.kind != "ordinalmost":
        return False
    early = len(words(question[: one.start])) < _EARLY and one.kind != "number"
    return early or len(words(question)) <= _SHORT


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
    if _joined(new) == _joined(entity.text) or any({new, entity.text} <= wordset("fa", same) for same in _SAME):
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
