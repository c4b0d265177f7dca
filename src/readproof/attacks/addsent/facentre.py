"""Which words of a Persian question say what it is about: altering any other leaves the same event meant."""

from __future__ import annotations

import re

from readproof.lang.fa.entities import Entity, entities
from readproof.lang.fa.words import words

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
