"""People: accounts with argon2 passwords, sessions of browsers, tokens for programs. Secrets are kept as hashes."""

from __future__ import annotations

import re
import secrets
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from readproof.board import links, rates
from readproof.board.audit import note
from readproof.board.board import Board
from readproof.board.links import hashed
from readproof.board.mail import write
from readproof.board.names import check_name, printable
from readproof.board.rates import Turns
from readproof.board.tables import Account, CompetitionOrganiser, Device, Login, Token
from readproof.board.words import Refusal

if TYPE_CHECKING:
    from argon2 import PasswordHasher

STAY = timedelta(days=14)
# for how long a browser is known that somebody has logged in with
KNOWN = timedelta(days=365)
SHORTEST, LONGEST = 10, 200
_TOKENS = 10
_MAIL = re.compile(r"[^@\s]{1,64}@[^@\s]{1,180}\.[^@\s.]{2,}")
# a hash takes 64 MB for a moment: strangers must not fill the memory by asking for many at once
_HASHING = Turns(2, 16)


def register(
    board: Board, mail: str, name: str, password: str, *, address: str = "", organiser: bool = False
) -> Account:
    """A new account."""
    mail, name = checked_mail(mail), printable(name)
    if not 1 <= len(name) <= 80:
        raise Refusal("refused.name", most=80)
    check_name(name)
    check_password(password)
    at = board.clock()
    if not organiser:
        with board.database.writing() as session:
            rates.take(session, "account", rates.network(address), at)
    hashed = _hash_password(password)
    try:
        with board.database.writing() as session:
            account = Account(
                mail=mail, name=name, password=hashed, organiser=organiser, created_at=at,
                verified_at=at if organiser else None,
            )  # fmt: skip
            session.add(account)
            session.flush()
            note(session, at, "account.made", account=account.id, address=address, organiser=organiser)
            if not organiser:
                links.send(board, session, "verify", account)
            return account
    except IntegrityError:
        raise Refusal("refused.mail-taken") from None


def log_in(board: Board, mail: str, password: str, *, address: str = "", device: str = "") -> tuple[Account, str]:
    """The account and the secret of a new session; how long a wrong answer takes does not tell whether it exists.

    A `device` that has been logged in to this account before counts for itself: no stranger's guesses, from wherever
    and however many, lock its owner out.
    """
    mail, where = mail.strip().lower(), rates.network(address)
    at = board.clock()
    # counted before the answer is known: else many at once would all be tried
    with board.database.writing() as session:
        account = session.scalar(select(Account).where(Account.mail == mail, Account.deleted_at.is_(None)))
        known = account is not None and _is_known(session, account, device, at)
        tries = {"device": device} if known else {"login": f"{mail}|{where}", "mail": mail, "address": where}
        for kind, who in tries.items():
            rates.take(session, kind, who, at)
    right = _verify(account.password if account else _nobody(), password)
    with board.database.writing() as session:
        if account is not None and right:
            for kind, who in tries.items():
                if kind in ("login", "device"):
                    rates.clear(session, kind, who)
                else:
                    rates.give_back(session, kind, who)
            note(session, at, "login", account=account.id, address=address)
            return account, _session(session, account, at)
        note(session, at, "login.refused", account=account.id if account else None, address=address)
    raise Refusal("refused.login", 403)


def _is_known(session: Session, account: Account, device: str, at: datetime) -> bool:
    found = session.get(Device, hashed(device)) if device else None
    return found is not None and found.account_id == account.id and found.seen_at > at - KNOWN


def know_device(board: Board, account: Account, device: str = "") -> str:
    """The secret by which the browser of somebody who has logged in is known from now on."""
    at = board.clock()
    with board.database.writing() as session:
        session.execute(delete(Device).where(Device.seen_at < at - KNOWN))
        found = session.get(Device, hashed(device)) if device else None
        if found is not None and found.account_id == account.id:
            found.seen_at = at
            return device
        secret = secrets.token_urlsafe(32)
        session.add(Device(hash=hashed(secret), account_id=account.id, seen_at=at))
        return secret


def _session(session: Session, account: Account, at: datetime) -> str:
    secret = secrets.token_urlsafe(32)
    session.execute(delete(Login).where(Login.expires_at < at))
    session.add(Login(hash=hashed(secret), account_id=account.id, created_at=at, expires_at=at + STAY))
    return secret


def log_out(board: Board, secret: str) -> None:
    """The end of a session."""
    with board.database.writing() as session:
        session.execute(delete(Login).where(Login.hash == hashed(secret)))


