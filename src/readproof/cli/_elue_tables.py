"""What `readproof elue` shows: points against the curve, scores of tasks and packages, and the same for a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from readproof.cli._output import print_table

if TYPE_CHECKING:
    from readproof.efficiency.curve import Curve
    from readproof.efficiency.elue import Gain, Interval
    from readproof.efficiency.evaluate import Evaluation, Settings

# a title, rows with the heads first, and where the figures begin
Grid = tuple[str, Sequence[Sequence[str]], int]

_POINTS = ("submission", "file", "GFLOPs", "M parameters", "performance", "95 % interval", "baseline", "gain", "")
_FLAGS = {"": "", "below": "cheaper than the curve", "above": "dearer than the curve"}


def show(found: Sequence[Evaluation], settings: Settings) -> None:
    """Tables for a person."""
    for number, (title, rows, figures) in enumerate(grids(found, settings.curve)):
        if number:
            typer.echo()
        # the last column is of words, where it has no head
        print_table(title, rows[0], rows[1:], right=range(figures, len(rows[0]) - (rows[0][-1] == "")))
    for one in found:
        if one.score.mean is None:
            typer.echo(f"\n{one.score.name}: no mean score ({one.score.why})")


def grids(found: Sequence[Evaluation], curve: Curve | None) -> list[Grid]:
    """The scores first, then each task's points."""
    from readproof.efficiency.evaluate import by_task

    against = f" against {curve.name}" if curve else ""
    tasks = by_task(found)
    heads = ("submission", *tasks, "mean", "95 % interval")
    ranked = sorted(found, key=lambda one: (one.score.mean is None, -(one.score.mean or 0.0), one.score.name))
    rows = [
        (
            one.score.name,
            *(_signed(one.score.tasks[task].score) if task in one.score.tasks else "–" for task in tasks),
            _signed(one.score.mean),
            _interval(one.score.interval),
        )
        for one in ranked
    ]
    grid: list[Grid] = [(f"ELUE scores{against}", [heads, *rows], 1)]
    for task in tasks:
        marked = _marked(task, found)
        grid.append((task, [_POINTS, *(_point(name, gain, free) for name, gain, free in marked)], 2))
    return grid


def _marked(task: str, found: Sequence[Evaluation]) -> list[tuple[str, Gain, bool]]:
    """The points of all packages by rising FLOPs, and whether no other beats them."""
    from readproof.efficiency.elue import best

    gains = [(one.score.name, gain) for one in found if task in one.score.tasks for gain in one.score.tasks[task].gains]
    free = best([gain.point for _, gain in gains])
    rows = [(name, gain, flag) for (name, gain), flag in zip(gains, free, strict=True)]
    return sorted(rows, key=lambda row: (row[1].point.flops, row[0]))


def _point(name: str, gain: Gain, free: bool) -> tuple[str, ...]:
    point = gain.point
    marks = [
        "Pareto" if free and point.performance is not None else "",
        _FLAGS[gain.outside],
        f"{point.estimated:.1%} estimated" if point.estimated else "",
    ]
    return (
        name,
        point.file,
        f"{point.flops / 1e9:.4f}",
        f"{point.parameters / 1e6:.2f}",
        _figure(point.performance),
        _interval(point.interval),
        _figure(gain.baseline),
        _signed(gain.gain),
        ", ".join(filter(None, marks)),
    )


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.2f}"


def _interval(pair: Interval | None) -> str:
    return f"{pair[0]:.2f} – {pair[1]:.2f}" if pair else "–"


def record(found: Sequence[Evaluation], settings: Settings) -> dict[str, Any]:
    """All of it, for a program."""
    curve = settings.curve
    return {
        "curve": {"name": curve.name, "file": str(curve.path), "made": curve.made} if curve else None,
        "extrapolate": settings.extrapolate,
        "parameter_limit": settings.limit,
        "submissions": [_submission(one) for one in found],
        "pareto": _pareto(found),
    }


def _submission(one: Evaluation) -> dict[str, Any]:
    return {
        "name": one.score.name,
        "mean": one.score.mean,
        "interval": one.score.interval,
        "missing_tasks": list(one.score.missing),
        "over_parameter_limit": list(one.score.over_limit),
        "why_no_mean": one.score.why,
        "tasks": {
            task: {
                "score": scored.score,
                "interval": scored.interval,
                "parameters": scored.parameters,
                "points": [_gain(gain) for gain in scored.gains],
            }
            for task, scored in one.score.tasks.items()
        },
        "notes": list(one.notes),
    }


def _gain(gain: Gain) -> dict[str, Any]:
    outside = gain.outside or None
    return {**asdict(gain.point), "baseline": gain.baseline, "gain": gain.gain, "outside_baseline": outside}


def _pareto(found: Sequence[Evaluation]) -> Mapping[str, list[dict[str, str]]]:
    """Of each task, the points that no other beats, by rising FLOPs."""
    tasks = sorted({task for one in found for task in one.score.tasks})
    return {
        task: [
            {"submission": name, "file": gain.point.file}
            for name, gain, free in _marked(task, found)
            if free and gain.point.performance is not None
        ]
        for task in tasks
    }
