"""What a person can take along, and how somebody leaves: an account is emptied, what a team has submitted stays."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import selectinload

from readproof.board import teams
from readproof.board.accounts import log_in
from readproof.board.audit import note
from readproof.board.board import Board
from readproof.board.tables import (
    Account,
    Comment,
    CompetitionOrganiser,
    Device,
    Event,
    Letter,
    Login,
    MailLink,
    Member,
    Submission,
    TechnicalReport,
    Token,
)
from readproof.board.words import Refusal


def export(board: Board, account: Account) -> dict[str, Any]:
    """All that the board knows of a person; files can be had on the pages of their submissions."""
    with board.database.reading() as session:
        members = session.scalars(
            select(Member).where(Member.account_id == account.id).options(selectinload(Member.team))
        ).all()
        sent = session.scalars(
            select(Submission)
            .where(Submission.account_id == account.id)
            .order_by(Submission.created_at)
            .options(selectinload(Submission.result))
        ).all()
        reports = session.scalars(select(TechnicalReport).where(TechnicalReport.account_id == account.id)).all()
        comments = session.scalars(select(Comment).where(Comment.account_id == account.id)).all()
        events = session.scalars(select(Event).where(Event.account_id == account.id).order_by(Event.id)).all()
        tokens = session.scalars(select(Token).where(Token.account_id == account.id)).all()
    return {
        "account": {
            "mail": account.mail, "name": account.name, "created_at": account.created_at.isoformat(),
            "verified_at": account.verified_at.isoformat() if account.verified_at else None,
        },
        "teams": [
            {
                "competition": one.contest, "team": one.team.name, "captain": one.team.captain_id == account.id,
                "joined_at": one.joined_at.isoformat(),
                "agreed_at": one.agreed_at.isoformat() if one.agreed_at else None,
                "left_at": one.left_at.isoformat() if one.left_at else None,
            }
            for one in members
        ],
        "submissions": [
            {
                "id": one.id, "competition": one.contest, "phase": one.phase, "track": one.track, "file": one.file,
                "sha256": one.digest, "created_at": one.created_at.isoformat(), "status": one.status,
                "declared": one.declared,
            }
            for one in sent
        ],
        "reports": [{"id": one.id, "file": one.file, "created_at": one.created_at.isoformat()} for one in reports],
        "comments": [{"words": one.words, "created_at": one.created_at.isoformat()} for one in comments],
        "tokens": [{"name": one.name, "created_at": one.created_at.isoformat()} for one in tokens],
        "log": [
            {"at": one.at.isoformat(), "action": one.action, "subject": one.subject, "address": one.address}
            for one in events
        ],
    }  # fmt: skip


def delete_account(board: Board, account: Account, password: str, *, address: str = "", device: str = "") -> None:
    """The person is gone: address, name, password, sessions, addresses in the log. Submissions stay with their team."""
    log_in(board, account.mail, password, address=address, device=device)
    at = board.clock()
    with board.database.writing() as session:
        found = session.execute(select(Account).where(Account.id == account.id).with_for_update()).scalar_one()
        if found.organiser:
            others = select(func.count()).where(Account.organiser.is_(True), Account.id != account.id)
            if not session.scalar(others):
                raise Refusal("refused.last-organiser", 409)
        teams.leave_all(board, session, found, at)
        for kind in (Login, Token, Device, MailLink, CompetitionOrganiser):
            session.execute(delete(kind).where(kind.account_id == account.id))
        session.execute(delete(Letter).where(Letter.recipient == found.mail))
        session.execute(update(Event).where(Event.account_id == account.id).values(address=""))
        session.execute(update(Event).where(Event.subject == found.mail).values(subject=""))
        found.mail, found.name, found.password = f"deleted-{found.id}", "–", ""
        found.organiser, found.deleted_at, found.verified_at = False, at, None
        note(session, at, "account.deleted", account=account.id)
