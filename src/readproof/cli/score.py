"""`readproof score`: the official score of a prediction file, with counts, intervals and a paired test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from readproof.cli._output import Json, print_json, print_table, say, until_closed
from readproof.errors import InputError

if TYPE_CHECKING:
    from readproof.items import Item
    from readproof.readers.track import TrackRecord
    from readproof.stats import PairedDifference
    from readproof.tasks import Score
    from readproof.tasks.base import Task
    from readproof.tasks.references import References


# A score of letters beside what guessing scores and what others published, best first, as a table for people.


_OURS = "→ these predictions"
_TRACKS = {"yes": "closed", "no": "open", "unknown": "?"}


def record_of(found: References) -> dict[str, Any]:
    """For programs; all figures in the unit of the score itself."""
    return {
        "unit": found.unit,
        "headline": found.headline,
        "floors": [{"name": floor.name, **floor.scores} for floor in found.floors],
        "published": [
            {"who": row.who, "track": row.track, "measured_on": row.measured_on, **row.scores}
            for row in found.published
        ],
    }


def print_beside(result: Score, found: References, track: TrackRecord | None) -> None:
    """The table, and that published rows are of another set."""
    names = [found.headline, *(name for name in result.exact if name != found.headline)]
    factor = 100.0 if found.unit == "share" else 1.0
    rows = sorted(_rows(result, found, track), key=lambda row: -row[2][found.headline])
    lead = 2 if found.published else 1
    print_table(
        "beside it, in percent",
        ("track", "who", *names)[-lead - len(names) :],
        [
            (where, who, *(f"{factor * scores[name]:.2f}" if name in scores else "" for name in names))[
                -lead - len(names) :
            ]
            for where, who, scores in rows
        ],
        right=range(lead, lead + len(names)),
    )
    if found.published:
        sets = " and ".join(sorted({row.measured_on for row in found.published}))
        typer.echo(f"\nPublished rows were measured on the {sets} set of the task, not on this file.")


def _rows(
    result: Score, found: References, track: TrackRecord | None
) -> Iterator[tuple[str, str, Mapping[str, float]]]:
    yield _TRACKS[track.closed_track] if track else "", _OURS, result.exact
    for floor in found.floors:
        yield "", floor.name, floor.scores
    for row in found.published:
        yield row.track, row.who, row.scores


def command(
    task: Annotated[str, typer.Argument(help="The task, such as cmrc2018 or gcrc (see `readproof list tasks`).")],
    predictions: Annotated[Path, typer.Argument(help="The predictions, in the task's official format.")],
    gold: Annotated[Path, typer.Argument(help="The data file with the gold answers; plain, .gz or .xz.")],
    metric: Annotated[
        str,
        typer.Option(
            help="official (as the published scorer), strict (as a fair one), simple, squad, squad2, …; "
            "the task's first metric if not given.",
            show_default=False,
        ),
    ] = "",
    strict: Annotated[bool, typer.Option("--strict", help="Short for --metric strict.")] = False,
    against: Annotated[
        Path | None, typer.Option(help="Other predictions for the same gold: prints the paired difference.")
    ] = None,
    only: Annotated[
        Path | None,
        typer.Option(
            help="Count only the items that this file names (JSON lines with an id, or a variants' record), and only "
            "their predictions."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Score predictions as the official scorer does, to the last digit.

    Letters are held beside what guessing scores on the same file and, for the official metric, beside what others
    published. Who answered is told where `readproof answer` left OUT.reader.json beside the predictions.

    Examples:

      readproof score cmrc2018 predictions.json dev.json

      readproof score gcrc mine.json dev.json --strict --against theirs.json
    """
    from readproof.tasks import TASKS
    from readproof.tasks.references import references
    from readproof.tasks.scoring import compare
    from readproof.tasks.scoring import score as scored

    if strict and metric not in ("", "strict"):
        raise InputError(found=f"--strict and --metric {metric}", expected="one of the two")
    chosen = TASKS.get(task)
    name = "strict" if strict else metric
    kept = _ids(only) if only else None
    items: list[Item] = []
    lettered = chosen.kind in ("choice", "triple")
    measured = partial(scored, chosen, gold=gold, metric=name, only=kept, named_by=only or "")
    result = measured(predictions, seen=items.append if lettered else None)
    differences = compare(result, measured(against)) if against else {}
    beside = references(chosen, result, items)
    _, citation = chosen.cited(gold)
    track, doubt = _track(predictions)
    notes = [*result.notes, *(beside.notes if beside else ()), *doubt, *_other_task(chosen, gold)]
    if as_json:
        print_json(_record(result, differences, citation, notes, beside, track))
        return
    with until_closed():
        _print(result, differences, against)
        if beside:
            typer.echo()
            print_beside(result, beside, track)
        if track:
            from readproof.readers.track import in_words

            for line in ("", *in_words(track, closed=chosen.kind == "triple", options=lettered)):
                typer.echo(line)
    for note in notes:
        say(f"note: {note}")
    if citation:
        say(f"Please cite: {citation}")


