"""The ELUE score: how far the points of a submission (performance, FLOPs) lie above the baseline's curve.

Of a task: the mean of p − curve(f) over the submitted points, in percentage points. Of a submission: the mean over all
tasks; it is given only if every task of the track is there and within the limit of parameters. The curve itself scores
0. What the organisers left open is settled so: straight lines between the curve's points; outside them the curve is
level (and the point is flagged), or goes on straight if asked to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from readproof.efficiency.curve import Curve, Outside

TASKS = ("ccpm", "chnc", "cmeee", "pku-segpos", "wordseg-weibo")
PARAMETER_LIMIT = 140_000_000
_NORMAL = 1.959964

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One prediction file: how good, and at what cost. `performance` is None where there is no gold to score against.

    `estimated` is the share of the FLOPs that is an estimate.
    """

    file: str
    items: int
    flops: float
    parameters: int
    performance: float | None = None
    interval: Interval | None = None
    estimated: float = 0.0


@dataclass(frozen=True, slots=True)
class Gain:
    """A point held against the curve."""

    point: Point
    baseline: float | None
    gain: float | None
    outside: Outside


@dataclass(frozen=True, slots=True)
class TaskScore:
    """The score of a task over its points, None where it cannot be given; `interval` is that of the score."""

    task: str
    gains: tuple[Gain, ...]
    score: float | None
    interval: Interval | None = None

    @property
    def parameters(self) -> int:
        return max((gain.point.parameters for gain in self.gains), default=0)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a submission; `why` says why there is no mean."""

    name: str
    tasks: Mapping[str, TaskScore]
    mean: float | None
    interval: Interval | None
    missing: tuple[str, ...]
    over_limit: tuple[str, ...]
    why: str


def task_score(
    task: str,
    points: Sequence[Point],
    curve: Curve | None,
    *,
    extrapolate: bool = False,
    interval: Interval | None = None,
) -> TaskScore:
    """The mean gain of a task's points; without performance or without a curve for the task there is none."""
    gains = tuple(_gain(task, point, curve, extrapolate) for point in sorted(points, key=lambda one: one.flops))
    values = [gain.gain for gain in gains if gain.gain is not None]
    whole = bool(gains) and len(values) == len(gains)
    return TaskScore(task, gains, sum(values) / len(values) if whole else None, interval if whole else None)


def _gain(task: str, point: Point, curve: Curve | None, extrapolate: bool) -> Gain:
    one = curve.tasks.get(task) if curve else None
    if one is None:
        return Gain(point, None, None, "")
    baseline = one.at(point.flops, extrapolate=extrapolate)
    gain = None if point.performance is None else point.performance - baseline
    return Gain(point, baseline, gain, one.outside(point.flops))


def score(
    name: str,
    found: Mapping[str, TaskScore],
    *,
    tasks: Sequence[str] = TASKS,
    limit: int = PARAMETER_LIMIT,
) -> Score:
    """The mean over all tasks, or why there is none."""
    missing = tuple(task for task in tasks if task not in found or not found[task].gains)
    over = tuple(task for task in tasks if task in found and found[task].parameters > limit)
    unscored = [task for task in tasks if task not in missing and found[task].score is None]
    reasons = [
        f"tasks are missing: {', '.join(missing)}" if missing else "",
        f"no score for {', '.join(unscored)}" if unscored else "",
        f"over {limit / 1e6:g} M parameters: {', '.join(over)}" if over else "",
    ]
    why = "; ".join(filter(None, reasons))
    if why:
        return Score(name, found, None, None, missing, over, why)
    scores = [found[task].score or 0.0 for task in tasks]
    mean = sum(scores) / len(scores)
    return Score(name, found, mean, _interval(mean, [found[task] for task in tasks]), (), (), "")


def _interval(mean: float, scores: Sequence[TaskScore]) -> Interval | None:
    """Tasks are measured on different items, so that their errors are independent."""
    spreads = [(one.interval[1] - one.interval[0]) / (2 * _NORMAL) for one in scores if one.interval]
    if len(spreads) < len(scores):
        return None
    half = _NORMAL * sqrt(sum(spread * spread for spread in spreads)) / len(spreads)
    return mean - half, mean + half


def best(points: Sequence[Point]) -> tuple[bool, ...]:
    """Of each point: whether no other is at least as good and as cheap, and better in one of the two (Pareto)."""
    return tuple(not any(_beats(other, point) for other in points) for point in points)


def _beats(one: Point, other: Point) -> bool:
    if one.performance is None or other.performance is None:
        return False
    as_good = one.performance >= other.performance and one.flops <= other.flops
    return as_good and (one.performance > other.performance or one.flops < other.flops)
