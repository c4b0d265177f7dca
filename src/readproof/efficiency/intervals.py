"""How sure a gain is: the items are drawn anew, and with them both the performance and the FLOPs of every point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readproof.efficiency.curve import TaskCurve
from readproof.efficiency.rules import FLOPS_PER_MAC
from readproof.stats import Columns, Sample, intervals
from readproof.tasks import Score


def gain_interval(
    scores: Sequence[Score],
    headlines: Sequence[str],
    macs: Sequence[Columns],
    curve: TaskCurve,
    *,
    extrapolate: bool = False,
) -> tuple[float, float] | None:
    """The 95 % interval of the mean gain over points that were measured on the same items; `macs` by item.

    None where it cannot be told: one item only, or items without gold.
    """
    import numpy

    groups = scores[0].sample.groups
    alike = all(numpy.array_equal(one.sample.groups, groups) for one in scores)
    if not alike or any(len(one) != len(groups) for one in macs):
        return None
    columns: list[Any] = [numpy.ones(len(groups))]
    widths = []
    for one, cost in zip(scores, macs, strict=True):
        columns += [*one.sample.columns, cost]
        widths.append(len(one.sample.columns))

    def statistic(sums: Columns) -> Mapping[str, Any]:
        total: Any = 0.0
        at = 1
        for one, headline, width in zip(scores, headlines, widths, strict=True):
            performance = one.sample.statistic(sums[..., at : at + width])[headline]
            flops = FLOPS_PER_MAC * sums[..., at + width] / sums[..., 0]
            total = total + performance - curve.at_all(flops, extrapolate=extrapolate)
            at += width + 1
        return {"gain": total / len(scores)}

    return intervals(Sample(columns, groups, statistic)).get("gain")
