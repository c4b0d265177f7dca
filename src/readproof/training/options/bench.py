"""What the jobs of an option reader's training share: its sets as windows, readers by name, held-out scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor

from readproof.training.options.measure import OptionScores, logits, scored
from readproof.training.options.model import OptionReader, option_reader_from
from readproof.training.options.recipe import OptionPlan
from readproof.training.options.records import Group, read_groups
from readproof.training.options.start import OptionStart
from readproof.training.options.windows import OptionWindows, cut, merged
from readproof.training.site import Judged, Say, TrainingSite
from readproof.training.work import WorkFolder

# tokens a batch, where nothing is learnt
_ON_GPU, _ON_CPU = 65_536, 8_192


class OptionBench(TrainingSite):
    """Sets are cut into windows when they are first asked for, and kept."""

    def __init__(
        self,
        plan: OptionPlan,
        work: WorkFolder,
        sets: Mapping[str, Path],
        start: OptionStart,
        *,
        say: Say,
        save_every: float = 120.0,
    ) -> None:
        super().__init__(work, sets, say=say, save_every=save_every)
        self.plan = plan
        self.start = start
        self._windows: dict[str, OptionWindows] = {}

    def windows(self, name: str) -> OptionWindows:
        """A set by name; NAME/2 is every second group of it."""
        if name not in self._windows:
            base, _, part = name.partition("/")
            groups = list(read_groups(self.files[base]))[:: int(part or 1)]
            self._windows[name] = self.cut(groups)
        return self._windows[name]

    def together(self, names: Iterable[str]) -> OptionWindows:
        return merged([self.windows(name) for name in names])

    def cut(self, groups: Sequence[Group]) -> OptionWindows:
        return cut(groups, self.start.bert.vocabulary.tokenizer(), self.plan.manner)

    def tokens(self, names: Iterable[str], coarse: float) -> float:
        """How many tokens are read in an epoch, where a share of the long passages is read in segments."""
        total = 0.0
        for name in names:
            windows = self.windows(name)
            for fine, other in zip(windows.fine, windows.coarse, strict=True):
                size = windows.size(fine)
                total += size if other is None else size * (1 - coarse) + windows.size(other) * coarse
        return total

    def reader(self, state: Mapping[str, Tensor], *, dropout: float = 0.1, frozen: Sequence[str] = ()) -> OptionReader:
        reader = option_reader_from(state, dropout=dropout).to(self.device)
        for name, parameter in reader.named_parameters():
            parameter.requires_grad_(not name.startswith(tuple(frozen)))
        return reader

    def trained(self, job: str, *, dropout: float = 0.1, frozen: Sequence[str] = ()) -> OptionReader:
        """The reader that a finished job left."""
        return self.reader(self.work.load(job), dropout=dropout, frozen=frozen)

    def measured(self, readers: Sequence[OptionReader], windows: OptionWindows) -> OptionScores:
        return scored(windows, self.logits(readers, windows), self.plan.manner.fine_share)

    def logits(self, readers: Sequence[OptionReader], windows: OptionWindows) -> list[np.ndarray[Any, Any]]:
        return list(logits(readers, windows, size=self.at_once))

    @property
    def at_once(self) -> int:
        """Tokens that are read at a time."""
        return _ON_GPU if self.device.type == "cuda" else _ON_CPU

    def held(self, readers: Sequence[OptionReader]) -> Judged:
        weights = {name: weight for name, weight in self.plan.held.items() if self.has(name)}
        found = {name: self.measured(readers, self.windows(name)) for name in weights}
        total = sum(weights.values())
        select = sum(weight * found[name].main for name, weight in weights.items()) / total if total else None
        return {name: figures(one) for name, one in found.items()}, select

    def in_words(self, found: Mapping[str, Any]) -> str:
        return in_words(found)


def figures(found: OptionScores) -> dict[str, float | None]:
    """The figures of a measurement, rounded for people; no share of questions where there are none."""
    return {
        "choice": round(found.choice, 3) if found.asked else None,
        "truth": round(found.truth, 3),
        "loss": round(found.loss, 4),
        "questions": found.asked,
        "statements": found.statements,
    }


def in_words(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Scores on one line: the odd options found of how many questions, statements judged rightly."""
    return ", ".join(
        f"{name} " + (f"{one['choice']:.2f} of {one['questions']}, " if one["questions"] else "")
        + f"truth {one['truth']:.2f}"
        for name, one in found.items()
    )  # fmt: skip
