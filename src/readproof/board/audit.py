"""The log of what was done, by whom and from where: written in the same transaction as the deed."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload

from readproof.board.board import Board
from readproof.board.definition import Competition
from readproof.board.ranking import MARK, cell
from readproof.board.tables import Account, Event, Member, Submission, Team


def note(
    session: Session,
    at: datetime,
    action: str,
    *,
    account: int | None = None,
    contest: str | None = None,
    subject: str = "",
    address: str = "",
    **details: Any,
) -> None:
    """One line; never a password, a token or an answer."""
    session.add(
        Event(
            at=at,
            action=action,
            account_id=account,
            contest=contest,
            subject=subject[:120],
            address=address[:60],
            details=details,
        )
    )


# What organisers look up: every submission, every line of the log, every team with its people; page by page.


ROWS = 100
STATES = ("waiting", "scored", "refused", "failed")


@dataclass(frozen=True, slots=True)
class ListPage:
    """One page of a long list; the first is 1."""

    rows: list[Any]
    place: int
    pages: int


def log(board: Board, competition: Competition | None, place: int = 1) -> ListPage:
    """The lines of a competition's log, or of all, the newest first, each with the name of who did it."""
    wanted = select(Event, Account.name).outerjoin(Account, Account.id == Event.account_id).order_by(Event.id.desc())
    if competition is not None:
        wanted = wanted.where(Event.contest == competition.slug)
    with board.database.reading() as session:
        return _page(session, wanted, place)


def submissions(board: Board, competition: Competition, *, state: str = "", team: int = 0, place: int = 1) -> ListPage:
    """Submissions of all teams, or of one, the newest first."""
    wanted = (
        select(Submission)
        .where(Submission.contest == competition.slug)
        .order_by(Submission.created_at.desc(), Submission.id)
        .options(selectinload(Submission.team), selectinload(Submission.account), selectinload(Submission.result))
    )
    if state:
        wanted = wanted.where(Submission.status == state)
    if team:
        wanted = wanted.where(Submission.team_id == team)
    with board.database.reading() as session:
        return _page(session, wanted, place)


def _page(session: Session, wanted: Any, place: int) -> ListPage:
    count = session.scalar(select(func.count()).select_from(wanted.order_by(None).subquery())) or 0
    pages = max(1, -(-count // ROWS))
    place = min(max(1, place), pages)
    rows = session.execute(wanted.limit(ROWS).offset((place - 1) * ROWS))
    return ListPage([row[0] if len(row) == 1 else tuple(row) for row in rows], place, pages)


def people_csv(board: Board, competition: Competition) -> str:
    """One line a person, for a spreadsheet: whom organisers write to."""
    out = io.StringIO()
    writer = csv.writer(out)
    heads = ("team", "organisation", "contact", "person", "mail", "captain", "agreed_at", "disqualified_at", "reason")
    writer.writerow(heads)
    wanted = select(Member).where(Member.contest == competition.slug).order_by(Member.team_id, Member.joined_at)
    with board.database.reading() as session:
        found = session.scalars(wanted.options(selectinload(Member.team), selectinload(Member.account)))
        for one in found:
            writer.writerow([cell(value) for value in _person(one, one.team)])
    return MARK + out.getvalue()


def _person(one: Member, team: Team) -> tuple[Any, ...]:
    out = team.disqualified_at.isoformat() if team.disqualified_at else ""
    agreed = one.agreed_at.isoformat() if one.agreed_at else ""
    captain = one.account_id == team.captain_id
    of_team = (team.name, team.organisation, team.contact)
    return (*of_team, one.account.name, one.account.mail, captain, agreed, out, team.reason)
