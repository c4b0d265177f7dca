"""What organisers do: freeze, hide, disqualify with a reason, look at identical predictions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import selectinload

from readproof.board.audit import note
from readproof.board.board import Board, changed, lock
from readproof.board.definition import Competition
from readproof.board.health import health
from readproof.board.mail import write
from readproof.board.tables import Account, CompetitionOrganiser, Letter, Member, Result, Submission, Team
from readproof.board.times import day_of
from readproof.board.words import Refusal

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
        for member in team.members:
            key = "disqualified" if at else "reinstated"
            write(
                session, board.clock(), member.account.mail, key, team=team.name, title=competition.title, reason=reason
            )
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


def organisers(board: Board, competition: Competition) -> list[CompetitionOrganiser]:
    """Who organises this competition, beside the organisers of the whole board."""
    wanted = select(CompetitionOrganiser).where(CompetitionOrganiser.contest == competition.slug)
    with board.database.reading() as session:
        ordered = wanted.order_by(CompetitionOrganiser.since).options(selectinload(CompetitionOrganiser.account))
        return list(session.scalars(ordered))


def promote(board: Board, competition: Competition, by: Account | None, mail: str) -> Account:
    """Somebody who has an account organises this competition, and none of the others."""
    at = board.clock()
    with board.database.writing() as session:
        lock(session, competition.slug)
        found = session.scalar(
            select(Account).where(Account.mail == mail.strip().lower(), Account.deleted_at.is_(None))
        )
        if found is None:
            raise Refusal("refused.no-account", 404)
        member = session.get(Member, (competition.slug, found.id))
        if member is not None and member.left_at is None:
            # whoever sees the answers does not take part
            raise Refusal("refused.takes-part", 409)
        if session.get(CompetitionOrganiser, (competition.slug, found.id)) is None:
            session.add(CompetitionOrganiser(contest=competition.slug, account_id=found.id, since=at))
            write(session, at, found.mail, "organiser", title=competition.title, address=board.settings.address)
        note(
            session, at, "organiser.promoted", account=by.id if by else None, contest=competition.slug,
            subject=found.mail,
        )  # fmt: skip
        return found


def demote(board: Board, competition: Competition, by: Account | None, number: int) -> None:
    """Somebody no longer organises this competition."""
    with board.database.writing() as session:
        found = session.get(CompetitionOrganiser, (competition.slug, number))
        if found is None:
            raise Refusal("refused.no-account", 404)
        session.delete(found)
        note(
            session, board.clock(), "organiser.demoted", account=by.id if by else None, contest=competition.slug,
            subject=found.account.mail,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statistics:
    """What everybody may know of a competition: teams by kind, those that submitted, and submissions by track."""

    teams: int
    people: int
    submitted: int
    kinds: dict[str, int]
    tracks: dict[str, dict[str, int]]
    days: tuple[tuple[date, int], ...]


def team_counts(board: Board) -> dict[str, int]:
    """How many teams each competition has."""
    with board.database.reading() as session:
        rows = session.execute(select(Team.contest, func.count()).group_by(Team.contest))
        return {str(slug): int(count) for slug, count in rows}


@dataclass(frozen=True, slots=True)
class Dashboard:
    """What an organiser looks at first: who works, what waits, what came today, and what needs a hand."""

    workers: int
    waiting: int
    oldest: float
    today: dict[str, int]
    failed: int
    unsent: int


def dashboard(board: Board, competition: Competition) -> Dashboard:
    """The state of this moment."""
    found = health(board)
    day = day_of(board.clock(), competition.zone)
    with board.database.reading() as session:
        rows = session.execute(
            select(Submission.status, func.count())
            .where(Submission.contest == competition.slug, Submission.day == day)
            .group_by(Submission.status)
        )
        today = {str(status): int(count) for status, count in rows}
        failed = session.scalar(
            select(func.count()).where(Submission.contest == competition.slug, Submission.status == "failed")
        )
        unsent = session.scalar(select(func.count()).where(Letter.sent_at.is_(None), Letter.attempts > 0))
    return Dashboard(found.workers, found.waiting, found.oldest, today, failed or 0, unsent or 0)


def statistics(board: Board, competition: Competition) -> Statistics:
    """Counts, and no names."""
    here = Team.contest == competition.slug
    of_phase = (Submission.contest == competition.slug, Submission.phase == competition.stage)
    with board.database.reading() as session:
        kinds = {str(kind): int(count) for kind, count in session.execute(
            select(Team.kind, func.count()).where(here).group_by(Team.kind))}  # fmt: skip
        people = session.scalar(
            select(func.count()).where(Member.contest == competition.slug, Member.left_at.is_(None))
        )
        submitted = session.scalar(
            select(func.count(func.distinct(Submission.team_id))).where(*of_phase, Submission.status != "refused")
        )
        tracks: dict[str, dict[str, int]] = {track: {} for track in competition.tracks}
        rows = select(Submission.track, Submission.status, func.count()).where(*of_phase)
        for track, status, count in session.execute(rows.group_by(Submission.track, Submission.status)):
            tracks.setdefault(track, {})[status] = int(count)
        daily = select(Submission.day, func.count()).where(*of_phase).group_by(Submission.day).order_by(Submission.day)
        days = tuple((day, int(count)) for day, count in session.execute(daily))
    return Statistics(sum(kinds.values()), people or 0, submitted or 0, kinds, tracks, days)


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
