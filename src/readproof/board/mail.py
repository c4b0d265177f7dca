"""Mail: written into the database with the deed it tells of, sent afterwards; nothing waits for a server of others.

Without a server in the settings letters lie as files in the board's folder, or are printed.
"""

from __future__ import annotations

import smtplib
import ssl
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from readproof.board.board import Board
from readproof.board.settings import MailSettings
from readproof.board.tables import Letter
from readproof.board.words import word
from readproof.errors import InputError
from readproof.reports.labels import Label

_IDLE = 1.0
_TIMEOUT = 20
_MOST_ATTEMPTS = 8
_LONGEST_FAULT = 500
# the folder of letters that are not sent
FOLDER = "mail"


def write(session: Session, at: datetime, to: str, key: str, **values: object) -> None:
    """A letter with the words of two labels, in both languages; it leaves when the transaction is kept."""
    subject, body = word(f"mail.{key}.subject", **values), word(f"mail.{key}", **values)
    write_plain(session, at, to, _both(subject, " · "), _both(body, "\n\n"))


def write_plain(session: Session, at: datetime, to: str, subject: str, body: str) -> None:
    """A letter as it stands."""
    plain = " ".join(subject.split())[:200]
    session.add(Letter(recipient=to, subject=plain, body=body, created_at=at, attempts=0, fault=""))


def _both(label: Label, between: str) -> str:
    return label.zh if label.zh == label.en else f"{label.zh}{between}{label.en}"


class MailSender:
    """Sends what waits; several may run, each letter is taken by one."""

    def __init__(self, board: Board, say: Callable[[str], None] = lambda _: None) -> None:
        self.board, self._say = board, say

    def run(self, stop: threading.Event) -> None:
        """Until told to stop."""
        while not stop.is_set():
            sent = False
            with suppress(SQLAlchemyError):
                sent = self.once()
            if not sent:
                stop.wait(_IDLE)

    def once(self) -> bool:
        """Send one letter; False where none waits.

        The row stays locked while it is sent: a process that falls in between sends it once more, never not at all.
        """
        at = self.board.clock()
        with self.board.database.reading() as session:
            if session.scalar(select(Letter.id).where(*_due(at)).limit(1)) is None:
                return False
        with self.board.database.writing() as session:
            found = session.execute(
                select(Letter).where(*_due(at)).order_by(Letter.id).limit(1).with_for_update(skip_locked=True)
            ).scalar_one_or_none()
            if found is None:
                return False
            found.attempts += 1
            try:
                deliver(self.board, found)
            except (OSError, smtplib.SMTPException) as error:
                found.fault = f"{type(error).__name__}: {error}"[:_LONGEST_FAULT]
                found.again_at = at + timedelta(minutes=2**found.attempts)
                self._say(f"mail to {found.recipient} was not sent ({found.fault}); again later")
            else:
                # links open things: nothing of them stays here
                found.sent_at, found.body, found.fault = at, "", ""
        return True


def _due(at: datetime) -> tuple[ColumnElement[bool], ...]:
    again = or_(Letter.again_at.is_(None), Letter.again_at <= at)
    return Letter.sent_at.is_(None), Letter.attempts < _MOST_ATTEMPTS, again


def deliver(board: Board, letter: Letter) -> None:
    """By the way that the settings name."""
    settings = board.settings.mail
    message = _message(board, letter)
    if settings.backend == "smtp":
        _by_smtp(settings, message)
    elif settings.backend == "console":
        sys.stderr.write(f"{message}\n")
    else:
        folder = board.settings.folder / FOLDER
        folder.mkdir(mode=0o700, exist_ok=True)
        (folder / f"{letter.id:06d}.eml").write_bytes(bytes(message))


def _message(board: Board, letter: Letter) -> EmailMessage:
    message = EmailMessage()
    host = urlsplit(board.settings.address).hostname or "localhost"
    message["From"] = board.settings.mail.sender or f"board@{host}"
    message["To"] = letter.recipient
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(letter.created_at)
    message["Message-ID"] = make_msgid(str(letter.id), domain=host)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.body)
    return message


def _by_smtp(settings: MailSettings, message: EmailMessage) -> None:
    secure = ssl.create_default_context()
    if settings.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(settings.host, settings.port, timeout=_TIMEOUT, context=secure)
    else:
        server = smtplib.SMTP(settings.host, settings.port, timeout=_TIMEOUT)
    with server:
        if settings.security == "starttls":
            server.starttls(context=secure)
        if settings.user:
            server.login(settings.user, settings.password)
        server.send_message(message)


def check_mail(board: Board, to: str) -> None:
    """One letter at once, so that an organiser sees whether the settings are right."""
    letter = Letter(
        id=0, recipient=to, subject="readproof board", body="This board can send mail. 本平台可以发送邮件。\n",
        created_at=board.clock(), attempts=0, fault="",
    )  # fmt: skip
    try:
        deliver(board, letter)
    except (OSError, smtplib.SMTPException) as error:
        raise InputError(
            file=board.settings.folder / "board.toml",
            place="mail",
            found=f"a server that does not take mail ({type(error).__name__}: {error})",
            expected="host, port, security, user and password of an SMTP server",
        ) from None
