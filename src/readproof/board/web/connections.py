"""Connections that say nothing must not take the places of those that ask: limits below what the system gives."""

from __future__ import annotations

import asyncio
import resource
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

# for the database, files and sockets that listen
_RESERVE = 256
_WANTED = 65_536
# whoever has a question asks it within this time, in seconds
_PATIENCE = 15.0


def raise_limit() -> int:
    """As many descriptors as the system gives without asking; how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(_WANTED, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def most_connections(descriptors: int) -> int:
    """How many connections leave room for everything else."""
    return max(descriptors // 2, descriptors - _RESERVE)


def most_streams() -> int:
    """How many live pages may be open: never more than half of all connections."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most_connections(soft if soft != resource.RLIM_INFINITY else _WANTED) // 2


def guarded(most: int, patience: float = _PATIENCE) -> type[H11Protocol]:
    """A protocol for uvicorn that closes connections without a question: the oldest when all places are taken."""
    # in the order in which they became idle
    idle: dict[H11Protocol, None] = {}

    class GuardedProtocol(H11Protocol):
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            idle[self] = None
            self._timer = self.loop.call_later(patience, self._give_up)
            if len(self.connections) > most:
                oldest = next(iter(idle))
                idle.pop(oldest)
                oldest.transport.abort()

        def handle_events(self) -> None:
            super().handle_events()
            if self._asks():
                idle.pop(self, None)
                self._rest()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if not self.transport.is_closing() and not self._asks():
                idle[self] = None

        def connection_lost(self, exc: Exception | None) -> None:
            idle.pop(self, None)
            self._rest()
            super().connection_lost(exc)

        def _asks(self) -> bool:
            cycle: Any = self.cycle
            return cycle is not None and not cycle.response_complete

        def _give_up(self) -> None:
            if self.cycle is None:
                self.transport.abort()

        def _rest(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    return GuardedProtocol
