"""What one answer scores, and the means of many with their intervals.

Answers are measured by the metric that the data's own task names for proofs, else by its first. Gold answers are
cleaned before they are compared: an attack that puts invisible characters into the passage puts them into the gold
answer too, and a reader that answers without them has not failed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, isfinite
from pathlib import Path

from readproof.attacks.search import measure_of
from readproof.items import Answer, ChoiceItem, SpanItem
from readproof.lang.api import get_language
from readproof.lang.cleaning import clean_golds
from readproof.proof.probes import compared
from readproof.proof.records import Prediction, Question, Single
from readproof.proof.results import Bin, Calibration, CoveragePoint, Figure, Figures
from readproof.stats import PairedDifference, Sample, intervals, paired
from readproof.tasks import TASKS
from readproof.tasks.base import Task
from readproof.tasks.metrics.spans import SpanPredictions, answers_of
from readproof.tasks.metrics.tally import Tally

Measured = Mapping[str, float]

# bins of confidence, points of the curve, and the fewest answers that a calibration is computed for
BINS = 10
_POINTS = 40
_FEWEST = 10


# an answer with so much of the gold one is right, where an answer is right or not; a wordier one that holds it may be
# so much of its sentence
RIGHT = 0.5
_WORDY = 0.5
# what scores are made of; an answer is measured in other ways too
METRICS = ("f1", "em", "accuracy", "share")


@dataclass(frozen=True, slots=True)
class Measure:
    """How the answers of a run are measured: by the metric of a task; of a task without one for spans, by language."""

    task: Task
    metric: str

    def __call__(self, item: Single, answer: Answer) -> dict[str, float]:
        """By metric, from 0 to 1."""
        if isinstance(item, ChoiceItem):
            return {"accuracy": float(answer.choice is not None and answer.choice == item.answer)}
        exact, f1 = self.span(item, answer.text)
        return {"f1": f1, "em": exact}

    def predicted(self, question: Question, answer: Answer, clean: Single, before: Answer) -> dict[str, float]:
        """The same for a question of a run; of a probe also how the answer relates to the clean question's."""
        measured = self(question.item, answer)
        if isinstance(question.item, SpanItem):
            measured["right"] = float(self.is_right(question.item, answer.text))
        return measured | compared(question, answer, clean, before, self._f1, self.is_right)

    def is_right(self, item: SpanItem, text: str) -> bool:
        """Whether an answer is right, where that is to be said with yes or no: half of F1, or the gold answer in few
        words more. An answer that is no more than half of its sentence is a wordy one, a longer one tells too little.
        """
        if item.impossible or not item.golds:
            return not text.strip()
        if self._f1(item, text) >= RIGHT:
            return True
        held = [gold.text for gold in item.golds if gold.text and gold.text in text]
        return any(len(text) <= _WORDY * _sentence_around(gold, item) for gold in held)

    def _f1(self, item: SpanItem, text: str) -> float:
        return self.span(item, text)[1]

    def span(self, item: SpanItem, text: str) -> tuple[float, float]:
        """Exact match and F1 of an answer's text."""
        golds = clean_golds(item)
        plain = replace(item, id="0", golds=golds)
        if self.task.kind != "span" or self.task.name == "items":
            if item.impossible or not golds:
                return float(not text), float(not text)
            return measure_of(item.language)(text, answers_of(plain))
        # a metric of one question has no interval to compute, so that asking it one by one costs nothing
        columns = self.task.metrics[self.metric]([plain], SpanPredictions(Path(), {"0": text})).sample.columns
        return columns[0][0], columns[1][0]


def _sentence_around(text: str, item: SpanItem) -> int:
    """The length of the longest sentence of the passage that holds a text."""
    spans = get_language(item.language).sentences(item.passage)
    return max((end - start for start, end in spans if text in item.passage[start:end]), default=0)


def measure_for(task: str, metric: str = "") -> Measure:
    """The measure of a metric that is named; else of the one a task has for proofs, or its first, the official one."""
    found = TASKS.get(task)
    return Measure(found, metric or found.proof or next(iter(found.metrics)))


def belief(item: Single, answer: Answer) -> float | None:
    """How much of its belief the reader gives to the gold option, from 0 to 1; None where it does not say."""
    if not isinstance(item, ChoiceItem) or item.answer is None:
        return None
    shares = probabilities(answer.scores) if len(answer.scores) == len(item.options) else ()
    if shares:
        return shares[item.answer]
    if answer.confidence is None:
        return None
    return answer.confidence if answer.choice == item.answer else 0.0


def probabilities(scores: Sequence[float]) -> tuple[float, ...]:
    """Scores of options as probabilities: as they are where they sum to 1, else their softmax."""
    if not scores or not all(map(isfinite, scores)):
        return ()
    total = sum(scores)
    if min(scores) >= 0 and abs(total - 1) < 1e-3:
        return tuple(scores)
    top = max(scores)
    weights = [exp(score - top) for score in scores]
    return tuple(weight / sum(weights) for weight in weights)


@dataclass(frozen=True, slots=True)
class Value:
    """What one question, or one item by the mean or the worst of its variants, scores; and its passage."""

    group: Hashable
    measured: Measured


