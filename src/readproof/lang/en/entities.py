"""Names, numbers and words with siblings in English text: by capitals and by small lists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from readproof.lang.api import column, lines, wordset
from readproof.lang.en.words import FUNCTION, words

# these words say what a name is of; they stay when the name is changed
_GENERIC = wordset("en", "generic")
_MONTHS = ("month", "weekday")
# everyday in the passages that the common words are of, yet names
_NAMELIKE = wordset("en", "namelike")
_LINKS = frozenset(("al", "arap", "de", "del", "della", "du", "la", "le", "van", "von"))
_ADJECTIVE = re.compile("(?:an|al|ic|ese|ish|ist)$")


@dataclass(frozen=True, slots=True)
class Entity:
    """text[start:end] and the kind of list it is in; "name" where no list has it."""

    start: int
    end: int
    text: str
    kind: str


@lru_cache(maxsize=1)
def classes() -> dict[str, tuple[str, ...]]:
    """The words of every kind but kin."""
    return {entry[0]: entry[1:] for entry in lines("en", "classes") if entry[0] != "kin"}


@lru_cache(maxsize=1)
def kin() -> dict[str, tuple[str, ...]]:
    """The words that may stand for a word, the word itself not among them."""
    found: dict[str, list[str]] = {}
    for entry in lines("en", "classes"):
        if entry[0] == "kin":
            for word in entry[1:]:
                found.setdefault(word, []).extend(one for one in entry[1:] if one != word)
    return {word: tuple(others) for word, others in found.items()}


@lru_cache(maxsize=1)
def _index() -> dict[str, str]:
    found: dict[str, str] = {}
    for kind, members in classes().items():
        for word in members:
            found.setdefault(word, kind)
    return found


@lru_cache(maxsize=1 << 12)
def entities(text: str) -> tuple[Entity, ...]:
    """Names and numbers, in order."""
    tokens = words(text)
    found: list[Entity] = []
    at = 0
    while at < len(tokens):
        listed = _listed(text, at)
        if listed is not None:
            found.append(listed[0])
            at += listed[1]
            continue
        one = tokens[at]
        if one.tag == "m" and re.fullmatch("[$£€]?\\d[\\d,]*(?:\\.\\d+)?%?", one.text):
            found.append(Entity(one.start, one.end, one.text, "number"))
        elif one.tag == "e" and len(one.text) > 1 and not _is_common(one.text) and (at or _is_name(text, at)):
            size = 1
            while at + size < len(tokens) and tokens[at + size].tag == "e" and _joins(text, at + size):
                size += 1
            end = tokens[at + size - 1].end
            piece = text[one.start : end]
            possessive = re.search("['’]s$", piece)
            if possessive:
                end -= 2
            kind = "person" if _is_person(text, at, size) else "name"
            if size == 1 and re.fullmatch("(?![XVIL]+$)[A-Z&]{2,5}", text[one.start : end]):
                kind = "acronym"
            if size == 1 and _role(text[one.start : end], "given"):
                kind = "given"
            kind = "surname" if size == 1 and _role(piece.removesuffix("'s"), "surname") else kind
            if re.fullmatch("[A-Z]{2,}s|ATP|DNA|RNA|AC|DC|.*\\..*", text[one.start : end]):
                kind = ""
            if kind == "name":
                kind = _sort(text, at, size)
            if kind and not (kind in ("name", "surname", "given", "nationality") and _is_half(text, at, size)):
                found.append(Entity(one.start, end, text[one.start : end], kind))
            at += size
            continue
        at += 1
    return tuple(found)


def _sort(text: str, at: int, size: int) -> str:
    """Whether an unknown name is an adjective or a people; "" where it cannot be told from half a title."""
    tokens = words(text)
    last = tokens[at + size - 1].text
    following = tokens[at + size] if at + size < len(tokens) else None
    before = tokens[at - 1].text.lower() if at else ""
    if (
        _ADJECTIVE.search(last)
        and following is not None
        and size < 3
        and (following.tag in ("n", "a") or following.text in _GENERIC)
    ):
        return "nationality"
    if re.search("[a-z]{3}(?<![sui])s$", last) and size == 1 and before == "the":
        return "peoples" if following is None or following.tag != "e" else ""
    return "name"


def _is_half(text: str, at: int, size: int) -> bool:
    """Whether a capital stands right before or after that is no noun that says what the name is of."""
    tokens = words(text)
    sides = [tokens[one] for one in (at - 1, at + size) if 0 <= one < len(tokens)]
    if at == 1:
        sides = sides[1:]
    if at + size < len(tokens) and re.search("['’]s$", tokens[at + size - 1].text):
        sides = [one for one in sides if one.start < tokens[at].start]
    return any(one.text in _LINKS or (one.tag == "e" and one.text not in _GENERIC) for one in sides)


def _is_person(text: str, at: int, size: int) -> bool:
    """A given name before another name; or two or three names without an article or a noun that says what they name."""
    tokens = words(text)
    if size > 1 and _role(tokens[at].text, "given"):
        return True
    if _ADJECTIVE.search(tokens[at].text):
        return False
    before = tokens[at - 1].text.lower() if at else ""
    following = tokens[at + size].text if at + size < len(tokens) else ""
    return (
        size in (2, 3)
        and before not in ("the", "of")
        and following not in _GENERIC
        and at > 0
        and not _is_half(text, at, size)
    )


def _is_name(text: str, at: int) -> bool:
    """At the start of a sentence a capital says nothing, unless a list knows the word or it has another capital."""
    word = words(text)[at].text
    return word in _index() or word[1:] != word[1:].lower()


def _joins(text: str, at: int) -> bool:
    tokens = words(text)
    word = tokens[at].text
    return (
        not _is_common(word)
        and text[tokens[at - 1].end : tokens[at].start] in (" ", "-")
        and not re.search("['’]s$", tokens[at - 1].text)
        and (_index().get(word) in (None, "given", "surname", "name") or _role(tokens[at - 1].text, "given"))
    )


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    return frozenset((*column("en", "common"), *column("en", "regular"), *kin()))


def _is_common(word: str) -> bool:
    """A capital on an everyday word, as in a title: changing it alone would leave half a name."""
    word = re.sub("['’]s$", "", word)
    low = word.lower()
    if low in _NAMELIKE:
        return False
    single = low.removesuffix("s")
    return (
        word in _GENERIC
        or "-" in word
        or (word not in _index() and (word in kin() or low in _everyday() or single in _everyday()))
    )


def _role(word: str, kind: str) -> bool:
    return word in classes()[kind]


def _listed(text: str, at: int) -> tuple[Entity, int] | None:
    tokens = words(text)
    for size in (3, 2, 1):
        if at + size > len(tokens):
            continue
        start, end = tokens[at].start, tokens[at + size - 1].end
        piece = re.sub("['’]s$", "", text[start:end])
        kind = _index().get(piece)
        if kind in (None, "given", "surname", "name", "organisation"):
            continue
        if kind == "contest" and re.match(" (?:\\d|[XVI]+\\b)", text[end:]):
            continue
        if kind == "dynasty" and text[end : end + 8].lower() != " dynasty":
            continue
        if kind == "month" and piece == "May" and not re.search("\\d", text[end : end + 4]):
            continue
        before = tokens[at - 1].text if at else ""
        following = tokens[at + size].text if at + size < len(tokens) else ""
        if kind == "river" and following in ("rainforest", "forest", "jungle", "Rainforest"):
            continue
        if kind == "ordinal" and not (before.lower() in ("the", "a", "his", "her", "its", "their") or "'" in before):
            continue
        if kind == "nationality" and before in ("North", "South", "Central", "Latin", "Middle"):
            continue
        if kind == "nationality" and at > 1 and tokens[at - 1].tag == "e" and before not in _GENERIC:
            continue
        # part of a longer name that is not known
        if (
            size == 1
            and kind not in (*_MONTHS, "nationality", "numberword", "ordinal", "century", "peoples", "dynasty")
            and kind
            not in ("city", "country", "state", "continent", "river", "university", "company", "team", "broadcaster")
            and _is_part(before, following)
        ):
            continue
        if kind == "numberword" and before.lower() in ("and", "of"):
            continue
        return Entity(start, start + len(piece), piece, str(kind)), size
    return None


def _is_part(before: str, following: str) -> bool:
    return any(one[:1].isupper() and one not in _GENERIC and one.lower() not in FUNCTION for one in (before, following))


# Numbers and dates in English text: others in the same shape.


_NUMBER = re.compile("\\d[\\d,]*(?:\\.\\d+)?")
_LISTED = ("month", "weekday", "numberword", "ordinal")


def other_number(text: str, random: Random) -> str:
    """Another number, written like this one."""
    found = _NUMBER.search(text)
    if not found:
        return text
    whole, _, part = found[0].partition(".")
    new = _near(whole.replace(",", ""), random)
    if "," in whole:
        new = f"{int(new):,}"
    if part:
        new = f"{new}.{''.join(random.choice('123456789') for _ in part)}"
    return text[: found.start()] + new + text[found.end() :]


def _near(digits: str, random: Random) -> str:
    value = int(digits or "0")
    if len(digits) == 4 and 1000 <= value <= 2030:
        return str(random.choice([value + step for step in (*range(-38, -2), *range(3, 39)) if value + step <= 2019]))
    if value <= 31:
        return str(
            random.choice([one for one in range(max(2, value // 2), min(29, 2 * value + 5) + 1) if one != value])
        )
    zeros = len(digits) - len(digits.rstrip("0"))
    head = int(digits[: len(digits) - zeros])
    low, high = max(1, head // 2), 2 * head + 3
    if value < 100 and not zeros:
        low, high = head * 3 // 4, head * 5 // 4
    return (
        str(
            random.choice(
                [one for one in (low, high, *(random.randint(low, high) for _ in range(6))) if one != head] or [high]
            )
        )
        + "0" * zeros
    )


def is_counted(text: str) -> bool:
    """Whether a text has a number, a month or a weekday in it."""
    return bool(_NUMBER.search(text)) or any(_word(one).search(text) for name in _LISTED for one in classes()[name])


def _word(word: str) -> re.Pattern[str]:
    return re.compile(f"\\b{word}\\b")


def mutated(text: str, random: Random) -> str:
    """The text with every number, month, weekday and ordinal in it changed."""

    def other(found: re.Match[str]) -> str:
        if ":" in found[0]:
            return f"{random.randint(1, 12)}:{random.choice(('00', '15', '30', '45'))}"
        if found[0][0].isdigit():
            if text[found.end() : found.end() + 1] == "s":
                return other_number(found[0], random)[:-1] + "0"
            return other_number(found[0], random)
        if re.search("\\bper $", text[: found.start()]):
            return found[0]
        name = next(name for name in _LISTED if found[0] in classes()[name])
        return random.choice([one for one in classes()[name] if one != found[0]])

    listed = "|".join(one for name in _LISTED for one in classes()[name])
    return re.sub(f"\\d{{1,2}}:\\d\\d|\\d[\\d,]*(?:\\.\\d+)?|\\b(?:{listed})\\b", other, text)


def year(like: str, random: Random) -> str:
    """A year near the one in a text."""
    found = re.search("\\b(1\\d{3}|20[0-3]\\d)\\b", like)
    return other_number(found[0], random) if found else str(random.randint(1820, 1995))


def count(like: str, random: Random) -> str:
    """A number of about the size of the one in a text, with the words of size that follow it."""
    found = re.search("[$£€]?\\d[\\d,]*(?:\\.\\d+)?%?(?: (?:million|billion|thousand|percent))?", like)
    if found:
        return other_number(found[0], random)
    word = next((one for one in classes()["numberword"] if _word(one).search(like.lower())), "")
    return random.choice([one for one in classes()["numberword"] if one != word])
