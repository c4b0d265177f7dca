"""What one answer is worth: by the metric that the data's own task names for proofs, else its first, on clean texts.

Gold answers are cleaned before they are compared: an attack that puts invisible characters into the passage puts them
into the gold answer too, and a reader that answers without them has not failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, isfinite
from pathlib import Path

from readproof.attacks.search.judge import measure_of
from readproof.items import Answer, ChoiceItem, SpanItem
from readproof.lang.cleaning import clean_golds
from readproof.prove.questions import Single
from readproof.tasks import TASKS
from readproof.tasks.base import Task
from readproof.tasks.metrics.spans import SpanPredictions, answers_of

SPAN_METRICS = ("f1", "em")
OPTION_METRICS = ("accuracy",)


@dataclass(frozen=True, slots=True)
class Measure:
    """How the answers of a run are measured: by the metric of a task, or where it has none for spans by language."""

    task: Task
    metric: str

    def __call__(self, item: Single, answer: Answer) -> dict[str, float]:
        """By metric, from 0 to 1."""
        if isinstance(item, ChoiceItem):
            return {"accuracy": float(answer.choice is not None and answer.choice == item.answer)}
        exact, f1 = self._span(item, answer.text)
        return {"f1": f1, "em": exact}

    def _span(self, item: SpanItem, text: str) -> tuple[float, float]:
        golds = clean_golds(item)
        plain = replace(item, id="0", golds=golds)
        if self.task.kind != "span" or self.task.name == "items":
            if item.impossible or not golds:
                return float(not text), float(not text)
            return measure_of(item.language)(text, answers_of(plain))
        # a metric of one question has no interval to compute, so that asking it one by one costs nothing
        columns = self.task.metrics[self.metric]([plain], SpanPredictions(Path(), {"0": text})).sample.columns
        return columns[0][0], columns[1][0]


def measure_for(task: str, metric: str = "") -> Measure:
    """The measure of a metric that is named; else of the one a task has for proofs, or its first, the official one."""
    found = TASKS.get(task)
    return Measure(found, metric or found.proof or next(iter(found.metrics)))


def belief(item: Single, answer: Answer) -> float | None:
    """How much of its belief the reader gives to the gold option, from 0 to 1; None where it does not say."""
    if not isinstance(item, ChoiceItem) or item.answer is None:
        return None
    shares = shares_of(answer.scores) if len(answer.scores) == len(item.options) else ()
    if shares:
        return shares[item.answer]
    if answer.confidence is None:
        return None
    return answer.confidence if answer.choice == item.answer else 0.0


def shares_of(scores: Sequence[float]) -> tuple[float, ...]:
    """Scores of options as shares: as they are where they sum to 1, else by softmax."""
    if not scores or not all(map(isfinite, scores)):
        return ()
    total = sum(scores)
    if min(scores) >= 0 and abs(total - 1) < 1e-3:
        return tuple(scores)
    top = max(scores)
    weights = [exp(score - top) for score in scores]
    return tuple(weight / sum(weights) for weight in weights)