def figures(values: Sequence[Value], *, with_intervals: bool = True) -> Figures:
    """The mean of every metric in percent, with its 95 % interval by bootstrap over passages if that is wanted."""
    if not values:
        return {}
    known = intervals(sample_of(values)) if with_intervals else {}
    names = _metrics(values[0])
    means = {name: 100.0 * sum(sorted(value.measured[name] for value in values)) / len(values) for name in names}
    return {
        name: Figure(value=means[name], low=known[name][0], high=known[name][1])
        if name in known
        else Figure(value=means[name])
        for name in names
    }


def difference(one: Sequence[Value], other: Sequence[Value], metric: str) -> PairedDifference:
    """one − other in percent, over the same questions in the same order, with its interval and p."""
    pairs = sorted(zip(one, other, strict=True), key=lambda pair: (pair[0].measured[metric], pair[1].measured[metric]))
    first, second = (
        [Value(value.group, {metric: value.measured[metric]}) for value in side] for side in zip(*pairs, strict=True)
    )
    return paired(*_in_step(first, second))[metric]


def sample_of(values: Sequence[Value]) -> Sample:
    """The values as `stats` takes them. A bootstrap depends on the order of its groups, so they are put into one."""
    names = _metrics(values[0])
    groups: dict[Hashable, list[Value]] = {}
    for value in values:
        groups.setdefault(value.group, []).append(value)
    tally = Tally()
    for number, group in enumerate(sorted(groups.values(), key=lambda group: _order(group, names))):
        for value in group:
            tally.add([value.measured[name] for name in names], number)
    return tally.sample(names)


def _metrics(value: Value) -> list[str]:
    return [name for name in value.measured if name in METRICS]


def _in_step(one: Sequence[Value], other: Sequence[Value]) -> tuple[Sample, Sample]:
    """Two samples over the same questions, their groups in the same order."""
    names = list(one[0].measured)
    groups: dict[Hashable, list[tuple[Value, Value]]] = {}
    for pair in zip(one, other, strict=True):
        groups.setdefault(pair[0].group, []).append(pair)

    def order(group: Sequence[tuple[Value, Value]]) -> tuple[object, ...]:
        return _order([pair[0] for pair in group], names), _order([pair[1] for pair in group], names)

    first, second = Tally(), Tally()
    for number, group in enumerate(sorted(groups.values(), key=order)):
        for before, after in group:
            first.add([before.measured[name] for name in names], number)
            second.add([after.measured[name] for name in names], number)
    return first.sample(names), second.sample(names)


def _order(group: Sequence[Value], names: Sequence[str]) -> tuple[object, ...]:
    """Where a group goes: by what is in it, and not by where it stood in the data."""
    return (len(group), *(sorted(value.measured[name] for value in group) for name in names))


def mean_of(several: Sequence[Measured]) -> Measured:
    """The mean of several variants of one item."""
    return {name: sum(one[name] for one in several) / len(several) for name in several[0]}


def worst_of(several: Sequence[Measured]) -> Measured:
    """The lowest of each metric."""
    return {name: min(one[name] for one in several) for name in several[0]}


def share_of_score(clean: Figure | None, other: float, chance: float) -> float | None:
    """The share of the clean score above chance that another score still has, from 0 to 1.

    None where the clean score is not clearly above chance: a share of next to nothing says nothing.
    """
    if clean is None or clean.low is None or clean.low <= chance:
        return None
    return min(1.0, max(0.0, (other - chance) / (clean.value - chance)))


@dataclass(frozen=True, slots=True)
class Confident:
    """One answer: how sure the reader was, whether it is right (an exact match), and what it scores."""

    confidence: float
    right: float
    score: float


def confident(prediction: Prediction) -> Confident | None:
    """A prediction as calibration takes it; None where the reader does not say how sure it is."""
    sure, measured = prediction.answer.confidence, prediction.measured
    if sure is None:
        return None
    right = measured["em"] if "em" in measured else measured["accuracy"]
    score = measured["f1"] if "f1" in measured else measured["accuracy"]
    return Confident(min(1.0, max(0.0, sure)), right, score)


def calibrated(answers: Sequence[Confident]) -> Calibration | None:
    """Ten bins of equal width, the expected calibration error, and the score against the share answered."""
    if len(answers) < _FEWEST:
        return None
    bins = []
    for number in range(BINS):
        inside = [one for one in answers if min(BINS - 1, int(one.confidence * BINS)) == number]
        if inside:
            bins.append(
                Bin(
                    low=number / BINS,
                    high=(number + 1) / BINS,
                    count=len(inside),
                    confidence=sum(one.confidence for one in inside) / len(inside),
                    right=sum(one.right for one in inside) / len(inside),
                )
            )
    error = sum(one.count * abs(one.confidence - one.right) for one in bins) / len(answers)
    return Calibration(questions=len(answers), error=error, bins=tuple(bins), curve=tuple(_curve(answers)))


def _curve(answers: Iterable[Confident]) -> list[CoveragePoint]:
    """The surest first; answers of the same confidence come or stay away together."""
    ordered = sorted(answers, key=lambda one: -one.confidence)
    points, total = [], 0.0
    for number, one in enumerate(ordered, start=1):
        total += one.score
        last = number == len(ordered)
        if last or ordered[number].confidence < one.confidence:
            points.append(CoveragePoint(share=number / len(ordered), score=100.0 * total / number))
    step = max(1, -(-len(points) // _POINTS))
    return [point for at, point in enumerate(points) if at % step == 0 or at == len(points) - 1]
