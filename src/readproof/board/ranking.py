"""Who is first: a pure function. The best of each team counts; equal scores share a rank; no score, no rank.

Scores are equal when they agree to nine decimals: the same share can be reached by different sums. Among equals the
earlier submission stands first, but the rank is the same, and the next rank counts all before it (1, 1, 3).
"""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import isfinite
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, and_, func, literal, or_, select, union_all
from sqlalchemy.orm import Session

from readproof.board.basis import NO_BASIS, ScoringBasis, basis_of
from readproof.board.board import Board
from readproof.board.definition import Competition, Reference
from readproof.board.tables import (
    AwardWithdrawal,
    CompetitionState,
    Extension,
    FinalChoice,
    PastResult,
    Result,
    Submission,
    Team,
)

_DECIMALS = 9
# scores further apart than this are never equal
NEAR = 2 * 10.0**-_DECIMALS


@dataclass(frozen=True, slots=True)
class RankingEntry:
    """A scored submission of a team; `count` is how many the team has in the track.

    It is `outdated` where its score rests on another gold or scorer than is used now. `score` is what teams see while a
    phase lasts; `chosen` and `final` count when it is over: the submission that the team chose, and its score on the
    part of the gold that decides.
    """

    team: int
    name: str
    organisation: str
    score: float | None
    at: datetime
    submission: str = ""
    scores: Mapping[str, Any] = field(default_factory=dict)
    count: int = 1
    outdated: bool = False
    chosen: bool = False
    final: float | None = None
    final_scores: Mapping[str, Any] | None = None
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A line of the ranking; a reference has no rank and no team. Prizes go by `award`, the rank among those who keep
    theirs."""

    rank: int | None
    name: str
    score: float
    entry: RankingEntry | None = None
    reference: Reference | None = None
    award: int | None = None

    @property
    def scores(self) -> Mapping[str, Any]:
        return self.entry.scores if self.entry else self.reference.scores if self.reference else {}


def ranked(entries: Iterable[RankingEntry], *, final: bool = False) -> list[RankingRow]:
    """The best entry of each team, the best team first.

    In a `final` ranking a team stands with the entry that it chose, or with its best one by what it could see, and by
    the part of the gold that decides, where there is one. Nobody's entry is picked by scores that nobody could see.
    """
    best: dict[int, RankingEntry] = {}
    for one in entries:
        if one.score is None or not isfinite(one.score):
            continue
        if one.team not in best or _picked(one, final) < _picked(best[one.team], final):
            best[one.team] = one
    if final:
        decided = [_decided(one) for one in best.values()]
        best = {one.team: one for one in decided if one.score is not None and isfinite(one.score)}
    rows: list[RankingRow] = []
    kept: list[RankingRow] = []
    for place, one in enumerate(sorted(best.values(), key=_order), 1):
        score = one.score or 0.0
        row = RankingRow(_place(rows, score, place), one.name, score, entry=one)
        if not one.withdrawn:
            row = replace(row, award=_award(kept, score))
            kept.append(row)
        rows.append(row)
    return rows


def _place(rows: Sequence[RankingRow], score: float, place: int) -> int | None:
    shared = rows and _rounded(rows[-1].score) == _rounded(score)
    return rows[-1].rank if shared else place


def _award(kept: Sequence[RankingRow], score: float) -> int | None:
    shared = kept and _rounded(kept[-1].score) == _rounded(score)
    return kept[-1].award if shared else len(kept) + 1


def beside(rows: Sequence[RankingRow], references: Iterable[Reference]) -> list[RankingRow]:
    """The ranking with reference rows where their scores put them, after teams that are as good."""
    others = [RankingRow(None, one.name, one.score, reference=one) for one in references]
    return sorted([*rows, *others], key=lambda row: (-_rounded(row.score), row.rank is None))


def _picked(one: RankingEntry, final: bool) -> tuple[Any, ...]:
    return (not one.chosen if final else False, *_order(one))


def _decided(one: RankingEntry) -> RankingEntry:
    """An entry with the score that decides in the place of the one that was shown."""
    if one.final_scores is None:
        return one
    return replace(one, score=one.final, scores=one.final_scores)


def _order(one: RankingEntry) -> tuple[float, datetime, str, float]:
    return -_rounded(one.score or 0.0), one.at, one.submission, -(one.score or 0.0)


def _rounded(score: float) -> float:
    return round(score, _DECIMALS)


# The ranking as somebody may see it now: frozen, hidden or live. Computed once a change, not once a reader.


Kept = TypeVar("Kept")
_MOST_KEPT = 400
_DRAWN = 6


@dataclass(frozen=True, slots=True)
class StandingsView:
    """What of a competition is shown: its version, whether scores are hidden, the moment at which it stands still.

    `without` are the teams that were disqualified at that moment, `invalid` the submissions that were invalid; None
    where that was not noted. `basis` is what scores rest on now. `final` is whether the phase is over, so that what
    teams chose and the part of the gold that decides count; `final_at` is when that is, where it is not yet.
    """

    version: int
    hidden_until: datetime | None
    frozen_at: datetime | None
    without: tuple[int, ...] | None = None
    invalid: tuple[str, ...] = ()
    basis: ScoringBasis = NO_BASIS
    stage: str = ""
    final: bool = False
    final_at: datetime | None = None

    def prizes(self, closed: bool) -> bool:
        """Whether ranks are final enough to name prizes: not while the page shows an earlier state."""
        return closed and self.final and self.frozen_at is None

    @property
    def key(self) -> tuple[Hashable, ...]:
        return self.version, self.hidden_until is None, self.frozen_at, self.basis, self.stage, self.final


@dataclass(frozen=True, slots=True)
class Standings:
    """The rows of a track, and the way of the first teams over time."""

    rows: tuple[RankingRow, ...]
    teams: int
    ways: tuple[tuple[str, tuple[tuple[datetime, float], ...]], ...]


def view(board: Board, competition: Competition, *, organiser: bool = False) -> StandingsView:
    """What may be seen now; organisers see everything as it is."""
    at = board.clock()
    with board.database.reading() as session:
        found = session.get(CompetitionState, competition.slug)
        longest = session.scalar(
            select(func.max(Extension.until)).where(
                Extension.contest == competition.slug, Extension.phase == competition.stage
            )
        )
    if found is None:
        return StandingsView(0, None, None)
    # whichever is later: a slip in one place does not publish what the other keeps back
    dates = [one for one in (found.hidden_until, competition.dates.scores_shown) if one and at < one]
    hidden = max(dates) if dates and not organiser else None
    basis, stage = basis_of(competition), competition.stage
    # whoever has more time must not learn meanwhile how the rest of the gold decides
    ends = [one for one in (competition.dates.submission_closes, longest) if one]
    final_at = max(ends) if organiser else max([*ends, *([competition.final_shown] if competition.final_shown else [])])
    if organiser or found.frozen_at is None:
        return StandingsView(
            found.version, hidden, None, basis=basis, stage=stage, final=at >= final_at, final_at=final_at
        )
    out, invalid = found.frozen_without, tuple(found.frozen_invalid or ())
    without = None if out is None else tuple(out)
    return StandingsView(
        found.version, hidden, found.frozen_at, without, invalid, basis, stage, found.frozen_at >= final_at, final_at
    )


def standings(board: Board, competition: Competition, track: str, seen: StandingsView) -> Standings:
    """The ranking of a track."""
    if seen.hidden_until:
        return Standings((), 0, ())
    with board.database.reading() as session:
        rows = session.execute(_best(competition.slug, track, seen)).all()
        gone = set(
            session.scalars(
                select(AwardWithdrawal.team_id).where(
                    AwardWithdrawal.contest == competition.slug, AwardWithdrawal.track == track
                )
            )
        )
        entries = [_entry(row, seen.basis, gone) for row in rows]
        ranking = ranked(entries, final=seen.final)
        first = [row.entry.team for row in ranking[:_DRAWN] if row.entry]
        ways = _ways(session, competition.slug, track, seen, first)
    references = [one for one in competition.references if one.track == track]
    named = tuple((row.name, ways[row.entry.team]) for row in ranking[:_DRAWN] if row.entry)
    return Standings(tuple(beside(ranking, references)), len(ranking), named)


def _entry(row: Any, basis: ScoringBasis, gone: Collection[int]) -> RankingEntry:
    """What `_best` found of a submission; `gone` are the teams without an award."""
    team, name, organisation, score, at, number, scores, count, gold, scorer, chosen, final, final_scores = row
    return RankingEntry(
        team, name, organisation, score, at, number, scores, count,
        outdated=gold != basis.gold or scorer != basis.scorer, chosen=chosen is not None, final=final,
        final_scores=final_scores, withdrawn=team in gone,
    )  # fmt: skip


def _best(slug: str, track: str, seen: StandingsView) -> Select[Any]:
    """What can be the best submission of a team, by the database: those a hair from its top, and what it chose.

    `ranked` decides.
    """
    result, wide = _results(seen), _results(seen)
    top = func.max(result.c.score).over(partition_by=Submission.team_id)
    count = func.count().over(partition_by=Submission.team_id)
    # narrow while it goes over all submissions: what else is wanted is fetched for the few that are left
    wanted = (
        select(Submission.id, Submission.team_id, Submission.created_at, result.c.score)
        .add_columns(top.label("top"), count.label("count"))
        .join(result, result.c.submission_id == Submission.id)
        .where(*_ranked_rows(slug, track, seen))
        .where(result.c.score.is_not(None))
    )
    one = wanted.subquery().c
    chosen = and_(FinalChoice.submission_id == one.id, FinalChoice.phase == seen.stage, FinalChoice.track == track)
    return (
        select(Team.id, Team.name, Team.organisation, one.score, one.created_at, one.id, wide.c.scores, one.count)
        .add_columns(wide.c.gold, wide.c.scorer, FinalChoice.submission_id, wide.c.final_score, wide.c.final_scores)
        .join(Team, Team.id == one.team_id)
        .join(wide, wide.c.submission_id == one.id)
        .outerjoin(FinalChoice, chosen)
        .where(or_(one.score >= one.top - NEAR, FinalChoice.submission_id.is_not(None)), _qualified(seen))
    )


def _ranked_rows(slug: str, track: str, seen: StandingsView) -> tuple[ColumnElement[bool], ...]:
    """Which submissions can be ranked at all."""
    return (
        Submission.contest == slug,
        Submission.phase == seen.stage,
        Submission.track == track,
        Submission.status == "scored",
        Submission.late.is_(False),
        _valid(seen),
    )


def _results(seen: StandingsView) -> Any:
    """Results as they are, or as they were when the ranking was frozen: later scores do not show."""
    if seen.frozen_at is None:
        return Result.__table__.alias()
    columns = ("submission_id", "score", "scores", "gold", "scorer", "final_score", "final_scores")
    now = select(*(getattr(Result, name) for name in columns)).where(Result.scored_at <= seen.frozen_at)
    past = select(*(getattr(PastResult, name) for name in columns))
    past = past.where(PastResult.scored_at <= seen.frozen_at, PastResult.replaced_at > seen.frozen_at)
    return union_all(now, past).subquery()


def _valid(seen: StandingsView) -> ColumnElement[bool]:
    """Which submissions count; a frozen ranking keeps those that it had."""
    if seen.frozen_at is None:
        return Submission.invalid_at.is_(None)
    return Submission.id.not_in(seen.invalid) if seen.invalid else literal(True)


def _qualified(seen: StandingsView) -> ColumnElement[bool]:
    """Which teams stand in the ranking: a frozen one has those that it had, whatever was decided later."""
    if seen.frozen_at is None:
        return Team.disqualified_at.is_(None)
    if seen.without is None:
        return or_(Team.disqualified_at.is_(None), Team.disqualified_at > seen.frozen_at)
    return Team.id.not_in(seen.without)


def _ways(
    session: Session, slug: str, track: str, seen: StandingsView, teams: list[int]
) -> dict[int, tuple[tuple[datetime, float], ...]]:
    """How the best score of each team grew."""
    result = _results(seen)
    wanted = (
        select(Submission.team_id, Submission.created_at, result.c.score)
        .join(result, result.c.submission_id == Submission.id)
        .where(*_ranked_rows(slug, track, seen), Submission.team_id.in_(teams), result.c.score.is_not(None))
        .order_by(Submission.created_at)
    )
    found: dict[int, list[tuple[datetime, float]]] = {team: [] for team in teams}
    for team, at, score in session.execute(wanted):
        if score is not None and (not found[team] or score > found[team][-1][1]):
            found[team].append((at, score))
    return {team: tuple(way) for team, way in found.items()}


class StandingsCache:
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


# The ranking for other programs: one record a row, as JSON or CSV.


# by which a spreadsheet knows UTF-8
MARK = "\ufeff"
# a spreadsheet takes a cell that begins so for a formula
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def records(competition: Competition, seen: StandingsView, found: Standings, at: datetime) -> list[dict[str, Any]]:
    """The rows in order; prizes when submission has ended."""
    prizes = seen.prizes(competition.phase(at) == "closed")
    rows = []
    for row in found.rows:
        prize = competition.prize(row.award) if prizes else None
        rows.append(
            {
                "rank": row.rank,
                "name": row.name,
                "organisation": row.entry.organisation if row.entry else "",
                "reference": row.reference is not None,
                competition.headline: competition.rounded(row.score),
                **{name: competition.rounded(row.scores.get(name)) for name in competition.columns},
                "submitted_at": row.entry.at.isoformat() if row.entry else None,
                "submissions": row.entry.count if row.entry else None,
                "outdated": row.entry.outdated if row.entry else False,
                "prize": {"en": prize.en, "zh": prize.zh} if prize else None,
            }
        )
    return rows


def as_record(
    competition: Competition, track: str, seen: StandingsView, found: Standings, at: datetime
) -> dict[str, Any]:
    """A whole ranking for a program."""
    return {
        "competition": competition.slug,
        "phase": competition.stage,
        "final": seen.final,
        "track": track,
        "version": seen.version,
        "hidden_until": seen.hidden_until.isoformat() if seen.hidden_until else None,
        "frozen_at": seen.frozen_at.isoformat() if seen.frozen_at else None,
        "closed": competition.phase(at) == "closed",
        "rows": records(competition, seen, found, at),
    }


def as_csv(competition: Competition, seen: StandingsView, found: Standings, at: datetime) -> str:
    """The same for a spreadsheet."""
    out = io.StringIO()
    rows = records(competition, seen, found, at)
    heads = ["rank", "name", "organisation", "reference", competition.headline, *competition.columns]
    writer = csv.writer(out)
    writer.writerow([*heads, "submitted_at", "submissions", "outdated", "prize_en", "prize_zh"])
    for row in rows:
        prize = row["prize"] or {"en": "", "zh": ""}
        values = [*(row[name] for name in heads), *(row[name] for name in ("submitted_at", "submissions", "outdated"))]
        values += [prize["en"], prize["zh"]]
        writer.writerow([cell(value) for value in values])
    return MARK + out.getvalue()


def cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else "" if value is None else value
