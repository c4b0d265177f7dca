"""Teams: a captain makes one within the registration window, others join by its invite code, everybody agrees first."""

from __future__ import annotations

import secrets
import unicodedata
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload

from readproof.board import rates
from readproof.board.accounts import printable
from readproof.board.audit import note
from readproof.board.board import Board, lock
from readproof.board.definition import Competition
from readproof.board.tables import Account, Member, Submission, Team, TechnicalReport
from readproof.board.words import Refusal

# without letters that look alike: people read codes out to one another
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE = 12
_LONGEST_FOLDED = 120


def membership(board: Board, competition: Competition, account: Account) -> Member | None:
    """The team of a person, with its members."""
    with board.database.reading() as session:
        return _member(session, competition.slug, account.id)


def make_team(
    board: Board, competition: Competition, account: Account, name: str, organisation: str, contact: str
) -> Team:
    """A new team, with its maker as captain."""
    name, organisation, contact = printable(name), printable(organisation), printable(contact)
    # names that look alike are the same name; a sign may fold into many
    folded = unicodedata.normalize("NFKC", name).casefold()
    if not 2 <= len(name) <= 60 or len(folded) > _LONGEST_FOLDED:
        raise Refusal("refused.team-name", most=60)
    if len(organisation) > 120 or len(contact) > 200:
        raise Refusal("refused.long")
    at = _registering(board, competition)
    with board.database.writing() as session:
        rates.take(session, "team", str(account.id), at)
    try:
        with board.database.writing() as session:
            if _member(session, competition.slug, account.id):
                raise Refusal("refused.has-team", 409)
            team = Team(
                contest=competition.slug,
                name=name,
                folded=folded,
                organisation=organisation,
                contact=contact,
                captain_id=account.id,
                invite=_code(),
                created_at=at,
            )
            session.add(team)
            session.flush()
            session.add(Member(contest=competition.slug, account_id=account.id, team_id=team.id, joined_at=at))
            note(session, at, "team.made", account=account.id, contest=competition.slug, subject=name)
            return team
    except IntegrityError:
        raise Refusal("refused.team-taken", 409) from None


def join(board: Board, competition: Competition, account: Account, code: str) -> Team:
    """Into the team that the code belongs to; guessing codes is slowed down."""
    at = _registering(board, competition)
    with board.database.writing() as session:
        rates.take(session, "invite", str(account.id), at)
    try:
        with board.database.writing() as session:
            wanted = select(Team).where(Team.contest == competition.slug, Team.invite == code.strip().lower())
            team = session.execute(wanted.with_for_update()).scalar_one_or_none()
            if team is None or team.disqualified_at:
                raise Refusal("refused.code", 404)
            if _member(session, competition.slug, account.id):
                raise Refusal("refused.has-team", 409)
            count = session.scalar(select(func.count()).where(Member.team_id == team.id)) or 0
            if count >= competition.members:
                raise Refusal("refused.full", 409, most=competition.members)
            session.add(Member(contest=competition.slug, account_id=account.id, team_id=team.id, joined_at=at))
            note(session, at, "team.joined", account=account.id, contest=competition.slug, subject=team.name)
            return team
    except IntegrityError:
        raise Refusal("refused.has-team", 409) from None


def leave(board: Board, competition: Competition, account: Account) -> None:
    """Out of a team that has submitted nothing; a captain leaves last, and the team goes with him."""
    at = _registering(board, competition)
    with board.database.writing() as session:
        lock(session, competition.slug)
        member = _member(session, competition.slug, account.id)
        if member is None:
            raise Refusal("refused.no-team", 404)
        team = member.team
        # nobody joins and nothing comes in while it is decided
        session.execute(select(Team.id).where(Team.id == team.id).with_for_update())
        if team.disqualified_at:
            raise Refusal("refused.disqualified", 403)
        for kind in (Submission, TechnicalReport):
            if session.scalar(select(func.count()).where(kind.team_id == team.id)):
                raise Refusal("refused.has-submitted", 409)
        if team.captain_id == account.id and len(team.members) > 1:
            raise Refusal("refused.captain", 409)
        session.execute(delete(Member).where(Member.contest == competition.slug, Member.account_id == account.id))
        if team.captain_id == account.id:
            session.execute(delete(Team).where(Team.id == team.id))
        note(session, at, "team.left", account=account.id, contest=competition.slug, subject=team.name)
        session.expunge_all()


def new_code(board: Board, competition: Competition, account: Account) -> None:
    """Another invite code; the old one opens nothing any more."""
    with board.database.writing() as session:
        member = _member(session, competition.slug, account.id)
        if member is None or member.team.captain_id != account.id:
            raise Refusal("refused.not-captain", 403)
        member.team.invite = _code()
        note(session, board.clock(), "team.code", account=account.id, contest=competition.slug)


def agree(board: Board, competition: Competition, account: Account) -> None:
    """To the rules of the data; before it nothing can be downloaded or submitted."""
    at = board.clock()
    with board.database.writing() as session:
        member = _member(session, competition.slug, account.id)
        if member is None:
            raise Refusal("refused.no-team", 404)
        if member.agreed_at is None:
            member.agreed_at = at
            note(session, at, "agreed", account=account.id, contest=competition.slug)


def _member(session: Session, slug: str, account: int) -> Member | None:
    wanted = select(Member).where(Member.contest == slug, Member.account_id == account)
    team = selectinload(Member.team)
    return session.scalar(wanted.options(team, team.selectinload(Team.members).selectinload(Member.account)))


def _registering(board: Board, competition: Competition) -> datetime:
    at = board.clock()
    if not competition.registers(at):
        raise Refusal("refused.registration", 403)
    return at


def _code() -> str:
    return "".join(secrets.choice(_SIGNS) for _ in range(_CODE))
