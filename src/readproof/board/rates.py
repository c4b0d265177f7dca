"""How often something may be tried in a while; counted in the database, so that a restart forgives nothing."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from readproof.board.refusal import Refusal
from readproof.board.tables import Attempt

_KEPT = timedelta(days=1)
# so often, in so many minutes
LIMITS = {
    "login": (10, 15),
    "address": (100, 15),
    "account": (30, 60),
    "upload": (60, 60),
    "invite": (20, 60),
    "try": (40, 10),
}


def check(session: Session, kind: str, who: str, at: datetime) -> None:
    """A refusal where there were too many."""
    most, minutes = LIMITS[kind]
    since = at - timedelta(minutes=minutes)
    wanted = select(func.count()).where(Attempt.kind == kind, Attempt.who == _hash(who), Attempt.at > since)
    if (session.scalar(wanted) or 0) >= most:
        raise Refusal("refused.rate", 429, minutes=minutes)


def count(session: Session, kind: str, who: str, at: datetime) -> None:
    """One more; old ones are forgotten."""
    session.execute(delete(Attempt).where(Attempt.at < at - _KEPT))
    session.add(Attempt(kind=kind, who=_hash(who), at=at))


def clear(session: Session, kind: str, who: str) -> None:
    """None from now on."""
    session.execute(delete(Attempt).where(Attempt.kind == kind, Attempt.who == _hash(who)))


def _hash(who: str) -> str:
    return hashlib.sha256(who.encode()).hexdigest()
