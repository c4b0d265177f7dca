"""The ELUE score: how far the points of a submission (performance, FLOPs) lie above the baseline's curve.

Of a task: the mean of p − curve(f) over the submitted points, in percentage points. Of a submission: the mean over all
tasks; it is given only if every task of the track is there and within the limit of parameters. The curve itself scores
0. What the organisers left open is settled so: straight lines between the curve's points; outside them the curve is
level (and the point is flagged), or goes on straight if asked to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any, Literal, NoReturn

from readproof.errors import InputError, shown
from readproof.jsonstream import load_json

# The baseline that a submission is held against: performance over FLOPs, straight lines between measured points.
#
#     {"name": "…", "made": {…}, "tasks": {"ccpm": {"points": [{"performance": 71.2, "flops": 1.4e9,
#      "parameters": 24000000, "made": "layer 1, seed 2"}, …], "items": 2720}}}
#
# Performance is in percent, FLOPs are twice the multiply-adds, the mean over the items. `items` (optional) is the
# number of gold items that the points were measured on.


Outside = Literal["", "below", "above"]

_SHIPPED = "curves/celue.json"


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One measured point of a curve."""

    flops: float
    performance: float
    parameters: int | None = None
    made: str = ""


@dataclass(frozen=True, slots=True)
class TaskCurve:
    """The points of one task, by rising FLOPs."""

    points: tuple[CurvePoint, ...]
    items: int | None = None

    def at(self, flops: float, *, extrapolate: bool = False) -> float:
        """The baseline's performance at these FLOPs.

        Before the first point and behind the last one it stays level (clamped), or goes on as its first or last piece
        does (`extrapolate`). A curve of one point is level.
        """
        points = self.points
        outside = self.outside(flops)
        if len(points) == 1 or (outside and not extrapolate):
            return points[-1 if outside == "above" else 0].performance
        right = min(max(bisect_right([one.flops for one in points], flops), 1), len(points) - 1)
        left, next_one = points[right - 1], points[right]
        share = (flops - left.flops) / (next_one.flops - left.flops)
        return left.performance + share * (next_one.performance - left.performance)

    def at_all(self, flops: Any, *, extrapolate: bool = False) -> Any:
        """The same for an array of numpy's."""
        import numpy

        across = numpy.array([one.flops for one in self.points])
        up = numpy.array([one.performance for one in self.points])
        inside = numpy.interp(flops, across, up)
        if not extrapolate or len(across) == 1:
            return inside
        slopes = numpy.diff(up) / numpy.diff(across)
        before = numpy.minimum(flops - across[0], 0.0) * slopes[0]
        return inside + before + numpy.maximum(flops - across[-1], 0.0) * slopes[-1]

    def outside(self, flops: float) -> Outside:
        """Whether the FLOPs lie outside the curve, and on which side."""
        if flops < self.points[0].flops:
            return "below"
        return "above" if flops > self.points[-1].flops else ""


@dataclass(frozen=True, slots=True)
class Curve:
    """A baseline for several tasks, and how it was made."""

    path: Path
    name: str
    tasks: Mapping[str, TaskCurve]
    made: Any = None


def shipped_curve() -> Path:
    """The curve file that ships with the package."""
    return Path(str(files("readproof.efficiency").joinpath(_SHIPPED)))


def load_curve(path: Path | None = None) -> Curve:
    """A curve file, or the one that ships with the package."""
    path = path or shipped_curve()
    whole = load_json(path)
    if not isinstance(whole, dict) or not isinstance(whole.get("tasks"), dict) or not whole["tasks"]:
        raise InputError(file=path, found=shown(whole), expected='a curve: {"tasks": {"ccpm": {"points": […]}, …}}')
    tasks = {name: _task(one, path, f"tasks.{name}") for name, one in whole["tasks"].items()}
    return Curve(path, str(whole.get("name") or path.stem), tasks, whole.get("made"))


def _task(one: Any, path: Path, place: str) -> TaskCurve:
    listed = one.get("points") if isinstance(one, dict) else None
    if not isinstance(listed, list) or not listed:
        _refuse(path, place, shown(one), 'an object {"points": [{"performance": …, "flops": …}, …]}')
    points = sorted(
        (_point(point, path, f"{place}.points[{number}]") for number, point in enumerate(listed)),
        key=lambda point: point.flops,
    )
    _check_points(points, path, place)
    items = one.get("items")
    if items is not None and (type(items) is not int or items < 1):
        _refuse(path, f"{place}.items", shown(items), "a number of items")
    return TaskCurve(tuple(points), items)


def _point(one: Any, path: Path, place: str) -> CurvePoint:
    if not isinstance(one, dict):
        _refuse(path, place, shown(one), "an object with performance and flops")
    parameters = one.get("parameters")
    if parameters is not None and (type(parameters) is not int or parameters < 0):
        _refuse(path, f"{place}.parameters", shown(parameters), "a number of parameters")
    performance = _number(one, "performance", path, place)
    if not 0 <= performance <= 100:
        _refuse(path, f"{place}.performance", shown(performance), "a percentage from 0 to 100")
    flops = _number(one, "flops", path, place)
    if flops <= 0:
        _refuse(path, f"{place}.flops", shown(flops), "FLOPs of an item, over 0")
    return CurvePoint(flops, performance, parameters, str(one.get("made", "")))


def _number(one: dict[str, Any], key: str, path: Path, place: str) -> float:
    value = one.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(path, f"{place}.{key}", shown(value), "a number")
    return float(value)


def _check_points(points: Sequence[CurvePoint], path: Path, place: str) -> None:
    for before, after in pairwise(points):
        if before.flops == after.flops:
            _refuse(path, place, f"two points at {before.flops:g} FLOPs", "one: which is the baseline's?")
    if all(point.performance <= 1 for point in points):
        _refuse(path, place, "no performance over 1", "percentages: 71.2, not 0.712")


def _refuse(path: Path, place: str, found: str, expected: str) -> NoReturn:
    raise InputError(file=path, place=place, found=found, expected=expected)


TASKS = ("ccpm", "chnc", "cmeee", "pku-segpos", "wordseg-weibo")
PARAMETER_LIMIT = 140_000_000
_NORMAL = 1.959964

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class EluePoint:
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

    point: EluePoint
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
class ElueScore:
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
    points: Sequence[EluePoint],
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


def _gain(task: str, point: EluePoint, curve: Curve | None, extrapolate: bool) -> Gain:
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
) -> ElueScore:
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
        return ElueScore(name, found, None, None, missing, over, why)
    scores = [found[task].score or 0.0 for task in tasks]
    mean = sum(scores) / len(scores)
    return ElueScore(name, found, mean, _interval(mean, [found[task] for task in tasks]), (), (), "")


def _interval(mean: float, scores: Sequence[TaskScore]) -> Interval | None:
    """Tasks are measured on different items, so that their errors are independent."""
    spreads = [(one.interval[1] - one.interval[0]) / (2 * _NORMAL) for one in scores if one.interval]
    if len(spreads) < len(scores):
        return None
    half = _NORMAL * sqrt(sum(spread * spread for spread in spreads)) / len(spreads)
    return mean - half, mean + half


def best(points: Sequence[EluePoint]) -> tuple[bool, ...]:
    """Of each point: whether no other is at least as good and as cheap, and better in one of the two (Pareto)."""
    return tuple(not any(_beats(other, point) for other in points) for point in points)


def _beats(one: EluePoint, other: EluePoint) -> bool:
    if one.performance is None or other.performance is None:
        return False
    as_good = one.performance >= other.performance and one.flops <= other.flops
    return as_good and (one.performance > other.performance or one.flops < other.flops)
