"""A small reader that does not read: it takes what follows the place where most of the question's characters stand."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from readproof.items import Answer, Item, SpanItem
from readproof.readers.api import DISTRIBUTION, SPANS


class MatchingReader:
    """Its spans are sentences; a sentence is the likelier the more pairs of the question's characters it has."""

    name = "matching"
    fingerprint = "matching-1"
    capabilities = frozenset({SPANS, DISTRIBUTION})

    def __init__(self) -> None:
        self.asked = 0

    def distribution(self, item: SpanItem, count: int = 20) -> list[tuple[int, int, float]]:
        self.asked += 1
        pairs = {item.question[at : at + 2] for at in range(len(item.question) - 1)}
        found = [
            (piece.start(), piece.end(), math.exp(sum(pair in piece[0] for pair in pairs)))
            for piece in re.finditer(r"[^。.]+", item.passage)
        ]
        total = sum(weight for _, _, weight in found) or 1.0
        ranked = sorted(found, key=lambda one: (-one[2], one[0]))[:count]
        return [(start, end, weight / total) for start, end, weight in ranked]

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        answers = []
        for item in items:
            assert isinstance(item, SpanItem)
            spans = self.distribution(item, 1)
            start, end, share = spans[0] if spans else (0, 0, 0.0)
            text = item.passage[start:end]
            answers.append(Answer(id=item.id, text=text, raw=text, start=start, end=end, confidence=share))
        return answers


class PlainReader(MatchingReader):
    """The same without probabilities."""

    name = "plain"
    capabilities = frozenset({SPANS})
    distribution = None  # type: ignore[assignment]

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        return MatchingReader().answer(items)
