"""How much a variant hurts a reader: the F1 it still gets, and how sure it still is of the gold answer.

Success is told two ways: the answer becomes wrong (`f1` falls), or the reader believes less in the gold answer
(`expected` falls). The second can be seen long before the first, so it is what a search follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from readproof.items import Answer, SpanItem
from readproof.readers.base import DISTRIBUTION, Reader
from readproof.tasks.metrics import cmrc, squad
from readproof.text import sanitised

LIKELIEST = 20

Measure = Callable[[str, Sequence[str]], tuple[float, float]]


@runtime_checkable
class Distributes(Protocol):
    """A reader that says how likely each span is."""

    def distribution(self, item: SpanItem, count: int = LIKELIEST) -> list[tuple[int, int, float]]:
        """The likeliest spans: raw start, raw end, probability; the likeliest first."""
        ...


@dataclass(frozen=True, slots=True)
class Judged:
    """A reader's answer with its F1, and the F1 to be expected by its own probabilities (else the same)."""

    answer: Answer
    f1: float
    expected: float


def measure_of(language: str) -> Measure:
    """Exact match and F1 as the language's own tasks count them."""
    return cmrc.official if language == "zh" else squad.version_1


def plain_f1(item: SpanItem, answer: str) -> float:
    """The F1 of an answer; an unanswerable question is answered by nothing. Text is compared clean, as it is scored."""
    golds = tuple(sanitised(gold.text).clean for gold in item.golds)
    if item.impossible or not golds:
        return float(not answer)
    return measure_of(item.language)(answer, golds)[1]


def judge(reader: Reader, items: Sequence[SpanItem]) -> list[Judged]:
    """One judgement an item, in order; a reader without a distribution is judged by its answers."""
    if DISTRIBUTION in reader.capabilities and isinstance(reader, Distributes):
        return [_by_distribution(reader, item) for item in items]
    judged = []
    for item, answer in zip(items, reader.answer(list(items)), strict=True):
        score = plain_f1(item, answer.text)
        judged.append(Judged(answer, score, score))
    return judged


def _by_distribution(reader: Distributes, item: SpanItem) -> Judged:
    """One reading: the likeliest span is the answer, and all of them weigh in the expectation."""
    spans = reader.distribution(item, LIKELIEST)
    if not spans:
        score = plain_f1(item, "")
        return Judged(Answer(id=item.id, confidence=0.0), score, score)
    texts = [sanitised(item.passage[start:end]).clean for start, end, _ in spans]
    scores = {text: plain_f1(item, text) for text in dict.fromkeys(texts)}
    mass = sum(share for _, _, share in spans)
    expected = sum(share * scores[text] for text, (_, _, share) in zip(texts, spans, strict=True)) / mass if mass else 0
    start, end, share = spans[0]
    answer = Answer(
        id=item.id, text=texts[0], raw=item.passage[start:end], start=start, end=end, confidence=min(1.0, share)
    )
    return Judged(answer, scores[texts[0]], expected)
