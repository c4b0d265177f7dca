"""Means with intervals over passages: every score of a run goes through here."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from readproof.prove.model import Figure, Figures
from readproof.stats import Difference, Sample, intervals, paired
from readproof.tasks.metrics.tally import Tally

Measured = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Value:
    """What one question, or one item by the mean or the worst of its variants, is worth; and its passage."""

    group: Hashable
    measured: Measured


def figures(values: Sequence[Value], *, sure: bool = True) -> Figures:
    """The mean of every metric in percent; with `sure` also its 95 % interval, by bootstrap over passages."""
    if not values:
        return {}
    sample = sample_of(values)
    known = intervals(sample) if sure else {}
    names = list(values[0].measured)
    means = {name: 100.0 * sum(value.measured[name] for value in values) / len(values) for name in names}
    return {
        name: Figure(value=means[name], low=known[name][0], high=known[name][1])
        if name in known
        else Figure(value=means[name])
        for name in names
    }


def difference(one: Sequence[Value], other: Sequence[Value], metric: str) -> Difference:
    """one − other in percent, over the same questions in the same order, with its interval and p."""
    return paired(sample_of(one), sample_of(other))[metric]


def sample_of(values: Sequence[Value]) -> Sample:
    """The values as `stats` takes them."""
    tally = Tally()
    names = list(values[0].measured)
    for value in values:
        tally.add([value.measured[name] for name in names], value.group)
    return tally.sample(names)


def mean_of(several: Sequence[Measured]) -> Measured:
    """The mean of several variants of one item."""
    return {name: sum(one[name] for one in several) / len(several) for name in several[0]}


def worst_of(several: Sequence[Measured]) -> Measured:
    """The lowest of each metric."""
    return {name: min(one[name] for one in several) for name in several[0]}
