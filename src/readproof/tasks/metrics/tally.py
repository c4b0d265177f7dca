"""Counting unit by unit: what every scorer keeps while it goes through a file, small enough for a million questions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readproof.errors import InputError, visible
from readproof.stats import Columns, Sample


@dataclass(slots=True)
class Tally:
    """Running sums over questions in file order: the official scorers add one by one, and the last digit shows it."""

    total: int = 0
    missing: list[str] = field(default_factory=list)
    malformed: list[str] = field(default_factory=list)
    columns: list[array[float]] = field(default_factory=list)
    groups: array[int] = field(default_factory=lambda: array("q"))
    _numbers: dict[Hashable, int] = field(default_factory=dict)

    def add(self, values: Sequence[float], group: Hashable) -> None:
        if not self.columns:
            self.columns = [array("d") for _ in values]
        self.total += 1
        for column, value in zip(self.columns, values, strict=True):
            column.append(value)
        self.groups.append(self._numbers.setdefault(group, len(self._numbers)))

    def percent(self, index: int) -> float:
        return 100.0 * in_order(self.columns[index]) / self.total

    def sample(self, names: Sequence[str]) -> Sample:
        ones = array("d", [1.0]) * self.total
        return Sample((*self.columns, ones), self.groups, percentages(names))


def in_order(values: Iterable[float]) -> float:
    """A sum one by one, as the official scorers add; `sum` and numpy round differently in the last digit."""
    total = 0.0
    for value in values:
        total += value
    return total


def percentages(names: Sequence[str]) -> Callable[[Columns], Mapping[str, Any]]:
    """A statistic: each column's mean in percent; the last column counts the units."""

    def statistic(sums: Columns) -> Mapping[str, Any]:
        return {name: 100.0 * sums[..., index] / sums[..., -1] for index, name in enumerate(names)}

    return statistic


# What can be wrong with a prediction file, said in the same words by every metric.


_LISTED = 5


def listed(names: Sequence[str]) -> str:
    """The first few names; they come out of somebody's file, and none may steer a terminal."""
    return ", ".join(map(visible, names[:_LISTED])) + (", …" if len(names) > _LISTED else "")


def refuse_faults(path: Path, faults: Mapping[str, Sequence[str]], expected: str) -> None:
    """The strict rule: a file with any of the faults is not scored."""
    for fault, names in faults.items():
        if names:
            raise InputError(
                file=path,
                found=f"{len(names)} {fault} ({listed(names)})",
                expected=f"{expected} (strict)",
                do="Mend the file, or score with --metric official, which lets this through.",
            )


def refuse_unlabelled(kind: str) -> None:
    raise InputError(
        found=f"no gold {kind} in the data file",
        expected=f"a file with gold {kind} to score against",
        do="A public test file cannot be scored: take a training or development file, or hand the predictions in.",
    )


# The harmonic mean of precision and recall, in the order of operations that all the official scorers share.


def f1(common: int, predicted: int, gold: int) -> float:
    """F1 of `common` units out of `predicted` and `gold` ones; 0 where nothing is common."""
    if not common:
        return 0.0
    precision = common / predicted
    recall = common / gold
    return (2 * precision * recall) / (precision + recall)
