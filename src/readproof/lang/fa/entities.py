"""The names and countable words of a Persian text, by lists and by the noun that stands before them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from readproof.lang.api import column, lines, wordset
from readproof.lang.fa.numbers import NUMBER
from readproof.lang.fa.words import WORD, in_lexicon, is_ranked, is_strange, key, tag_of

# names of these kinds are also plain words: they count only after the noun that says what they are
_HEADED = frozenset(
    [
        "film",
        "book",
        "album",
        "newspaper",
        "university",
        "medal",
        "organ",
        "school",
        "color",
        "style",
        "science",
        "material",
        "metal",
    ]
)
# places with people in them
AREAS = ("country", "city", "irancity", "province", "state", "continent", "region")
_PEOPLE = ("fa_given", "fa_surname", "en_given", "en_surname", "lone_fa", "lone_en", "modern_fa")
_LONGEST = 5
# clubs, firms and works are called after these
_NAMESAKES = ("animal", "plant", "color", "planet", "star", "element")
_NAMED = ("team", "company", "film", "album", "newspaper", "book", "school", "software")
_PLAYED = re.compile("تیم|بازی|لیگ|باشگاه|جدول|فینال|فوتبال|مربی|رئال")
# «جان باخت» is no name
_LOST = re.compile("(?:باخت|داد|سپرد|خود|سالم|انسان|مردم)")
_TONGUES = ("زبان", "گویش", "به", "خط", "ادبیات", "واژه", "لهجه", "زبان‌های", "الفبای")
# kinds whose noun stands before hardly anything but a name
_TRUSTED = [
    "company",
    "bank",
    "organisation",
    "university",
    "team",
    "newspaper",
    "film",
    "album",
    "city",
    "irancity",
    "village",
    "province",
    "state",
    "island",
    "river",
    "mountain",
    "disease",
    "language",
    "highschool",
    "hospital",
    "museum",
    "lake",
    "castle",
    "publisher",
    "agency",
    "festival",
    "tribe",
    "software",
]
# the house a king is of is part of his name
_HOUSES = wordset("fa", "houses")
# what links the parts of a name, and what may also end one
_LINKS = wordset("fa", "links")
_PARTICLES = _LINKS | frozenset(["خان", "میرزا", "شاه"])


@dataclass(frozen=True, slots=True)
class Entity:
    """text[start:end] names something; `kind` is the class of word lists it is in."""

    start: int
    end: int
    text: str
    kind: str
    detail: str = ""


@lru_cache(maxsize=1)
def classes() -> dict[str, tuple[str, ...]]:
    """The words of every kind."""
    return {entry[0]: entry[1:] for entry in lines("fa", "classes")}


@lru_cache(maxsize=1)
def heads() -> dict[str, str]:
    """The kind of what a noun is set before."""
    return {entry[0]: entry[1] for entry in lines("fa", "heads")}


@lru_cache(maxsize=1)
def _index() -> dict[str, tuple[str, ...]]:
    """The kinds of every listed word."""
    found: dict[str, list[str]] = {}
    for kind, words in classes().items():
        for word in words:
            found.setdefault(_spaced(word), []).append(kind)
    return {word: tuple(kinds) for word, kinds in found.items()}


@lru_cache(maxsize=1)
def _ambiguous() -> frozenset[str]:
    return frozenset(column("fa", "ambiguous"))


def _spaced(text: str) -> str:
    return " ".join(key(part) for part in text.replace("\u200c", " ").split())


@lru_cache(maxsize=1 << 12)
def entities(text: str) -> tuple[Entity, ...]:
    """Names, numbers and words with listed siblings, in order; the longest wins."""
    tokens = [(one.start(), one.end(), one[0]) for one in WORD.finditer(text)]
    found: list[Entity] = []
    at = 0
    while at < len(tokens):
        entity, used = _person(text, tokens, at)
        if entity is None:
            entity, used = _listed(text, tokens, at)
        if entity is None and NUMBER.match(tokens[at][2]):
            number = NUMBER.match(tokens[at][2])
            size = len(number[0]) if number else 0
            entity = Entity(tokens[at][0], tokens[at][0] + size, text[tokens[at][0] : tokens[at][0] + size], "number")
        if entity is None:
            entity, used = _after_head(text, tokens, at)
        if entity is not None:
            found.append(entity)
        at += max(used, 1)
    return tuple(found)


def _listed(text: str, tokens: list[tuple[int, int, str]], at: int) -> tuple[Entity | None, int]:
    for size in range(min(_LONGEST, len(tokens) - at), 0, -1):
        start, end = tokens[at][0], tokens[at + size - 1][1]
        phrase = _spaced(text[start:end])
        kinds = [kind for kind in _index().get(phrase, ()) if kind not in _PEOPLE]
        if not kinds:
            continue
        headed = heads().get(key(tokens[at - 1][2])) if at else None
        kind = headed if headed in kinds else next((one for one in kinds if one not in _HEADED), None)
        if kind is None or (size == 1 and phrase in _ambiguous() and headed != kind):
            continue
        if kind == "job" or (at and key(tokens[at - 1][2]) in ("می", "نمی")):
            continue
        after = key(tokens[at + size][2]) if at + size < len(tokens) else ""
        if kind.startswith("king") and after.endswith("ی") and after not in _HOUSES and not in_lexicon(after):
            continue
        if (kind == "country" and after == "بزرگ") or (kind == "company" and NUMBER.match(after)):
            continue
        if kind == "province" and after in ("شمالی", "جنوبی", "رضوی"):
            continue
        if kind == "island" and after in _HOUSES:
            continue
        if kind == "city" and "team" in kinds and _PLAYED.search(text):
            kind = "team"
        if headed == "company" and kind in ("river", "city", "irancity", "mountain", "province"):
            kind = "company"
        if kind in _NAMESAKES and headed in _NAMED:
            kind = headed
        elif kind == "animal" and _PLAYED.search(text):
            continue
        if kind == "irancity" and headed == "province":
            kind = "province"
        if kind == "company" and at + size < len(tokens) and _x_after(text, tokens, at + size):
            continue
        if "nationality" in kinds and kind == "language" and not _is_tongue(tokens, at):
            kind = "nationality"
        if phrase == "هند" and text[end : end + 8].startswith((" و اروپا", "‌و‌اروپا")):
            continue
        if kind == "nationality" and at and key(tokens[at - 1][2]) == "زبان":
            kind = "language"
        if kind == "country" and at and key(tokens[at - 1][2]) == "زبان":
            continue
        if kind in ("numberword", "ordinal", "ordinalmost") and _is_compound(tokens, at, size):
            continue
        if kind.startswith("king") and at + size < len(tokens) and key(tokens[at + size][2]) in _HOUSES:
            size += 1
            end = tokens[at + size - 1][1]
        return Entity(start, end, text[start:end], kind), size
    return None, 1


def _x_after(text: str, tokens: list[tuple[int, int, str]], at: int) -> bool:
    return tag_of(tokens[at][2]) == "x" and text[tokens[at - 1][1] : tokens[at][0]] == " "


def _is_tongue(tokens: list[tuple[int, int, str]], at: int) -> bool:
    return (at > 0 and key(tokens[at - 1][2]) in _TONGUES) or any("زبان" in token for _, _, token in tokens)


def _is_compound(tokens: list[tuple[int, int, str]], at: int, size: int) -> bool:
    """«بیست و سومین» cannot change by half."""
    return (at + size < len(tokens) and key(tokens[at + size][2]) == "و") or (at > 0 and key(tokens[at - 1][2]) == "و")


def _role(token: str) -> tuple[str, ...]:
    return tuple(kind for kind in _index().get(_spaced(token), ()) if kind in _PEOPLE)


def _person(text: str, tokens: list[tuple[int, int, str]], at: int) -> tuple[Entity | None, int]:
    """A given name with what follows of the name, or a name that one knows alone."""
    for size in (3, 2):
        if at + size <= len(tokens):
            start, end = tokens[at][0], tokens[at + size - 1][1]
            kinds = _index().get(_spaced(text[start:end]), ())
            alone = next((kind for kind in kinds if kind.startswith(("lone", "modern"))), None)
            if alone:
                if at + size < len(tokens) and key(tokens[at + size][2]) in _HOUSES:
                    size, end = size + 1, tokens[at + size][1]
                return Entity(start, end, text[start:end], "person", alone if alone.startswith("lone") else "fa"), size
    roles = _role(tokens[at][2])
    if key(tokens[at][2]) == "جان" and at + 1 < len(tokens) and _LOST.match(tokens[at + 1][2]):
        return None, 1
    if not roles:
        return None, 1
    size, given = 1, any(role.endswith(("given", "lone_fa", "lone_en")) for role in roles)
    while given and at + size < len(tokens) and text[tokens[at + size - 1][1] : tokens[at + size][0]] in (" ", ". "):
        following = tokens[at + size][2]
        if following.endswith("اً") or following in wordset("fa", "glued") or key(following) in wordset("fa", "spoken"):
            break
        if following.endswith("که") and tag_of(following) == "x" and not _role(following):
            return None, 1
        if "\u200c" in following.strip("\u200c") and key(following).endswith("ی") and not _role(following):
            break
        more = _role(following)
        if not more and key(following) not in _PARTICLES and tag_of(following) != "x":
            break
        size += 1
        if any(role.endswith("surname") for role in more):
            break
    if at + size < len(tokens) and key(tokens[at + size][2]) in _HOUSES and roles[0].endswith("_fa"):
        size += 1
    while size > 1 and key(tokens[at + size - 1][2]) in _LINKS:
        size -= 1
    if size == 1 and key(tokens[at][2]) in _ambiguous():
        return None, 1
    lone = size == 1 and any(role.startswith("lone") for role in roles)
    if lone and at + 1 < len(tokens) and tokens[at + 1][2].endswith("ی") and tag_of(tokens[at + 1][2]) == "x":
        return None, 1
    origin = "en" if any(role.startswith("en") or role.endswith("_en") for role in roles) else "fa"
    start, end = tokens[at][0], tokens[at + size - 1][1]
    if size == 1 and not lone and not any(role.endswith(("surname", "modern_fa")) for role in roles):
        return Entity(start, end, text[start:end], "given", origin), size
    return Entity(start, end, text[start:end], "person", f"lone_{origin}" if lone else origin), size


def _after_head(text: str, tokens: list[tuple[int, int, str]], at: int) -> tuple[Entity | None, int]:
    """Unknown words after a noun that says what they name: «شرکت …», «فیلم …»; and words in Latin letters."""
    if tag_of(tokens[at][2]) != "x" or _is_inflected(tokens[at][2]):
        return None, 1
    if at + 1 < len(tokens) and key(tokens[at + 1][2]) in ("ها", "های", "ای", "هایی"):
        return None, 1
    size = 1
    while size < 3 and at + size < len(tokens) and _goes_on(text, tokens, at + size):
        size += 1
    start, end = tokens[at][0], tokens[at + size - 1][1]
    if at and key(tokens[at - 1][2]) in ("ابن", "بن", "اخوان", "آل", "کمیته"):
        return None, 1
    if re.fullmatch("[A-Z][A-Za-z.\\- ]*", text[start:end]):
        return Entity(start, end, text[start:end], "latin"), size
    before = key(tokens[at - 1][2]) if at else ""
    if at + size < len(tokens) and key(tokens[at + size][2]) in _HOUSES:
        return None, 1
    if not is_strange(tokens[at][2]):
        return None, 1
    kind = heads().get(before)
    if before in wordset("fa", "titles") or before in wordset("fa", "relatives"):
        return Entity(start, end, text[start:end], "strange"), size
    if kind not in _TRUSTED:
        return None, 1
    if kind in ("film", "album") and at + size < len(tokens) and tag_of(tokens[at + size][2]) not in ("f", "v"):
        return None, 1
    # «سومین آلبوم …»: what follows is whose album it is
    if at > 1 and (key(tokens[at - 2][2]) in ("یک", "این", "آن", "هر") or is_ranked(tokens[at - 2][2])):
        return None, 1
    return Entity(start, end, text[start:end], kind, "en"), size


def _goes_on(text: str, tokens: list[tuple[int, int, str]], at: int) -> bool:
    joined = text[tokens[at - 1][1] : tokens[at][0]] == " "
    return joined and is_strange(tokens[at][2]) and not _role(tokens[at][2])


def _is_inflected(word: str) -> bool:
    return bool(re.search("(?:ها|های|هایی|ترین|تر|ش|شان|ند|ات)$", key(word))) or len(key(word)) < 3


# Names of people, Persian or foreign, and which of the two a text is about.


def person(origin: str, whole: bool, random: Random) -> str:
    """A name of a person, Persian or foreign; whole, or as one calls a known person."""
    if whole:
        return (
            f"{random.choice(classes()[f'{origin}_given'][:50])} {random.choice(classes()[f'{origin}_surname'][:66])}"
        )
    if origin.startswith("lone"):
        return random.choice(classes()[origin])
    return random.choice(classes()[f"{origin}_surname"][:66])


# words that no text about foreigners has
_PERSIAN = re.compile(
    "الدین|(?:^| )(?:ابو\\w|عبدال|محمد)|القلوب|متخلص"
    "|(?<!\\w)(?:ابن|بن|قاجار|قاجاریه|صفوی|صفویه|ساسانی|ساسانیان|هجری|قمری|خورشیدی|شمسی|امام|شیعه|خلیفه|میرزا"
    "|ایرانی|ایران|حضرت|شاه|عمر|علی|ابوبکر|عثمان|معاویه|مکه|مدینه|کوفه|عرب|اعراب|تهران|قرآن|اسلام|پیامبر|شیخ|عباسی|اموی|غزنوی|سلجوقی|خان|آیت‌الله|شاهنامه)(?!\\w)"
)


def origin_of(text: str, question: str = "") -> str:
    """Whether a name is Persian (fa) or foreign (en)."""
    if _PERSIAN.search(f"{text} {question}"):
        return "fa"
    for one in (*entities(text), *entities(question)):
        if one.kind in ("person", "given") and one.detail:
            return one.detail[-2:]
        if one.kind in ("irancity", "province") or one.text == "ایران":
            return "fa"
    return "en"
