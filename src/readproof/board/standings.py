"""The ranking as somebody may see it now: frozen, hidden or live. Computed once a change, not once a reader."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.orm import Session

from readproof.board.board import Board
from readproof.board.definition import Competition
from readproof.board.ranking import NEAR, Entry, Row, beside, ranked
from readproof.board.tables import Contest, Result, Submission, Team

Kept = TypeVar("Kept")
_MOST_KEPT = 400
_DRAWN = 6


@dataclass(frozen=True, slots=True)
class View:
    """What of a competition is shown: its version, whether scores are hidden, the moment at which it stands still.

    `without` are the teams that were disqualified at that moment; None where that was not noted.
    """

    version: int
    hidden_until: datetime | None
    frozen_at: datetime | None
    without: tuple[int, ...] | None = None

    def prizes(self, closed: bool) -> bool:
        """Whether ranks are final enough to name prizes: not while the page shows an earlier state."""
        return closed and self.frozen_at is None

    @property
    def key(self) -> tuple[Hashable, ...]:
        return self.version, self.hidden_until is None, self.frozen_at


@dataclass(frozen=True, slots=True)
class Standings:
    """The rows of a track, and the way of the first teams over time."""

    rows: tuple[Row, ...]
    teams: int
    ways: tuple[tuple[str, tuple[tuple[datetime, float], ...]], ...]


def view(board: Board, competition: Competition, *, organiser: bool = False) -> View:
    """What may be seen now; organisers see everything as it is."""
    with board.database.reading() as session:
        found = session.get(Contest, competition.slug)
    if found is None:
        return View(0, None, None)
    # whichever is later: a slip in one place does not publish what the other keeps back
    dates = [one for one in (found.hidden_until, competition.dates.scores_shown) if one and board.clock() < one]
    hidden = max(dates) if dates and not organiser else None
    if organiser or found.frozen_at is None:
        return View(found.version, hidden, None)
    out = found.frozen_without
    return View(found.version, hidden, found.frozen_at, None if out is None else tuple(out))


def standings(board: Board, competition: Competition, track: str, seen: View) -> Standings:
    """The ranking of a track."""
    if seen.hidden_until:
        return Standings((), 0, ())
    with board.database.reading() as session:
        entries = [Entry(*row) for row in session.execute(_best(competition.slug, track, seen))]
        rows = ranked(entries)
        first = [row.entry.team for row in rows[:_DRAWN] if row.entry]
        ways = _ways(session, competition.slug, track, seen.frozen_at, first)
    references = [one for one in competition.references if one.track == track]
    named = tuple((row.name, ways[row.entry.team]) for row in rows[:_DRAWN] if row.entry)
    return Standings(tuple(beside(rows, references)), len(rows), named)


def _best(slug: str, track: str, seen: View) -> Select[Any]:
    """What can be the best submission of a team, by the database: those a hair from its top. `ranked` decides."""
    top = func.max(Result.score).over(partition_by=Submission.team_id)
    count = func.count().over(partition_by=Submission.team_id)
    wanted = (
        select(Submission.id, Submission.team_id, Submission.created_at, Result.score, Result.scores)
        .add_columns(top.label("top"), count.label("count"))
        .join(Result, Result.submission_id == Submission.id)
        .where(Submission.contest == slug, Submission.track == track, Submission.status == "scored")
        .where(Result.score.is_not(None))
    )
    if seen.frozen_at:
        wanted = wanted.where(Result.scored_at <= seen.frozen_at)
    one = wanted.subquery().c
    return (
        select(Team.id, Team.name, Team.organisation, one.score, one.created_at, one.id, one.scores, one.count)
        .join(Team, Team.id == one.team_id)
        .where(one.score >= one.top - NEAR, _qualified(seen))
    )


def _qualified(seen: View) -> ColumnElement[bool]:
    """Which teams stand in the ranking: a frozen one has those that it had, whatever was decided later."""
    if seen.frozen_at is None:
        return Team.disqualified_at.is_(None)
    if seen.without is None:
        return or_(Team.disqualified_at.is_(None), Team.disqualified_at > seen.frozen_at)
    return Team.id.not_in(seen.without)


def _ways(
    session: Session, slug: str, track: str, frozen: datetime | None, teams: list[int]
) -> dict[int, tuple[tuple[datetime, float], ...]]:
    """How the best score of each team grew."""
    wanted = (
        select(Submission.team_id, Submission.created_at, Result.score)
        .join(Result, Result.submission_id == Submission.id)
        .where(Submission.contest == slug, Submission.track == track, Submission.team_id.in_(teams))
        .where(Submission.status == "scored", Result.score.is_not(None))
        .order_by(Submission.created_at)
    )
    if frozen:
        wanted = wanted.where(Result.scored_at <= frozen)
    found: dict[int, list[tuple[datetime, float]]] = {team: [] for team in teams}
    for team, at, score in session.execute(wanted):
        if score is not None and (not found[team] or score > found[team][-1][1]):
            found[team].append((at, score))
    return {team: tuple(way) for team, way in found.items()}


class Cache:
    """Values that many readers want: made by the first, while the others wait; forgotten when newer ones come."""

    def __init__(self) -> None:
        self._values: dict[Hashable, Any] = {}
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def peek(self, key: Hashable) -> Any:
        """What is there already; None where nothing is."""
        return self._values.get(key)

    def get(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        found: Kept | None = self._values.get(key)
        if found is not None:
            return found
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            again: Kept | None = self._values.get(key)
            if again is not None:
                return again
            made = make()
            with self._lock:
                while len(self._values) >= _MOST_KEPT:
                    self._values.pop(next(iter(self._values)))
                self._values[key] = made
                self._making.pop(key, None)
            return made
