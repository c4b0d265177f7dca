"""What every job of a training shares: the plan, the device, the data as windows, readers by name, held-out scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from torch import Tensor

from readproof.training.begin import Start
from readproof.training.delta_base import as_changes
from readproof.training.learner import OnEncoder, SpanLearner
from readproof.training.measure import EvalResult, EvalSet, measure
from readproof.training.recipe import TrainingPlan
from readproof.training.sets import span_items
from readproof.training.site import Judged, Say, TrainingSite
from readproof.training.windows import Windows, joined
from readproof.training.work import WorkFolder

Reader = TypeVar("Reader", bound=SpanLearner)


class EvalBench(TrainingSite):
    """Sets are prepared when they are first asked for, and kept."""

    def __init__(
        self,
        plan: TrainingPlan,
        work: WorkFolder,
        sets: Mapping[str, Path],
        start: Start,
        *,
        say: Say,
        save_every: float = 120.0,
    ) -> None:
        super().__init__(work, sets, say=say, save_every=save_every)
        self.plan = plan
        self.start = start
        self._prepared: dict[str, EvalSet] = {}

    def prepared(self, name: str) -> EvalSet:
        """A set by name; NAME/2 is every second question of it."""
        if name not in self._prepared:
            base, _, part = name.partition("/")
            items = span_items(f"squad:{self.files[base]}")[:: int(part or 1)]
            plan = self.plan
            self._prepared[name] = self.start.prepared(items, max_tokens=plan.max_tokens, overlap=plan.overlap)
        return self._prepared[name]

    def windows(self, names: Iterable[str]) -> Windows:
        return joined([self.prepared(name).windows for name in names])

    def tokens(self, names: Iterable[str]) -> int:
        return sum(len(self.prepared(name).windows.ids) for name in names)

    def reader(self, state: Mapping[str, Tensor], *, dropout: float = 0.1) -> SpanLearner:
        return self.start.reader(state, dropout=dropout).to(self.device)

    def learner(self, state: Mapping[str, Tensor], *, dropout: float) -> SpanLearner:
        """A reader that is to be trained: free, or as changes to a shipped one."""
        return self.kept(self.start.reader(state, dropout=dropout)).to(self.device)

    def kept(self, reader: Reader) -> Reader:
        """The same reader, learning as it will be kept."""
        if self.plan.onto is None or not isinstance(reader, OnEncoder):
            return reader
        return as_changes(reader, self.plan.onto)

    def trained(self, job: str, *, dropout: float = 0.1) -> SpanLearner:
        """The reader that a finished job left."""
        return self.reader(self.work.load(job), dropout=dropout)

    def held(self, readers: Sequence[SpanLearner]) -> Judged:
        """Scores on the held-out sets, and their weighted mean, by which choices are made; None without such sets."""
        weights = {name: weight for name, weight in self.plan.held.items() if self.has(name)}
        found = {name: measure(readers, self.prepared(name), metric=self.plan.metric) for name in weights}
        total = sum(weights.values())
        select = sum(weight * found[name].mean for name, weight in weights.items()) / total if total else None
        return {name: scores(one) for name, one in found.items()}, select

    def in_words(self, found: Mapping[str, Any]) -> str:
        return in_words(found)


def scores(measured: EvalResult) -> dict[str, float]:
    """The figures of a measurement, rounded for people."""
    found = {
        "exact": round(measured.exact, 3),
        "f1": round(measured.f1, 3),
        "simple_exact": round(measured.simple_exact, 3),
        "simple_f1": round(measured.simple_f1, 3),
        "loss": round(measured.loss, 4),
    }
    if measured.nothing is not None:
        one = measured.nothing
        found |= {"threshold": round(one.threshold, 3), "all_exact": round(one.exact, 3), "all_f1": round(one.f1, 3)}
        found |= {"answered_f1": round(one.answered, 3), "refused": round(one.refused, 3)}
    return found


def in_words(found: Mapping[str, Mapping[str, float]]) -> str:
    """Scores on one line: set EM/F1."""
    return ", ".join(f"{name} {one['exact']:.2f}/{one['f1']:.2f}" for name, one in found.items())
