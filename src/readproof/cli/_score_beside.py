"""A score of letters beside what guessing scores and what others published, best first, as a table for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from readproof.cli._output import print_table

if TYPE_CHECKING:
    from readproof.readers.track import Track
    from readproof.tasks import Score
    from readproof.tasks.references import References

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


def print_beside(result: Score, found: References, track: Track | None) -> None:
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


def _rows(result: Score, found: References, track: Track | None) -> Iterator[tuple[str, str, Mapping[str, float]]]:
    yield _TRACKS[track.closed_track] if track else "", _OURS, result.exact
    for floor in found.floors:
        yield "", floor.name, floor.scores
    for row in found.published:
        yield row.track, row.who, row.scores
