"""Charts of a competition: how the best scores grew, and performance against FLOPs. No words inside, as in reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, floor
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from readproof.board.definition import Competition
from readproof.board.ranking import RankingRow
from readproof.reports import charts

Way = tuple[str, tuple[tuple[datetime, float], ...]]

_DAY = 86400.0
_STEPS = 5
_SERIES = 6
_NEAR = 1e-9
# there is no share outside of these
_PERCENT = (0.0, 100.0)


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing and the names of its series, in the order of their colours."""

    svg: Markup
    names: tuple[str, ...]


def growth(ways: Sequence[Way], competition: Competition) -> Chart | None:
    """The best score of the first teams over time: a step at each better submission."""
    factor = 100.0 if competition.percent else 1.0
    # not more exactly than everybody may know it: the page tells the value of each point
    drawn = [(name, tuple((at, competition.rounded(score)) for at, score in way)) for name, way in ways if way]
    if not drawn:
        return None
    first = min(way[0][0] for _, way in drawn)
    last = max(way[-1][0] for _, way in drawn)
    span = max((last - first).total_seconds() / _DAY, 1 / 24)
    values = [score * factor for _, way in drawn for _, score in way]
    low, high, tick = _range(values, _PERCENT if competition.percent else None)
    graph = _field(span, (low, high), tick)
    graph.x_value_formatter = lambda value: _day(first, value, competition.zone, span)
    for number, (_, way) in enumerate(drawn):
        graph.add(f"team{number}", _steps(way, first, last, factor), show_dots=len(way) < 40)
    return Chart(charts.drawn(graph, [f"team{number}" for number in range(len(drawn))]), tuple(n for n, _ in drawn))


def costs(rows: Sequence[RankingRow], curve: Mapping[str, Sequence[tuple[float, float]]], task: str) -> Chart | None:
    """The points of the first teams in a task beside the baseline's curve."""
    found: list[tuple[str, list[tuple[float, float]]]] = []
    for row in [row for row in rows if row.entry][:_SERIES]:
        points = [(float(x), float(y)) for x, y in row.scores.get("points", {}).get(task, []) if y is not None]
        if points:
            found.append((row.name, sorted(points)))
    line = list(curve.get(task, ()))
    everything = [*line, *(point for _, points in found for point in points)]
    if not found or not everything:
        return None
    low, high, tick = _range([y for _, y in everything], _PERCENT)
    graph = _field(_STEPS * charts.step_of(max(x for x, _ in everything) / _STEPS), (low, high), tick)
    names = []
    if line:
        graph.add("ideal", line, show_dots=False)
        names.append("ideal")
    for number, (_, points) in enumerate(found):
        graph.add(f"team{number}", points)
        names.append(f"team{number}")
    return Chart(charts.drawn(graph, names), tuple(name for name, _ in found))


def curve_points(competition: Competition) -> dict[str, list[tuple[float, float]]]:
    """The baseline of a competition, in GFLOPs."""
    from readproof.efficiency.elue import load_curve

    if competition.task != "celue" or competition.curve is None or not competition.curve.exists():
        return {}
    tasks = load_curve(competition.curve).tasks
    return {task: [(one.flops / 1e9, one.performance) for one in found.points] for task, found in tasks.items()}


def _field(across: float, up: tuple[float, float], tick: float) -> Any:
    return charts.axes((0.0, across), up, tick)


def _steps(way: Sequence[tuple[datetime, float]], first: datetime, last: datetime, factor: float) -> list[Any]:
    points: list[Any] = []
    for at, score in way:
        x = (at - first).total_seconds() / _DAY
        if points:
            points.append((x, points[-1][1]))
        points.append((x, score * factor))
    end = (last - first).total_seconds() / _DAY
    return [*points, (end, points[-1][1])] if end > points[-1][0] else points


def _range(values: Sequence[float], limits: tuple[float, float] | None = None) -> tuple[float, float, float]:
    """Round ends and ticks that hold all values; an axis that a single value would take past the limits is moved."""
    low, high = min(values), max(values)
    tick = charts.step_of(max(high - low, abs(high) * 0.1, 1.0) / _STEPS)
    bottom, top = tick * floor(low / tick + _NEAR), tick * ceil(high / tick - _NEAR)
    if top > bottom:
        return bottom, top, tick
    bottom, top = bottom - tick, top + tick
    over, under = (max(0.0, top - limits[1]), max(0.0, limits[0] - bottom)) if limits else (0.0, 0.0)
    return bottom - over + under, top - over + under, tick


def _day(first: datetime, days: float, zone: ZoneInfo, span: float) -> str:
    moment = datetime.fromtimestamp(first.timestamp() + days * _DAY, zone)
    return f"{moment:%m-%d}" if span > 2 else f"{moment:%H:%M}"
