"""What kind of thing a span names, so that the right question word takes its place: by digits and by lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from readproof.lang.fa.fakes import PLACES

OTHER = "other"
_PERSON = ("fa_given", "fa_surname", "en_given", "en_surname", "lone_fa", "lone_en", "modern_fa", "king", "king_en")
_GROUP = ("company", "bank", "organisation", "university", "team", "party", "newspaper")
_DATE = ("months_jalali", "months_gregorian", "months_lunar", "weekday", "season")
_KINDS = {"person": _PERSON, "place": PLACES, "group": _GROUP, "date": _DATE}


def kinds_of(language: str, tokenizer: Tokenizer) -> Mapping[str, str]:
    """Words of the lists of a language, as the tokenizer spells them, with their kind; empty where there are none."""
    if language != "fa":
        return {}
    from readproof.lang.fa.entities import classes

    found: dict[str, str] = {}
    for kind, names in _KINDS.items():
        for name in names:
            for word in classes().get(name, ()):
                found.setdefault(spelt(word, tokenizer), kind)
    return found


def barred_rows(language: str, rows: Sequence[str]) -> NDArray[np.bool_]:
    """Which pieces are words that no answer begins or ends with: verbs and function words, as far as lists tell."""
    if language != "fa":
        return np.zeros(len(rows), dtype=bool)
    from readproof.lang.fa.words import tag_of

    return np.asarray([not token.startswith(("##", "[")) and tag_of(token) in ("v", "f") for token in rows])


def spelt(text: str, tokenizer: Tokenizer) -> str:
    normalizer = tokenizer.normalizer
    return " ".join((normalizer.normalize_str(text) if normalizer else text).split())


@lru_cache(maxsize=1 << 16)
def _number(text: str) -> str:
    words = text.split()
    if len(words) == 1 and words[0].isdecimal():
        return "year" if len(text) == 4 and text[:2] in ("12", "13", "14", "18", "19", "20") else "number"
    return "number" if words and words[0].isdecimal() else ""


def kind_of(text: str, kinds: Mapping[str, str]) -> str:
    """The kind of a span as the tokenizer spells it; a name by its whole, its last or its first word."""
    found = _number(text)
    if found:
        dated = any(kinds.get(word) == "date" for word in text.split())
        return "date" if dated else found
    words = text.split()
    return next((kinds[one] for one in (text, words[-1], words[0]) if one in kinds), OTHER) if words else OTHER
