"""Where in its passage an option is spoken of: the sentences that share most with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_SENTENCE = re.compile("[^。！？；!?;\n]+[。！？；!?;]?[”’」]?")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of the passage with those beside it, and the share of the option's letter pairs that stand there."""

    sentence: str
    around: str
    share: float


@lru_cache(maxsize=256)
def sentences(passage: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences of a passage, each with its pairs of letters."""
    return tuple((found[0].strip(), _pairs(found[0])) for found in _SENTENCE.finditer(passage) if found[0].strip())


@lru_cache(maxsize=1 << 12)
def evidence(option: str, passage: str) -> Evidence:
    """The sentence that shares most with the option."""
    wanted = _pairs(option)
    known = sentences(passage)
    if not wanted or not known:
        return Evidence("", "", 0.0)
    shares = [len(wanted & pairs) / len(wanted) for _, pairs in known]
    best = max(range(len(known)), key=lambda at: (shares[at], -at))
    around = "".join(sentence for sentence, _ in known[max(0, best - 1) : best + 2])
    return Evidence(known[best][0], around, shares[best])


def _pairs(text: str) -> frozenset[str]:
    letters = "".join(sign for sign in text if sign.isalnum())
    return frozenset(letters[at : at + 2] for at in range(len(letters) - 1))
