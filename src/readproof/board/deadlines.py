"""When a phase ends for a team, and with what: more time for one team, and the submission that it chose."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, selectinload

from readproof.board.audit import note
from readproof.board.board import Board, changed, lock
from readproof.board.definition import Competition
from readproof.board.receiving import deadline
from readproof.board.tables import Account, Extension, FinalChoice, Member, Submission, Team
from readproof.board.times import written
from readproof.board.words import Refusal

_REASON = 1000


def choose(board: Board, competition: Competition, member: Member, number: str) -> None:
    """The submission that counts at the end of its phase, until the team chooses another."""
    at = board.clock()
    with board.database.writing() as session:
        _refuse_over(session, competition, member.team_id, at)
        found = session.get(Submission, number)
        if found is None or found.team_id != member.team_id or found.phase != competition.stage:
            raise Refusal("refused.no-page", 404)
        if found.status not in ("waiting", "scored") or found.late or found.invalid_at:
            raise Refusal("refused.no-choice", 409)
        _forget(session, member.team_id, found.phase, found.track)
        session.add(
            FinalChoice(
                team_id=member.team_id, phase=found.phase, track=found.track, submission_id=number,
                account_id=member.account_id, chosen_at=at,
            )
        )  # fmt: skip
        _noted(session, competition, member, "submission.chosen", number, at)


def unchoose(board: Board, competition: Competition, member: Member, number: str) -> None:
    """The best submission counts again."""
    at = board.clock()
    with board.database.writing() as session:
        _refuse_over(session, competition, member.team_id, at)
        found = session.get(Submission, number)
        if found is None or found.team_id != member.team_id:
            raise Refusal("refused.no-page", 404)
        _forget(session, member.team_id, found.phase, found.track)
        _noted(session, competition, member, "submission.unchosen", number, at)


def _forget(session: Session, team: int, phase: str, track: str) -> None:
    session.execute(
        delete(FinalChoice).where(FinalChoice.team_id == team, FinalChoice.phase == phase, FinalChoice.track == track)
    )


def _noted(session: Session, competition: Competition, member: Member, action: str, number: str, at: datetime) -> None:
    changed(session, competition.slug)
    note(session, at, action, account=member.account_id, contest=competition.slug, subject=number)


def _refuse_over(session: Session, competition: Competition, team: int, at: datetime) -> None:
    """What counts is decided before the phase ends: afterwards scores are known that must not decide."""
    # whoever holds the team's row decides alone
    session.execute(select(Team.id).where(Team.id == team).with_for_update())
    closes = deadline(session, competition, team)
    if at >= closes:
        opens = written(competition.dates.submission_opens, competition.zone)
        raise Refusal("refused.closed", 403, opens=opens, closed=written(closes, competition.zone))


def chosen(board: Board, team: int) -> set[str]:
    """What a team has chosen, in all phases and tracks."""
    with board.database.reading() as session:
        return set(session.scalars(select(FinalChoice.submission_id).where(FinalChoice.team_id == team)))


def extend(board: Board, competition: Competition, account: Account, team: int, until: datetime, reason: str) -> None:
    """More time for a team in a phase, or less than was given before."""
    if len(reason.strip()) > _REASON:
        raise Refusal("refused.long")
    at = board.clock()
    with board.database.writing() as session:
        lock(session, competition.slug)
        found = session.get(Team, team)
        if found is None or found.contest != competition.slug:
            raise Refusal("refused.no-such-team", 404)
        session.execute(delete(Extension).where(Extension.team_id == team, Extension.phase == competition.stage))
        if until > competition.dates.submission_closes:
            session.add(
                Extension(
                    team_id=team, phase=competition.stage, contest=competition.slug, until=until,
                    reason=reason.strip(), account_id=account.id, given_at=at,
                )
            )  # fmt: skip
        changed(session, competition.slug)
        note(
            session, at, "deadline.extended", account=account.id, contest=competition.slug, subject=found.name,
            phase=competition.stage, until=until.isoformat(), reason=reason.strip(),
        )  # fmt: skip


def extensions(board: Board, competition: Competition) -> list[Extension]:
    """Teams with more time in this phase."""
    wanted = select(Extension).where(Extension.contest == competition.slug, Extension.phase == competition.stage)
    with board.database.reading() as session:
        return list(session.scalars(wanted.order_by(Extension.until).options(selectinload(Extension.team))))


def deadline_of(board: Board, competition: Competition, team: int) -> datetime:
    """Until when what a team sends counts."""
    with board.database.reading() as session:
        return deadline(session, competition, team)
