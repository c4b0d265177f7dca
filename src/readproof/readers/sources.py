"""Passages made ready for questions, and kept for the next one: cleaned once, tokenised once, indexed once.

What is kept only saves time: a passage is made ready from its text alone, so that an answer is the same whether it was
kept or not.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock

import numpy as np

from readproof.lang.forms import shown
from readproof.readers.retrieval import Index, index_of
from readproof.readers.tokens import Passage
from readproof.readers.windows import spread
from readproof.text import Text

# beyond this a passage is not tokenised as a whole: it is surely more than a few windows
WHOLE = 8_000
MOST_WINDOWS = 3

Encode = Callable[[Text, int, int], Passage]


@dataclass(frozen=True, slots=True)
class Piece:
    """A contiguous piece of a passage to be read.

    `relevance` is how far its best segment's BM25 score falls short of the best of the passage, as a share of it:
    0 for the best, never below -1.
    """

    passage: Passage
    relevance: float = 0.0


class Source:
    """One passage; `encode` gives the tokens of a piece of its text in the form that readers read."""

    def __init__(self, raw: str, encode: Encode) -> None:
        self.shown = shown(raw)
        self.text = self.shown.text
        self._encode = encode

    @cached_property
    def whole(self) -> Passage | None:
        """All its tokens, where there are not too many characters to ask for them."""
        length = len(self.text.clean)
        return self._tokens(0, length) if length <= WHOLE else None

    @cached_property
    def index(self) -> Index:
        return index_of(self.text.clean)

    def pieces(self, question: str, capacity: int, overlap: int) -> list[Piece]:
        """What to read for a question: the whole passage if it fits a few windows, else its best segments.

        Each piece is contiguous in the passage, and they are in its order.
        """
        whole = self.whole
        if whole is not None and len(spread(len(whole.ids), capacity, overlap)) <= MOST_WINDOWS:
            return [Piece(whole)]
        room = MOST_WINDOWS * capacity
        scores = self.index.scores(question)
        best = float(scores.max())
        chosen: dict[tuple[int, int], float] = {}
        read: dict[tuple[int, int], Passage] = {}
        for number in np.argsort(-scores, kind="stable")[: 4 * MOST_WINDOWS].tolist():
            segment = self.index.segment(number)
            runs = joined([*chosen, segment])
            for run in runs:
                if run not in read:
                    read[run] = self._tokens(*run)
            if chosen and sum(len(read[run].ids) for run in runs) > room:
                break
            # segments come best first, so that a run has the relevance of the first one in it
            before = {**chosen, segment: float(scores[number]) / best - 1.0 if best > 0 else 0.0}
            chosen = {run: max(have for part, have in before.items() if _within(part, run)) for run in runs}
        return [Piece(read[run], relevance) for run, relevance in chosen.items()]

    def _tokens(self, start: int, end: int) -> Passage:
        return replace(self._encode(self.text, start, end), shown=self.shown)


def _within(part: tuple[int, int], run: tuple[int, int]) -> bool:
    return run[0] <= part[0] and part[1] <= run[1]


def joined(runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs that overlap or touch as one, in order."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(runs):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


class Shelf:
    """The passages last asked about: a few, and not too many characters of them."""

    def __init__(self, encode: Encode, *, most: int = 16, characters: int = 12_000_000) -> None:
        self._encode = encode
        self._most = most
        self._characters = characters
        self._kept: OrderedDict[str, Source] = OrderedDict()
        self._lock = Lock()

    def get(self, raw: str) -> Source:
        with self._lock:
            source = self._kept.get(raw)
            if source is None:
                source = self._kept[raw] = Source(raw, self._encode)
            self._kept.move_to_end(raw)
            while len(self._kept) > 1 and (
                len(self._kept) > self._most or sum(map(len, self._kept)) > self._characters
            ):
                self._kept.popitem(last=False)
            return source
