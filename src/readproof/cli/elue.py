"""`readproof elue`: CELUE packages held against a baseline curve: points, scores, who is best at what cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._output import Json, print_json, print_table, say
from readproof.cli.flops import Trust
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.efficiency.elue import Curve, Gain, Interval
    from readproof.efficiency.evaluate import ElueSettings, Evaluation


# What `readproof elue` shows: points against the curve, scores of tasks and packages, and the same for a program.


# a title, rows with the heads first, and where the figures begin
Grid = tuple[str, Sequence[Sequence[str]], int]

_POINTS = ("submission", "file", "GFLOPs", "M parameters", "performance", "95 % interval", "baseline", "gain", "")
_FLAGS = {"": "", "below": "cheaper than the curve", "above": "dearer than the curve"}


def show(found: Sequence[Evaluation], settings: ElueSettings) -> None:
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


def record(found: Sequence[Evaluation], settings: ElueSettings) -> dict[str, Any]:
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


class Ends(StrEnum):
    """How PKU-SEGPOS predictions count the ends of words: the guide does not say."""

    exclusive = "exclusive"
    inclusive = "inclusive"


def command(
    submissions: Annotated[list[Path], typer.Argument(help="Packages: zip files or folders.")],
    curve: Annotated[
        Path | None,
        typer.Option(help="The baseline curve (JSON) [the one that ships with the package].", show_default=False),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(
            help="Folder with gold answers: TASK.* or TASK/gold.*, test.*, valid.*, dev.*. Without it: costs only."
        ),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw points and curve into this .svg or .html file.")] = None,
    extrapolate: Annotated[
        bool, typer.Option("--extrapolate", help="Carry the curve on straight outside its points; else it is level.")
    ] = False,
    span_ends: Annotated[
        Ends, typer.Option(help="How PKU-SEGPOS predictions count the ends of words.")
    ] = Ends.exclusive,
    limit: Annotated[float, typer.Option(min=0, max=1e6, help="Most parameters allowed, in millions.")] = 140,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    """ELUE scores of CELUE packages: how far their points lie above the baseline at the same FLOPs.

    A package has a folder for each task (ccpm, chnc, cmeee, pku-segpos, wordseg-weibo) with prediction files (one
    point each) and one model_to_eval.py, which runs in a sandbox. With several packages, what no other point beats
    in both performance and FLOPs is marked.

    Examples:

      readproof elue submission.zip --gold gold/

      readproof elue ours.zip theirs.zip --gold gold/ --curve curve.json --plot points.html
    """
    from readproof.efficiency.elue import load_curve, shipped_curve
    from readproof.efficiency.evaluate import ElueSettings, evaluate
    from readproof.efficiency.predictions import ProblemsError

    drawing = _drawing(plot)
    # costs alone need no curve
    baseline = curve or (shipped_curve() if gold else None)
    settings = ElueSettings(
        curve=load_curve(baseline) if baseline else None,
        gold=gold,
        inclusive=span_ends is Ends.inclusive,
        extrapolate=extrapolate,
        limit=round(limit * 1e6),
        trust=trust,
    )
    try:
        found = [evaluate(one, settings, label) for one, label in zip(submissions, _labels(submissions), strict=True)]
    except ProblemsError as error:
        if as_json:
            from readproof.efficiency.predictions import record_of

            print_json({"problems": record_of(error.problems)})
        raise

    if plot and drawing:
        _draw(plot, drawing, found, settings.curve)
    if as_json:
        print_json(record(found, settings))
        return
    show(found, settings)
    for one in found:
        for note in one.notes:
            say(f"note: {note}")
    if plot:
        say(f"wrote {plot}")


def _labels(submissions: list[Path]) -> list[str]:
    """Short names, or whole paths where short ones would be the same."""
    names = [one.name for one in submissions]
    return names if len(set(names)) == len(names) and all(names) else [str(one) for one in submissions]


def _drawing(plot: Path | None) -> str:
    """Which kind of drawing is wanted, told before the work."""
    if plot is None:
        return ""
    if plot.suffix not in (".svg", ".html"):
        raise InputError(file=plot, found=f"the ending {plot.suffix!r}", expected=".svg or .html")
    from readproof.files import check_place

    check_place(plot)
    return plot.suffix


def _draw(plot: Path, kind: str, found: list[Evaluation], curve: Curve | None) -> None:
    from readproof.efficiency import plots
    from readproof.efficiency.evaluate import by_task
    from readproof.files import writing

    tasks = by_task(found)
    with writing(plot) as file:
        file.write(plots.svg(tasks, curve) if kind == ".svg" else plots.page(tasks, curve, grids(found, curve)))
