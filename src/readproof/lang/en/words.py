"""English words: tokens, and as much of their part of speech as turning a question round needs."""

from __future__ import annotations

import re
from functools import lru_cache

from readproof.lang.api import Word, column, lines, wordset

# English verb forms: a table of the irregular ones, rules for the rest.


@lru_cache(maxsize=1)
def _irregular() -> dict[str, tuple[str, str]]:
    return {entry[0]: (entry[1], entry[2]) for entry in lines("en", "irregular")}


@lru_cache(maxsize=1)
def _bases() -> frozenset[str]:
    return frozenset((*_irregular(), *column("en", "regular"), *column("en", "rarer")))


@lru_cache(maxsize=1)
def _forms() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {"past": set(), "participle": set(), "third": set()}
    for base in sorted(_bases()):
        found["past"].add(past(base))
        found["participle"].add(participle(base))
        found["third"].add(third(base))
    return found


def past(base: str) -> str:
    """The simple past: go → went, stop → stopped, try → tried."""
    return _irregular()[base][0] if base in _irregular() else _ed(base)


def participle(base: str) -> str:
    """The past participle: go → gone."""
    return _irregular()[base][1] if base in _irregular() else _ed(base)


def third(base: str) -> str:
    """The third person: go → goes, try → tries, have → has."""
    if base in ("have", "be"):
        return "has" if base == "have" else "is"
    if re.search("(?:s|x|z|ch|sh|o)$", base):
        return f"{base}es"
    return f"{base[:-1]}ies" if re.search("[^aeiou]y$", base) else f"{base}s"


def _ed(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    if re.search("[^aeiou]y$", base):
        return f"{base[:-1]}ied"
    short = re.fullmatch("[^aeiou]*[aeiou][bdgklmnprt]", base)
    stressed = re.search("(?:mit|fer|cur|pel|trol|ban|plan|rebel|deter|kidnap)$", base) and base not in (
        "offer",
        "suffer",
        "differ",
        "limit",
    )
    return f"{base}{base[-1]}ed" if short or stressed else f"{base}ed"


def is_base(word: str) -> bool:
    """Whether a word can be the plain form of a verb."""
    return word in _bases()


def is_past(word: str) -> bool:
    """Whether a word can be a simple past."""
    return word in _forms()["past"] or (word.endswith("ed") and len(word) > 4)


def is_participle(word: str) -> bool:
    """Whether a word can be a past participle."""
    return word in _forms()["participle"] or (word.endswith("ed") and len(word) > 4)


def is_third(word: str) -> bool:
    """Whether a word can be a third person."""
    return word in _forms()["third"]


TOKEN = re.compile("[^\\W_][\\w.'’&%$-]*[\\w%]|[$£€]?\\d[\\w.,%]*|\\w|[^\\w\\s]")
DO = frozenset({"do", "does", "did"})
BE = frozenset({"is", "are", "was", "were", "am"})
HAVE = frozenset({"has", "have", "had"})
MODAL = frozenset({"can", "could", "will", "would", "should", "may", "might", "must", "shall"})
AUXILIARY = DO | BE | HAVE | MODAL
DETERMINERS = wordset("en", "determiners")
PREPOSITIONS = wordset("en", "prepositions")
WH = frozenset({"who", "whom", "whose", "what", "which", "where", "when", "why", "how"})
_OTHER = wordset("en", "other")
FUNCTION = DETERMINERS | PREPOSITIONS | AUXILIARY | WH | _OTHER


@lru_cache(maxsize=1 << 14)
def tag_of(word: str) -> str:
    """f (function word), m (number), e (name), v (verb form only), a (adjective by its ending), n (anything else)."""
    low = word.lower()
    if low in FUNCTION:
        return "f"
    if word[:1].isdigit() or (word[:1] in "$£€" and len(word) > 1):
        return "m"
    if word[:1].isupper():
        return "e"
    if not word[:1].isalpha():
        return "x"
    if is_past(low) or is_participle(low):
        return "v"
    if is_base(low) or is_third(low):
        return "nv"
    if re.search("(?:al|ous|ful|less|able|ible|ic|ive|ary|ical)$", low):
        return "a"
    return "n"


@lru_cache(maxsize=1 << 12)
def words(text: str) -> tuple[Word, ...]:
    """The words and signs of a text, in order."""
    return tuple(Word(one.start(), one.end(), one[0], tag_of(one[0])) for one in TOKEN.finditer(text))


# English adverbs, by a small list and by their ending: in a question they stand before the verb's own form.


ADVERBS = wordset("en", "adverbs")
# they end as adverbs do, and are nouns, verbs or adjectives
_OTHERWISE = wordset("en", "in ly")
# what an adjective has before it: "was X most active", "are X very rare"
_DEGREES = frozenset({"most", "more", "very", "least", "less", "too", "quite", "so", "longer", "yet", "all"})


def is_adverb(word: str) -> bool:
    """Whether a word in small letters can only be an adverb."""
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in _OTHERWISE)


def parted(subject: str) -> tuple[str, str]:
    """A subject and the adverbs at its end, which belong to the verb: "Asia fully" is Asia, and "fully"."""
    said = subject.split()
    at = len(said)
    while at > 1 and (is_adverb(said[at - 1]) or said[at - 1] in _DEGREES):
        at -= 1
    if at > 1 and said[at - 1] == "no" and said[at:] == ["longer"]:
        at -= 1
    return " ".join(said[:at]), " ".join(said[at:])
