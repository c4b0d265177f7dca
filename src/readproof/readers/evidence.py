"""Where a statement is spoken of: a passage cut into segments to be rated, and the sentences that say most of it.

Segments overlap: each begins with the last sentences of the one before, so that no evidence is cut in two. Sentences
are weighed by the pairs of letters they share with the statement, rare pairs counting more; they are chosen one by one,
and what one of them has covered counts little for the next.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Run = tuple[int, int]

_SENTENCE = re.compile("[^。！？；!?;\n]*[。！？；!?;\n]*[”’」』）)]*")
_LETTERS = re.compile(r"\w")
_COVERED = 0.25
# a sentence longer than this is cut at commas, and where it has none, anywhere
_LONG = 160
_SOFT = re.compile("[，、,：:\\s]")


@dataclass(frozen=True, slots=True)
class EvidenceCandidate:
    """A piece of a text, with its pairs of letters."""

    start: int
    end: int
    pairs: frozenset[str]

    @property
    def size(self) -> int:
        return self.end - self.start


@lru_cache(maxsize=64)
def sentences(text: str) -> tuple[EvidenceCandidate, ...]:
    """The sentences of a text, without the space around them; none is longer than 160 characters."""
    found = []
    for match in _SENTENCE.finditer(text):
        for start, end in _pieces(text, match.start(), match.end()):
            piece = text[start:end]
            inner = piece.strip()
            if inner:
                at = start + piece.index(inner)
                found.append(EvidenceCandidate(at, at + len(inner), pairs(inner)))
    return tuple(found)


def pairs(text: str) -> frozenset[str]:
    """Every two letters that stand together, signs and spaces left out; a single letter stands for itself."""
    letters = "".join(_LETTERS.findall(text.lower()))
    return frozenset(letters[at : at + 2] for at in range(max(1, len(letters) - 1))) if letters else frozenset()


def relevance(statement: str, known: Sequence[EvidenceCandidate]) -> Floats:
    """The share of a statement's pairs that each sentence holds, rare ones counting more; at most 1."""
    return _Shares(statement, known).each()


def chosen(statement: str, known: Sequence[EvidenceCandidate], size: int, liking: Floats | None = None) -> list[int]:
    """The sentences that together say most of a statement within `size` characters, in the passage's order.

    `liking` is what another judge thinks of each sentence; it is added to what the pairs say.
    """
    shares = _Shares(statement, known)
    lengths = np.asarray([one.size for one in known], dtype=np.float64)
    taken: list[int] = []
    free = np.ones(len(known), dtype=np.bool_)
    room = float(size)
    bonus = np.zeros(len(known)) if liking is None else liking
    while True:
        fits = free & (lengths <= room)
        if not fits.any():
            break
        gain = shares.each() + bonus
        # what stands beside a chosen sentence explains it: it comes before what has nothing to do with the statement
        for number in taken:
            for beside, worth in ((number - 1, 0.05), (number + 1, 0.04)):
                if 0 <= beside < len(known):
                    gain[beside] += worth
        rate = np.where(fits, gain / np.sqrt(lengths + 40.0), -1.0)
        best = int(rate.argmax())
        taken.append(best)
        free[best] = False
        room -= lengths[best]
        shares.cover(best)
    if not taken and known:
        taken.append(int(shares.each().argmax()))
    return sorted(taken)


def segments(known: Sequence[EvidenceCandidate], size: int, overlap: int) -> list[Run]:
    """Runs of sentences (first, one after the last) of at most `size` characters that overlap by up to `overlap`."""
    runs: list[Run] = []
    first = 0
    while first < len(known):
        last = first + 1
        while last < len(known) and known[last].end - known[first].start <= size:
            last += 1
        runs.append((first, last))
        if last == len(known):
            break
        back = last
        while back - 1 > first and known[last - 1].end - known[back - 1].start <= overlap:
            back -= 1
        first = back
    return runs


class _Shares:
    """How much of a statement each sentence still has to say."""

    def __init__(self, statement: str, known: Sequence[EvidenceCandidate]) -> None:
        wanted = sorted(pairs(statement))
        table = np.zeros((len(known), len(wanted)))
        for row, sentence in enumerate(known):
            table[row] = [pair in sentence.pairs for pair in wanted]
        held = table.sum(axis=0)
        weights = np.log1p(len(known) / np.maximum(held, 1.0))
        self._weights = weights / max(float(weights.sum()), 1e-9)
        self._table = table

    def each(self) -> Floats:
        shares: Floats = self._table @ self._weights
        return shares

    def cover(self, number: int) -> None:
        self._weights = np.where(self._table[number] > 0, self._weights * _COVERED, self._weights)


def _pieces(text: str, start: int, end: int) -> list[Run]:
    """A long sentence in parts."""
    out = []
    while end - start > _LONG:
        cut = start + _LONG
        for found in _SOFT.finditer(text, start + _LONG // 2, cut):
            cut = found.end()
        out.append((start, cut))
        start = cut
    return [*out, (start, end)]
