"""English verb forms: a table of the irregular ones, rules for the rest."""

from __future__ import annotations

import re
from functools import lru_cache

from readproof.lang.lists import column, lines


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
