"""Live pages: one look a second at the versions of all competitions, told to every open page by server-sent events."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial

from sqlalchemy import select
from starlette.concurrency import run_in_threadpool

from readproof.board.board import Board
from readproof.board.refusal import Refusal
from readproof.board.tables import Contest

_EVERY = 1.0
_SIGN_OF_LIFE = 20.0
_MOST = 1000
# a lecture hall behind one address is still let in
_MOST_OF_ONE = 100


class Watcher:
    """Looks at the database only while somebody watches."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.versions: dict[str, int] = {}
        self.by_address: Counter[str] = Counter()
        self._changed = asyncio.Condition()

    async def run(self) -> None:
        while True:
            if self.by_address:
                await self.look()
            await asyncio.sleep(_EVERY)

    async def look(self) -> None:
        found = await run_in_threadpool(self._read)
        if found != self.versions:
            async with self._changed:
                self.versions = found
                self._changed.notify_all()

    def _read(self) -> dict[str, int]:
        with self.board.database.reading() as session:
            return {one.slug: one.version for one in session.scalars(select(Contest))}

    def admit(self, address: str) -> None:
        """Nobody alone takes all places."""
        if self.by_address.total() >= _MOST or self.by_address[address] >= _MOST_OF_ONE:
            raise Refusal("refused.busy", 503)

    def _newer(self, slug: str, told: int) -> bool:
        return self.versions.get(slug, 0) != told

    async def stream(self, slug: str, address: str = "") -> AsyncIterator[str]:
        """The version now, and each new one; a comment now and then keeps the line open."""
        self.by_address[address] += 1
        told = -1
        try:
            await self.look()
            yield "retry: 3000\n\n"
            while True:
                version = self.versions.get(slug, 0)
                if version != told:
                    told = version
                    yield f"event: version\ndata: {version}\n\n"
                try:
                    async with self._changed:
                        newer = self._changed.wait_for(partial(self._newer, slug, told))
                        await asyncio.wait_for(newer, _SIGN_OF_LIFE)
                except TimeoutError:
                    yield ": here\n\n"
        finally:
            self.by_address -= Counter([address])
