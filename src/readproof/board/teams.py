"""Teams: a captain makes one within the registration window, others join by its invite code, everybody agrees first."""

from __future__ import annotations

import secrets
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, selectinload

from readproof.board import mail as letters
from readproof.board import rates
from readproof.board.accounts import checked_mail
from readproof.board.audit import note
from readproof.board.board import Board, changed, lock
from readproof.board.definition import Competition
from readproof.board.names import check_name, folded, printable
from readproof.board.tables import Account, CompetitionOrganiser, Member, Submission, Team, TechnicalReport
from readproof.board.words import Refusal

# without letters that look alike: people read codes out to one another
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE = 12
_LONGEST_FOLDED = 120
KINDS = ("university", "company", "individual", "other")


def membership(board: Board, competition: Competition, account: Account) -> Member | None:
    """The team of a person, with its members."""
    with board.database.reading() as session:
        return _member(session, competition.slug, account.id)


def make_team(
    board: Board,
    competition: Competition,
    account: Account,
    name: str,
    organisation: str,
    contact: str,
    kind: str = "",
) -> Team:
    """A new team, with its maker as captain."""
    organisation, contact = printable(organisation), printable(contact)
    name, same = _named(name)
    refuse_unverified(board, account)
    if kind and kind not in KINDS:
        raise Refusal("refused.request")
    if len(organisation) > 120 or len(contact) > 200:
        raise Refusal("refused.long")
    at = _registering(board, competition)
    with board.database.writing() as session:
        rates.take(session, "team", str(account.id), at)
    try:
        with board.database.writing() as session:
            _refuse_bound(session, competition, account)
            team = Team(
                contest=competition.slug,
                name=name,
                folded=same,
                organisation=organisation,
                contact=contact,
                kind=kind,
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
    refuse_unverified(board, account)
    with board.database.writing() as session:
        rates.take(session, "invite", str(account.id), at)
    try:
        with board.database.writing() as session:
            wanted = select(Team).where(Team.contest == competition.slug, Team.invite == code.strip().lower())
            team = session.execute(wanted.with_for_update()).scalar_one_or_none()
            if team is None or team.disqualified_at:
                raise Refusal("refused.code", 404)
            _refuse_bound(session, competition, account)
            here = select(func.count()).where(Member.team_id == team.id, Member.left_at.is_(None))
            count = session.scalar(here) or 0
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
        if _has_sent(session, team.id):
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


def rename(board: Board, competition: Competition, account: Account, name: str) -> None:
    """Another name for a team, until all is over: the log keeps the old one."""
    name, same = _named(name)
    at = board.clock()
    if competition.state(at) == "closed":
        raise Refusal("refused.too-late", 403)
    with board.database.writing() as session:
        rates.take(session, "team", str(account.id), at)
    try:
        with board.database.writing() as session:
            team = _led(session, competition, account)
            before, team.name, team.folded = team.name, name, same
            changed(session, competition.slug)
            note(session, at, "team.renamed", account=account.id, contest=competition.slug, subject=name, before=before)
    except IntegrityError:
        raise Refusal("refused.team-taken", 409) from None


def remove(board: Board, competition: Competition, account: Account, other: int) -> None:
    """The captain takes a member out. Whoever has submitted with a team cannot join another one."""
    at = board.clock()
    with board.database.writing() as session:
        team = _led(session, competition, account)
        found = _member(session, competition.slug, other)
        if found is None or found.team_id != team.id or other == account.id:
            raise Refusal("refused.no-member", 404)
        name, mail = found.account.name, found.account.mail
        _take_out(session, competition, found, at)
        letters.write(session, at, mail, "removed", team=team.name, title=competition.title)
        note(session, at, "team.removed", account=account.id, contest=competition.slug, subject=team.name, person=name)


def hand_over(board: Board, competition: Competition, account: Account, other: int) -> None:
    """Another member is the captain from now on."""
    at = board.clock()
    with board.database.writing() as session:
        team = _led(session, competition, account)
        found = _member(session, competition.slug, other)
        if found is None or found.team_id != team.id:
            raise Refusal("refused.no-member", 404)
        team.captain_id = other
        letters.write(session, at, found.account.mail, "captain", team=team.name, title=competition.title)
        person = found.account.name
        note(
            session, at, "team.captain", account=account.id, contest=competition.slug, subject=team.name, person=person
        )


def invite(board: Board, competition: Competition, account: Account, mail: str) -> None:
    """The invite code by mail, with the page on which it is used."""
    at, mail = _registering(board, competition), checked_mail(mail)
    with board.database.writing() as session:
        rates.take(session, "invitation", str(account.id), at)
        member = _member(session, competition.slug, account.id)
        if member is None:
            raise Refusal("refused.no-team", 404)
        link = f"{board.settings.address}/c/{competition.slug}/team?code={member.team.invite}"
        letters.write(
            session, at, mail, "invite", person=account.name, team=member.team.name, title=competition.title,
            code=member.team.invite, link=link,
        )  # fmt: skip
        note(session, at, "team.invited", account=account.id, contest=competition.slug, subject=member.team.name)


def leave_all(board: Board, session: Session, account: Account, at: datetime) -> None:
    """Out of every team, for an account that is deleted; a captain of others hands over first."""
    found = session.scalars(select(Member).where(Member.account_id == account.id, Member.left_at.is_(None)))
    for member in list(found):
        competition = board.competition(member.contest)
        team = session.execute(select(Team).where(Team.id == member.team_id).with_for_update()).scalar_one()
        if team.captain_id == account.id and len(team.members) > 1:
            raise Refusal("refused.captain-of", 409, team=team.name)
        sent = _has_sent(session, team.id)
        if competition is not None:
            _take_out(session, competition, member, at)
        if team.captain_id == account.id and not sent:
            session.execute(delete(Team).where(Team.id == team.id))


def _take_out(session: Session, competition: Competition, member: Member, at: datetime) -> None:
    if _has_sent(session, member.team_id):
        member.left_at = at
    else:
        session.execute(
            delete(Member).where(Member.contest == competition.slug, Member.account_id == member.account_id)
        )
    session.flush()


def _has_sent(session: Session, team: int) -> bool:
    kinds = (Submission, TechnicalReport)
    return any(session.scalar(select(func.count()).where(kind.team_id == team)) for kind in kinds)


def _led(session: Session, competition: Competition, account: Account) -> Team:
    """The team of a captain, locked."""
    member = _member(session, competition.slug, account.id)
    if member is None or member.team.captain_id != account.id:
        raise Refusal("refused.not-captain", 403)
    return session.execute(select(Team).where(Team.id == member.team_id).with_for_update()).scalar_one()


def _refuse_bound(session: Session, competition: Competition, account: Account) -> None:
    """Whoever is in a team, or was in one that has submitted, can join no other."""
    if session.get(CompetitionOrganiser, (competition.slug, account.id)) is not None:
        raise Refusal("refused.organises", 403)
    if session.get(Member, (competition.slug, account.id)) is not None:
        raise Refusal("refused.has-team", 409)


def _named(name: str) -> tuple[str, str]:
    """A name of a team, and what it has in common with those that look like it."""
    name = printable(name)
    # a sign may fold into many
    same = folded(name)
    if not 2 <= len(name) <= 60 or len(same) > _LONGEST_FOLDED:
        raise Refusal("refused.team-name", most=60)
    check_name(name)
    return name, same


def refuse_unverified(board: Board, account: Account) -> None:
    """Where addresses must be confirmed, nobody takes part without."""
    if board.settings.mail.verified and not account.organiser:
        with board.database.reading() as session:
            verified = session.scalar(select(Account.verified_at).where(Account.id == account.id))
        if verified is None:
            raise Refusal("refused.unverified", 403)


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
    wanted = select(Member).where(Member.contest == slug, Member.account_id == account, Member.left_at.is_(None))
    team = selectinload(Member.team)
    return session.scalar(wanted.options(team, team.selectinload(Team.members).selectinload(Member.account)))


def _registering(board: Board, competition: Competition) -> datetime:
    at = board.clock()
    if not competition.registers(at):
        raise Refusal("refused.registration", 403)
    return at


def _code() -> str:
    return "".join(secrets.choice(_SIGNS) for _ in range(_CODE))
