"""`readproof elue`: CELUE packages held against a baseline curve: points, scores, who is best at what cost."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from readproof.cli._output import Json, print_json, say
from readproof.cli.flops import Trust
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.efficiency.curve import Curve
    from readproof.efficiency.evaluate import Evaluation


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
    from readproof.efficiency.curve import load_curve, shipped_curve
    from readproof.efficiency.evaluate import Settings, evaluate
    from readproof.efficiency.problems import ProblemsError

    drawing = _drawing(plot)
    # costs alone need no curve
    baseline = curve or (shipped_curve() if gold else None)
    settings = Settings(
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
            from readproof.efficiency.problems import record_of

            print_json({"problems": record_of(error.problems)})
        raise
    from readproof.cli import _elue_tables as tables

    if plot and drawing:
        _draw(plot, drawing, found, settings.curve)
    if as_json:
        print_json(tables.record(found, settings))
        return
    tables.show(found, settings)
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
    from readproof.cli._elue_tables import grids
    from readproof.efficiency import plots
    from readproof.efficiency.evaluate import by_task
    from readproof.files import writing

    tasks = by_task(found)
    with writing(plot) as file:
        file.write(plots.svg(tasks, curve) if kind == ".svg" else plots.page(tasks, curve, grids(found, curve)))
