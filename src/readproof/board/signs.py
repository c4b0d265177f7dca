"""Signs of life of workers, which run in other processes and on other machines."""

from __future__ import annotations

import socket
from datetime import datetime, timedelta

from sqlalchemy import delete

from readproof.board.board import Board
from readproof.board.tables import WorkerSign

# a worker gives a sign of life this often, and is taken for dead after so long
SIGN = timedelta(seconds=10)
ALIVE = timedelta(seconds=35)
_FORGOTTEN = timedelta(days=1)


def sign(board: Board, name: str, started: datetime) -> None:
    """A worker lives."""
    at = board.clock()
    with board.database.writing() as session:
        session.execute(delete(WorkerSign).where(WorkerSign.seen_at < at - _FORGOTTEN))
        found = session.get(WorkerSign, name)
        if found is None:
            session.add(WorkerSign(name=name, host=socket.gethostname()[:80], started_at=started, seen_at=at))
        else:
            found.seen_at = at


def gone(board: Board, name: str) -> None:
    """A worker that ends in order."""
    with board.database.writing() as session:
        session.execute(delete(WorkerSign).where(WorkerSign.name == name))
