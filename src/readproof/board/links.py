"""Links in letters: to confirm an address, and to set a new password. Each opens one thing, for a while."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from readproof.board import rates
from readproof.board.audit import note
from readproof.board.board import Board
from readproof.board.mail import write
from readproof.board.tables import Account, MailLink
from readproof.board.words import Refusal

Kind = Literal["verify", "reset"]
_LASTS = {"verify": timedelta(days=7), "reset": timedelta(hours=2)}


def hashed(secret: str) -> str:
    """Secrets have 256 bits: a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def send(board: Board, session: Session, kind: Kind, account: Account) -> None:
    """A letter with a new link; earlier ones of the kind open nothing any more."""
    at, secret = board.clock(), secrets.token_urlsafe(32)
    session.execute(delete(MailLink).where(MailLink.account_id == account.id, MailLink.kind == kind))
    session.add(
        MailLink(hash=hashed(secret), kind=kind, account_id=account.id, mail=account.mail, expires_at=at + _LASTS[kind])
    )
    link = f"{board.settings.address}/{kind}/{secret}"
    write(session, at, account.mail, kind, link=link, address=board.settings.address, name=account.name)


def ask_reset(board: Board, mail: str, *, address: str = "") -> None:
    """A letter to whoever has this address; whether there is an account is not told."""
    mail, at = mail.strip().lower(), board.clock()
    with board.database.writing() as session:
        rates.take(session, "forgot", rates.network(address), at)
        rates.take(session, "forgot-one", mail, at)
        account = session.scalar(select(Account).where(Account.mail == mail, Account.deleted_at.is_(None)))
        if account is not None:
            send(board, session, "reset", account)
            note(session, at, "password.asked", account=account.id, address=address)


def ask_verify(board: Board, account: Account) -> None:
    """The letter once more."""
    with board.database.writing() as session:
        rates.take(session, "forgot-one", account.mail, board.clock())
        if account.verified_at is None:
            send(board, session, "verify", account)


def owner_of(board: Board, kind: Kind, secret: str) -> Account:
    """Whom a link belongs to; a refusal where it opens nothing."""
    with board.database.reading() as session:
        return _found(board, session, kind, secret)


def _found(board: Board, session: Session, kind: Kind, secret: str) -> Account:
    link = session.get(MailLink, hashed(secret))
    account = session.get(Account, link.account_id) if link and link.kind == kind else None
    if link is None or account is None or link.expires_at <= board.clock() or link.mail != account.mail:
        raise Refusal("refused.link", 404)
    return account


def use(board: Board, kind: Kind, secret: str, *, address: str = "") -> Account:
    """What the link is for may be done now, and not again; whoever has it reads the letters of this address."""
    at = board.clock()
    with board.database.writing() as session:
        account = _found(board, session, kind, secret)
        session.execute(delete(MailLink).where(MailLink.hash == hashed(secret)))
        if account.verified_at is None:
            account.verified_at = at
            note(session, at, "mail.verified", account=account.id, address=address)
        return account