def account_of(board: Board, secret: str) -> Account | None:
    """Who a session belongs to."""
    if not secret:
        return None
    with board.database.reading() as session:
        wanted = select(Account).join(Login, Login.account_id == Account.id)
        return session.scalar(wanted.where(Login.hash == hashed(secret), Login.expires_at > board.clock()))


def organised_by(board: Board, account: Account) -> frozenset[str]:
    """The competitions that a person organises, beside those of an organiser of the whole board."""
    wanted = select(CompetitionOrganiser.contest).where(CompetitionOrganiser.account_id == account.id)
    with board.database.reading() as session:
        return frozenset(session.scalars(wanted))


def account_of_token(board: Board, token: str) -> Account | None:
    """Who a program works for."""
    with board.database.reading() as session:
        wanted = select(Account).join(Token, Token.account_id == Account.id)
        return session.scalar(wanted.where(Token.hash == hashed(token)))


def make_token(board: Board, account: Account, name: str) -> str:
    """A new token, shown this once."""
    token = f"rp_{secrets.token_urlsafe(32)}"
    at = board.clock()
    with board.database.writing() as session:
        # whoever holds the account's row counts and adds alone
        session.execute(select(Account.id).where(Account.id == account.id).with_for_update())
        count = len(session.scalars(select(Token.id).where(Token.account_id == account.id)).all())
        if count >= _TOKENS:
            raise Refusal("refused.tokens", most=_TOKENS)
        session.add(
            Token(hash=hashed(token), account_id=account.id, name=printable(name)[:80] or "token", created_at=at)
        )
        note(session, at, "token.made", account=account.id)
    return token


def drop_token(board: Board, account: Account, number: int) -> None:
    """A token that no longer opens anything."""
    with board.database.writing() as session:
        session.execute(delete(Token).where(Token.id == number, Token.account_id == account.id))
        note(session, board.clock(), "token.dropped", account=account.id, subject=str(number))


def tokens(board: Board, account: Account) -> list[Token]:
    with board.database.reading() as session:
        return list(session.scalars(select(Token).where(Token.account_id == account.id).order_by(Token.id)))


def change_password(board: Board, mail: str, password: str) -> str:
    """A new password; all sessions and tokens of the account end. Gives the secret of a new session."""
    check_password(password)
    stored = _hash_password(password)
    at = board.clock()
    with board.database.writing() as session:
        account = session.scalar(select(Account).where(Account.mail == mail.strip().lower()))
        if account is None:
            raise Refusal("refused.no-account", 404)
        account.password = stored
        session.execute(delete(Login).where(Login.account_id == account.id))
        session.execute(delete(Token).where(Token.account_id == account.id))
        session.execute(delete(Device).where(Device.account_id == account.id))
        note(session, at, "password.changed", account=account.id)
        write(session, at, account.mail, "password", address=board.settings.address)
        return _session(session, account, at)


def renew_password(board: Board, account: Account, old: str, new: str, *, address: str = "", device: str = "") -> str:
    """A new password by somebody who knows the old one; gives the secret of a new session, and all others end."""
    check_password(new)
    log_in(board, account.mail, old, address=address, device=device)
    return change_password(board, account.mail, new)


def set_organiser(board: Board, mail: str, organises: bool) -> Account:
    """Somebody who has an account becomes an organiser of the whole board, or is one no longer."""
    with board.database.writing() as session:
        account = session.scalar(select(Account).where(Account.mail == mail.strip().lower()))
        if account is None:
            raise Refusal("refused.no-account", 404)
        account.organiser = organises
        action = "organiser.promoted" if organises else "organiser.demoted"
        note(session, board.clock(), action, account=account.id, subject=account.mail)
        return account


def checked_mail(mail: str) -> str:
    """An address as it is kept."""
    mail = mail.strip().lower()
    if not _MAIL.fullmatch(mail) or len(mail) > 254 or not mail.isprintable():
        raise Refusal("refused.mail")
    return mail


def check_password(password: str) -> None:
    """A refusal of one that is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refusal("refused.password", least=SHORTEST)


@lru_cache(maxsize=1)
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=2, memory_cost=64 * 1024, parallelism=1)


@lru_cache(maxsize=1)
def _nobody() -> str:
    return _hash_password(secrets.token_urlsafe(16))


def _hash_password(password: str) -> str:
    with _HASHING:
        return _hasher().hash(password)


def _verify(stored: str, password: str) -> bool:
    from argon2.exceptions import VerificationError

    try:
        with _HASHING:
            return _hasher().verify(stored, password[: LONGEST + 1])
    except VerificationError:
        return False