def _track(predictions: Path) -> tuple[TrackRecord | None, list[str]]:
    """Who answered, as far as it is known, and what there is to doubt; a damaged record does not stop a score."""
    from readproof.readers.track import read_track

    try:
        track = read_track(predictions)
    except InputError as error:
        return None, [f"{error} Who answered is left out."]
    if track and not track.independent:
        return track, ["Not independent: the three questions of a triple were asked together."]
    return track, []


def _other_task(task: Task, gold: Path) -> list[str]:
    """A gold file that is clearly another task's: of another kind, or in other languages."""
    from readproof.tasks import recognised

    own = recognised(gold)
    if own is None:
        return []
    apart = own.kind != task.kind or not set(own.languages) & set(task.languages)
    return [f"{gold} looks like a file of {own.name}, and is scored as {task.name}"] if apart else []


def _ids(path: Path) -> set[str]:
    """The ids that a file names: of each line, or of the item in it."""
    from readproof.jsonstream import records

    found = set()
    for place, record in records(path):
        item = record.get("item", record) if isinstance(record, dict) else None
        if not isinstance(item, dict) or not isinstance(item.get("id", item.get("origin")), str):
            raise InputError(
                file=path, place=place, found="a record without an id", expected='"id", or "item" with one'
            )
        if "id" in item:  # the others tell of items without a variant
            found.add(item["id"])
    return found


def _record(
    result: Score,
    differences: Mapping[str, PairedDifference],
    citation: str,
    notes: Sequence[str],
    beside: References | None,
    track: TrackRecord | None,
) -> dict[str, Any]:
    """The published scorer's figures as numbers, and under `official` with the types it prints them in."""
    record: dict[str, Any] = {name: _number(value) for name, value in result.official.items()}
    record |= {
        "official": dict(result.official),
        "exact": dict(result.exact),
        "counts": dict(result.counts),
        "intervals": {name: list(pair) for name, pair in result.intervals.items()},
        "task": result.task,
        "metric": result.metric,
        "notes": list(notes),
        "citation": citation,
    }
    if beside:
        record["references"] = record_of(beside)
    if track:
        record["read_by"] = asdict(track)
    if differences:
        record["against"] = {
            name: {"difference": one.difference, "interval": [one.low, one.high], "p": one.p}
            for name, one in differences.items()
        }
    return record


def _print(result: Score, differences: Mapping[str, PairedDifference], against: Path | None) -> None:
    rows = []
    for name, value in result.exact.items():
        pair = result.intervals.get(name)
        rows.append((name, _figure(result.official.get(name, value)), f"{pair[0]:.3f} – {pair[1]:.3f}" if pair else ""))
    print_table(f"{result.task}, {result.metric} metric", ("score", "value", "95 % interval"), rows, right=(1,))
    counted = ", ".join(f"{number} {name}" for name, number in result.counts.items() if number or name == "items")
    typer.echo(f"\n{counted}")
    if against and differences:
        typer.echo()
        print_table(
            f"against {against}",
            ("score", "difference", "95 % interval", "p"),
            [
                (name, f"{one.difference:+.3f}", f"{one.low:+.3f} – {one.high:+.3f}", f"{one.p:.3f}")
                for name, one in differences.items()
            ],
            right=(1, 3),
        )


def _number(value: object) -> object:
    """CMRC's scorer prints its figures as text, with three digits; a program wants numbers."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:  # the name of a file
        return value


def _figure(value: object) -> str:
    return str(value) if isinstance(value, str) else f"{value:.3f}" if isinstance(value, float) else str(value)
