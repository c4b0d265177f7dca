"""Live pages: one look a second at the versions of all competitions, told to every open page by server-sent events."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from functools import partial
from time import monotonic

from sqlalchemy import select
from starlette.concurrency import run_in_threadpool

from readproof.board.board import Board
from readproof.board.definition import Competition
from readproof.board.ranking import StandingsView, view
from readproof.board.tables import CompetitionState
from readproof.board.words import Refusal

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
            return {one.slug: one.version for one in session.scalars(select(CompetitionState))}

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


# What everybody may see, looked up beside the visitors: nobody waits while a ranking is made anew.
#
# While people look, the state is asked for twice a second, and the ranking that goes with it is ready before it is
# shown.
# What a visitor gets is never older than two seconds; a page that has heard of a newer version gets that one.


_FRESH, _OLDEST = 0.5, 2.0


class ViewContext:
    """`prepare` makes what the pages of a view need."""

    def __init__(self, board: Board, prepare: Callable[[Competition, StandingsView], None]) -> None:
        self.board, self._prepare = board, prepare
        self._found: dict[str, tuple[float, StandingsView]] = {}
        self._looking: dict[str, asyncio.Task[StandingsView]] = {}

    async def get(self, competition: Competition, version: int = 0) -> StandingsView:
        slug = f"{competition.slug} {competition.stage}"
        at, found = self._found.get(slug, (0.0, None))
        age = monotonic() - at
        if found is None or age > _OLDEST or found.version < version:
            return await self._look(competition)
        if age > _FRESH and slug not in self._looking:
            task = self._looking[slug] = asyncio.create_task(self._look(competition))
            task.add_done_callback(lambda done: self._done(slug, done))
        return found

    async def _look(self, competition: Competition) -> StandingsView:
        moment = monotonic()
        found = await run_in_threadpool(view, self.board, competition)
        await run_in_threadpool(self._prepare, competition, found)
        self._found[f"{competition.slug} {competition.stage}"] = moment, found
        return found

    def _done(self, slug: str, task: asyncio.Task[StandingsView]) -> None:
        del self._looking[slug]
        if not task.cancelled():
            # a fault is told to the visitor who has to wait for the next look
            task.exception()
