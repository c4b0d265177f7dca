"""How much a variant hurts a reader: the F1 it still gets, and how sure it still is of the gold answer.

Success is told two ways: the answer becomes wrong (`f1` falls), or the reader believes less in the gold answer
(`expected` falls). The second can be seen long before the first, so it is what a search follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from readproof.items import Answer, SpanItem
from readproof.lang.cleaning import clean_golds, cleaned
from readproof.readers.base import DISTRIBUTION, Reader
from readproof.tasks.metrics import cmrc, squad

LIKELIEST = 20

Measure = Callable[[str, Sequence[str]], tuple[float, float]]


@runtime_checkable
class Distributes(Protocol):
    """A reader that says how likely each span is."""

    def distribution(self, item: SpanItem, count: int = LIKELIEST) -> list[tuple[int, int, float]]:
        """The likeliest spans: raw start, raw end, probability; the likeliest first."""
        ...


@runtime_checkable
class Tells(Protocol):
    """One that gives them as answers too: where text stands in another order, a raw span is wider than its answer."""

    def likely(self, item: SpanItem, count: int = LIKELIEST) -> list[Answer]:
        """The likeliest spans, each with its probability as confidence; the likeliest first."""
        ...


@runtime_checkable
class TellsMany(Protocol):
    """One that reads many items at once, each as if it were alone."""

    def likeliest(self, items: Sequence[SpanItem], count: int = LIKELIEST) -> list[list[Answer]]:
        """What is likely of each item, in order."""
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
    golds = tuple(gold.text for gold in clean_golds(item))
    if item.impossible or not golds:
        return float(not answer)
    return measure_of(item.language)(answer, golds)[1]


def judge(reader: Reader, items: Sequence[SpanItem]) -> list[Judged]:
    """One judgement an item, in order; a reader without a distribution is judged by its answers."""
    if DISTRIBUTION in reader.capabilities and isinstance(reader, TellsMany):
        found = reader.likeliest(items, LIKELIEST)
        return [_by_distribution(answers, item) for answers, item in zip(found, items, strict=True)]
    if DISTRIBUTION in reader.capabilities and isinstance(reader, Distributes):
        return [_by_distribution(likely_of(reader, item), item) for item in items]
    judged = []
    for item, answer in zip(items, reader.answer(list(items)), strict=True):
        score = plain_f1(item, answer.text)
        judged.append(Judged(answer, score, score))
    return judged


def likely_of(reader: Distributes, item: SpanItem, count: int = LIKELIEST) -> list[Answer]:
    """The likeliest spans as answers; of a reader that tells spans alone they are cut from the clean passage."""
    if isinstance(reader, Tells):
        return reader.likely(item, count)
    passage = cleaned(item.passage)
    return [
        Answer(
            id=item.id,
            text=passage.clean[slice(*passage.to_clean(start, end))],
            raw=item.passage[start:end],
            start=start,
            end=end,
            confidence=share,
        )
        for start, end, share in reader.distribution(item, count)
    ]


def _by_distribution(answers: Sequence[Answer], item: SpanItem) -> Judged:
    """One reading: the likeliest span is the answer, and all of them weigh in the expectation."""
    if not answers:
        score = plain_f1(item, "")
        return Judged(Answer(id=item.id, confidence=0.0), score, score)
    scores = {text: plain_f1(item, text) for text in dict.fromkeys(one.text for one in answers)}
    shares = [one.confidence or 0.0 for one in answers]
    mass = sum(shares)
    expected = sum(share * scores[one.text] for share, one in zip(shares, answers, strict=True)) / mass if mass else 0
    answer = replace(answers[0], scores=(), confidence=min(1.0, shares[0]))
    return Judged(answer, scores[answer.text], expected)
