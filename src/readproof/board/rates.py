"""How often something may be tried in a while; counted in the database, so that a restart forgives nothing."""

from __future__ import annotations

import hashlib
import threading
from datetime import datetime, timedelta
from ipaddress import IPv4Address, ip_address, ip_network

from sqlalchemy import delete, func, select, text
from sqlalchemy.orm import Session

from readproof.board.tables import Attempt
from readproof.board.words import Refusal

_KEPT = timedelta(days=1)
# what one household gets of the newer addresses: whoever has one has all of them
_HOUSEHOLD = 64
# so often, in so many minutes
LIMITS = {
    # one address at one account; one account from everywhere; one address at all accounts
    "login": (10, 15),
    "mail": (100, 15),
    "address": (100, 15),
    # a browser that was logged in before, at its own account
    "device": (10, 15),
    "account": (30, 60),
    "team": (20, 60),
    "upload": (60, 60),
    "report": (30, 60),
    "comment": (60, 60),
    "invite": (20, 60),
    "try": (40, 10),
    "forgot": (30, 60),
    "forgot-one": (5, 60),
    "invitation": (30, 1440),
}


def take(session: Session, kind: str, who: str, at: datetime) -> None:
    """One more, or a refusal where there were too many.

    Asked and counted under one lock: of many at the same moment none slips through between the two.
    """
    most, minutes = LIMITS[kind]
    name = _hash(who)
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), {"key": f"{kind}|{name}"})
    since = at - timedelta(minutes=minutes)
    wanted = select(func.count()).where(Attempt.kind == kind, Attempt.who == name, Attempt.at > since)
    if (session.scalar(wanted) or 0) >= most:
        raise Refusal("refused.rate", 429, minutes=minutes)
    session.execute(delete(Attempt).where(Attempt.at < at - _KEPT))
    session.add(Attempt(kind=kind, who=name, at=at))
    session.flush()


def clear(session: Session, kind: str, who: str) -> None:
    """None from now on."""
    session.execute(delete(Attempt).where(Attempt.kind == kind, Attempt.who == _hash(who)))


def give_back(session: Session, kind: str, who: str) -> None:
    """The newest one does not count."""
    newest = select(func.max(Attempt.id)).where(Attempt.kind == kind, Attempt.who == _hash(who))
    session.execute(delete(Attempt).where(Attempt.id == newest.scalar_subquery()))


def network(address: str) -> str:
    """Whom an address stands for."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((int(found), _HOUSEHOLD), strict=False))


def _hash(who: str) -> str:
    return hashlib.sha256(who.encode()).hexdigest()


# Turns at work that takes a core or much memory: so many at once, so many waiting, and others are sent away at once.
#
# Whoever waits holds one of the server's threads; if all waited, no other page would be served.


_PATIENCE = 20.0


class Turns:
    """`with turns:` is one turn, or a refusal."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._working = threading.Semaphore(at_once)
        self._places = threading.Semaphore(at_once + waiting)

    def __enter__(self) -> None:
        if not self._places.acquire(blocking=False):
            raise Refusal("refused.busy", 503)
        if not self._working.acquire(timeout=_PATIENCE):
            self._places.release()
            raise Refusal("refused.busy", 503)

    def __exit__(self, *_: object) -> None:
        self._working.release()
        self._places.release()
