"""Counting unit by unit: what every scorer keeps while it goes through a file, small enough for a million questions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
