"""Names that a Persian question joins: of «تورنتو و اتاوا» all change or none, or what is left still speaks of one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from readproof.lang.fa.entities import AREAS, Entity
from readproof.lang.fa.words import in_lexicon, key, tag_of

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
_PLACES = (*AREAS, "island", "village")
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
    joined = (other for other, group in groups.items() if other.kind in _PLACES and tuple(group) != (other,))
    return one.kind in _PLACES and any(other not in groups[one] for other in joined)


def _of(one: Entity) -> str:
    """Places of any kind may be listed together, and people however they are called."""
    if one.kind in _PLACES:
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
    return bool(lists) and one.kind in _PLACES and not _list_at(question, one)
