"""How sure a score is: bootstrap intervals and paired tests over groups whose members are not independent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# numpy's array of floats; numpy itself is imported late so that the command line starts fast
Columns = Any
Statistic = Callable[[Columns], Mapping[str, Any]]

RESAMPLES = 1000
_MANY_GROUPS = 20_000
_STEP = 1e-6
_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Sample:
    """What was counted for each unit (a question, a triple, a sentence), column by column, and each unit's group.

    A statistic takes sums of the columns (in the last axis) and gives the scores by name.
    """

    columns: Sequence[Sequence[float]]
    groups: Sequence[int]
    statistic: Statistic


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """One score minus another on the same units, its 95 % interval, and the chance of so large a gap by luck."""

    difference: float
    low: float
    high: float
    p: float


def intervals(sample: Sample, seed: int = 0) -> dict[str, tuple[float, float]]:
    """95 % intervals of every score, by bootstrap over groups.

    Above 20,000 groups the bootstrap distribution is normal to the digits shown, and its spread is computed directly.
    """
    import numpy

    sums = _group_sums(sample)
    if len(sums) < 2:
        return {}
    if len(sums) > _MANY_GROUPS:
        return _normal_intervals(sums, sample.statistic)
    scores = sample.statistic(_resampled(sums, seed))
    return {name: _middle(numpy.asarray(values)) for name, values in scores.items()}


def paired(one: Sample, other: Sample, seed: int = 0) -> dict[str, PairedDifference]:
    """Differences one − other: interval by paired bootstrap, p by swapping the two readers group by group at random."""
    import numpy

    first, second = _group_sums(one), _group_sums(other)
    totals = one.statistic(first.sum(axis=0)), one.statistic(second.sum(axis=0))
    generator = numpy.random.default_rng(seed)
    both = numpy.concatenate([first, second], axis=1)
    resampled = _resampled(both, seed)
    width = first.shape[1]
    drawn = one.statistic(resampled[:, :width]), one.statistic(resampled[:, width:])
    swapped = _swapped(first, second, generator)
    chance = one.statistic(swapped[0]), one.statistic(swapped[1])
    result: dict[str, PairedDifference] = {}
    for name in totals[0]:
        difference = float(totals[0][name] - totals[1][name])
        low, high = _middle(numpy.asarray(drawn[0][name] - drawn[1][name]))
        luck = numpy.abs(numpy.asarray(chance[0][name] - chance[1][name])) >= abs(difference) - 1e-12
        result[name] = PairedDifference(difference, low, high, float((luck.sum() + 1) / (len(luck) + 1)))
    return result


def _group_sums(sample: Sample) -> Columns:
    import numpy

    groups = numpy.asarray(sample.groups, dtype=numpy.int64)
    return numpy.stack([numpy.bincount(groups, weights=numpy.asarray(one)) for one in sample.columns], axis=1)


def _resampled(sums: Columns, seed: int) -> Columns:
    """Sums over groups drawn with replacement, RESAMPLES times, in blocks that stay small in memory."""
    import numpy

    generator = numpy.random.default_rng(seed)
    count = len(sums)
    block = max(1, min(RESAMPLES, _CELLS // count))
    parts = []
    for start in range(0, RESAMPLES, block):
        size = min(block, RESAMPLES - start)
        draws = generator.integers(0, count, size=(size, count), dtype=numpy.int32)
        draws += (numpy.arange(size, dtype=numpy.int32) * count)[:, None]
        weights = numpy.bincount(draws.ravel(), minlength=size * count).reshape(size, count)
        # not `@`: for so small a product BLAS starts threads that go on spinning long after it
        parts.append(numpy.einsum("rg,gk->rk", weights.astype(float), sums))
    return numpy.concatenate(parts)


def _swapped(first: Columns, second: Columns, generator: Any) -> tuple[Columns, Columns]:
    import numpy

    half, gap = (first + second) / 2, (first - second) / 2
    middle = half.sum(axis=0)
    signs = [generator.integers(0, 2, size=len(first)) * 2.0 - 1.0 for _ in range(RESAMPLES)]
    moved = numpy.stack([sign @ gap for sign in signs])
    return middle + moved, middle - moved


def _normal_intervals(sums: Columns, statistic: Statistic) -> dict[str, tuple[float, float]]:
    """The delta method: the statistic's slope in each column times the spread of the group sums."""
    import numpy

    total = sums.sum(axis=0)
    centre = statistic(total)
    covariance = numpy.cov(sums.T) * len(sums)
    covariance = covariance.reshape(len(total), len(total))
    steps = numpy.maximum(numpy.abs(total), 1.0) * _STEP
    moved = [statistic(total + step * unit) for step, unit in zip(steps, numpy.eye(len(total)), strict=True)]
    result = {}
    for name, value in centre.items():
        slope = numpy.array([(after[name] - value) / step for after, step in zip(moved, steps, strict=True)])
        spread = 1.959964 * float(numpy.sqrt(max(slope @ covariance @ slope, 0.0)))
        # below what the numeric slope can resolve, the groups do not differ at all
        spread = spread if spread > _STEP * max(abs(float(value)), 1.0) else 0.0
        result[name] = (float(value) - spread, float(value) + spread)
    return result


def _middle(values: Columns) -> tuple[float, float]:
    import numpy

    low, high = numpy.percentile(values, [2.5, 97.5])
    return float(low), float(high)
