"""What organisers do: freeze, hide, disqualify with a reason, look at identical predictions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from sqlalchemy import func, select
from sqlalchemy.orm import selectinload

from readproof.board.audit import note
from readproof.board.board import Board, lock
from readproof.board.definition import Competition
from readproof.board.ranking import RankingRow
from readproof.board.tables import Account, Member, Result, Submission, Team
from readproof.board.words import Refusal
from readproof.board.worker import changed

_REASON = 1000


@dataclass(frozen=True, slots=True)
class Same:
    """Submissions of several teams with the same predictions, the earliest first."""

    digest: str
    submissions: tuple[Submission, ...]


def freeze(board: Board, competition: Competition, account: Account, frozen: bool) -> None:
    """The public ranking stays as it is, or goes on."""
    at = board.clock()
    with board.database.writing() as session:
        row = lock(session, competition.slug)
        if not frozen:
            row.frozen_at = row.frozen_without = row.frozen_invalid = None
        elif row.frozen_at is None:
            out = select(Team.id).where(Team.contest == competition.slug, Team.disqualified_at.is_not(None))
            row.frozen_at, row.frozen_without = at, list(session.scalars(out))
            invalid = select(Submission.id).where(
                Submission.contest == competition.slug, Submission.invalid_at.is_not(None)
            )
            row.frozen_invalid = list(session.scalars(invalid))
        changed(session, competition.slug)
        action = "ranking.frozen" if frozen else "ranking.thawed"
        note(session, at, action, account=account.id, contest=competition.slug)


def hide(board: Board, competition: Competition, account: Account, until: datetime | None) -> None:
    """Scores are shown to organisers only until then, or until the date of the competition's file if that is later."""
    at = board.clock()
    with board.database.writing() as session:
        row = lock(session, competition.slug)
        row.hidden_until = until
        changed(session, competition.slug)
        told = until.isoformat() if until else ""
        note(session, at, "ranking.hidden", account=account.id, contest=competition.slug, until=told)


def disqualify(board: Board, competition: Competition, account: Account, team: int, reason: str) -> None:
    """A team leaves the ranking, and the next ranks move up."""
    if not 5 <= len(reason.strip()) <= _REASON:
        raise Refusal("refused.reason")
    _set(board, competition, account, team, board.clock(), reason.strip())


def reinstate(board: Board, competition: Competition, account: Account, team: int) -> None:
    """A team is back."""
    _set(board, competition, account, team, None, "")


def _set(
    board: Board, competition: Competition, account: Account, number: int, at: datetime | None, reason: str
) -> None:
    with board.database.writing() as session:
        wanted = select(Team).where(Team.id == number, Team.contest == competition.slug)
        team = session.execute(wanted.with_for_update()).scalar_one_or_none()
        if team is None:
            raise Refusal("refused.no-such-team", 404)
        team.disqualified_at, team.reason = at, reason
        changed(session, competition.slug)
        action = "team.disqualified" if at else "team.reinstated"
        note(
            session, board.clock(), action, account=account.id, contest=competition.slug, subject=team.name,
            reason=reason,
        )  # fmt: skip


def teams(board: Board, competition: Competition) -> list[Team]:
    with board.database.reading() as session:
        wanted = select(Team).where(Team.contest == competition.slug).order_by(Team.id)
        return list(session.scalars(wanted.options(selectinload(Team.members))))


def people(board: Board, team: int) -> tuple[str, ...]:
    """The names of a team's members, the captain first."""
    with board.database.reading() as session:
        found = session.get(Team, team, options=[selectinload(Team.members).selectinload(Member.account)])
        if found is None:
            return ()
        members = sorted(found.members, key=lambda one: (one.account_id != found.captain_id, one.joined_at))
        return tuple(one.account.name for one in members)


def identical(board: Board, competition: Competition) -> list[Same]:
    """Predictions that more than one team has sent. It is a question, not a proof: simple answers coincide."""
    with board.database.reading() as session:
        shared = (
            select(Result.same)
            .join(Submission, Submission.id == Result.submission_id)
            .where(Submission.contest == competition.slug)
            .group_by(Result.same)
            .having(func.count(func.distinct(Submission.team_id)) > 1)
        )
        wanted = (
            select(Submission, Result.same)
            .join(Result, Result.submission_id == Submission.id)
            .where(Result.same.in_(shared), Submission.contest == competition.slug)
            .order_by(Submission.created_at, Submission.id)
            .options(selectinload(Submission.team))
        )
        found: dict[str, list[Submission]] = {}
        for submission, digest in session.execute(wanted):
            found.setdefault(digest, []).append(submission)
    return [Same(digest, tuple(submissions)) for digest, submissions in found.items()]


# Who runs whose results again: drawn by lot among ranked teams; nobody chooses, and anybody can draw again.


FIRST = 6


@dataclass(frozen=True, slots=True)
class CrossCheckPair:
    """A team, and the team whose submission it runs again."""

    checker: str
    checked: str
    submission: str


def drawn(slug: str, track: str, rows: Sequence[RankingRow], first: int = FIRST) -> tuple[str, list[CrossCheckPair]]:
    """The seed, and one round in which every team checks one other and is checked once.

    The seed follows from the best submissions themselves: it is not known before they are, and the same for everybody.
    """
    entries = [row.entry for row in rows if row.entry and row.rank is not None and row.rank <= first]
    whole = "|".join([slug, track, *sorted(one.submission for one in entries)])
    seed = hashlib.sha256(whole.encode()).hexdigest()[:16]
    order = sorted(entries, key=lambda one: one.team)
    if len(order) < 2:
        return seed, []
    Random(seed).shuffle(order)
    # a ring: nobody gets himself
    pairs = zip(order, [*order[1:], order[0]], strict=True)
    return seed, [CrossCheckPair(one.name, other.name, other.submission) for one, other in pairs]
