"""The baseline that a submission is held against: performance over FLOPs, straight lines between measured points.

    {"name": "…", "made": {…}, "tasks": {"ccpm": {"points": [{"performance": 71.2, "flops": 1.4e9,
     "parameters": 24000000, "made": "layer 1, seed 2"}, …], "items": 2720}}}

Performance is in percent, FLOPs are twice the multiply-adds, the mean over the items. `items` (optional) is the number
of gold items that the points were measured on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NoReturn

from readproof.errors import InputError, shown
from readproof.jsonstream import load_json

Outside = Literal["", "below", "above"]

_SHIPPED = "curves/celue.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """One measured point of a curve."""

    flops: float
    performance: float
    parameters: int | None = None
    made: str = ""


@dataclass(frozen=True, slots=True)
class TaskCurve:
    """The points of one task, by rising FLOPs."""

    points: tuple[Measured, ...]
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


def _point(one: Any, path: Path, place: str) -> Measured:
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
    return Measured(flops, performance, parameters, str(one.get("made", "")))


def _number(one: dict[str, Any], key: str, path: Path, place: str) -> float:
    value = one.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(path, f"{place}.{key}", shown(value), "a number")
    return float(value)


def _check_points(points: Sequence[Measured], path: Path, place: str) -> None:
    for before, after in pairwise(points):
        if before.flops == after.flops:
            _refuse(path, place, f"two points at {before.flops:g} FLOPs", "one: which is the baseline's?")
    if all(point.performance <= 1 for point in points):
        _refuse(path, place, "no performance over 1", "percentages: 71.2, not 0.712")


def _refuse(path: Path, place: str, found: str, expected: str) -> NoReturn:
    raise InputError(file=path, place=place, found=found, expected=expected)
