"""Who is first: a pure function. The best of each team counts; equal scores share a rank; no score, no rank.

Scores are equal when they agree to nine decimals: the same share can be reached by different sums. Among equals the
earlier submission stands first, but the rank is the same, and the next rank counts all before it (1, 1, 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite
from typing import Any

from readproof.board.definition import Reference

_DECIMALS = 9
# scores further apart than this are never equal
NEAR = 2 * 10.0**-_DECIMALS


@dataclass(frozen=True, slots=True)
class Entry:
    """A scored submission of a team; `count` is how many the team has in the track."""

    team: int
    name: str
    organisation: str
    score: float | None
    at: datetime
    submission: str = ""
    scores: Mapping[str, Any] = field(default_factory=dict)
    count: int = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the ranking; a reference has no rank and no team."""

    rank: int | None
    name: str
    score: float
    entry: Entry | None = None
    reference: Reference | None = None

    @property
    def scores(self) -> Mapping[str, Any]:
        return self.entry.scores if self.entry else self.reference.scores if self.reference else {}


def ranked(entries: Iterable[Entry]) -> list[Row]:
    """The best entry of each team, the best team first."""
    best: dict[int, Entry] = {}
    for one in entries:
        if one.score is None or not isfinite(one.score):
            continue
        if one.team not in best or _order(one) < _order(best[one.team]):
            best[one.team] = one
    rows: list[Row] = []
    for place, one in enumerate(sorted(best.values(), key=_order), 1):
        score = one.score or 0.0
        shared = rows and _rounded(rows[-1].score) == _rounded(score)
        rows.append(Row(rows[-1].rank if shared else place, one.name, score, entry=one))
    return rows


def beside(rows: Sequence[Row], references: Iterable[Reference]) -> list[Row]:
    """The ranking with reference rows where their scores put them, after teams that are as good."""
    others = [Row(None, one.name, one.score, reference=one) for one in references]
    return sorted([*rows, *others], key=lambda row: (-_rounded(row.score), row.rank is None))


def _order(one: Entry) -> tuple[float, datetime, str]:
    return -_rounded(one.score or 0.0), one.at, one.submission


def _rounded(score: float) -> float:
    return round(score, _DECIMALS)
