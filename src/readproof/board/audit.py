"""The log of what was done, by whom and from where: written in the same transaction as the deed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from readproof.board.tables import Event


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
