"""Live pages: one look a second at the versions of all competitions, told to every open page by server-sent events."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from functools import partial
from time import monotonic

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from readproof.board.board import Board
from readproof.board.definition import Competition
from readproof.board.ranking import StandingsView, view
from readproof.board.tables import CompetitionState
from readproof.board.web.connections import most_streams
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
        self.most = min(_MOST, most_streams())
        self.versions: dict[str, int] = {}
        self.by_address: Counter[str] = Counter()
        self._changed = asyncio.Condition()

    async def run(self) -> None:
        while True:
            if self.by_address:
                await self.look()
            await asyncio.sleep(_EVERY)

    @property
    def count(self) -> int:
        """How many live pages are open."""
        return self.by_address.total()

    async def look(self) -> None:
        """Open pages hear of what is new; while the database is away they hear nothing, and stay open."""
        try:
            found = await run_in_threadpool(self._read)
        except SQLAlchemyError:
            return
        if found != self.versions:
            async with self._changed:
                self.versions = found
                self._changed.notify_all()

    def _read(self) -> dict[str, int]:
        with self.board.database.reading() as session:
            return {one.slug: one.version for one in session.scalars(select(CompetitionState))}

    def admit(self, address: str) -> None:
        """A place, counted at once: of many at the same moment none slips through. Nobody alone takes all."""
        if self.by_address.total() >= self.most or self.by_address[address] >= _MOST_OF_ONE:
            raise Refusal("refused.busy", 503)
        self.by_address[address] += 1

    def release(self, address: str) -> None:
        """A place that is free again."""
        self.by_address -= Counter([address])

    def _newer(self, slug: str, told: int) -> bool:
        return self.versions.get(slug, 0) != told

    async def stream(self, slug: str) -> AsyncIterator[str]:
        """The version now, and each new one; a comment now and then keeps the line open."""
        told = -1
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


class LiveResponse(StreamingResponse):
    """A live page's line: its place is free again however it ends, also when it never began."""

    def __init__(self, watcher: Watcher, slug: str, address: str) -> None:
        watcher.admit(address)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(watcher.stream(slug), media_type="text/event-stream", headers=headers)
        self._watcher, self._address = watcher, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._watcher.release(self._address)


# What everybody may see, looked up beside the visitors: nobody waits while a ranking is made anew.
#
# While people look, the state is asked for twice a second, and the ranking that goes with it is ready before it is
# shown.
# What a visitor gets is never older than two seconds; a page that has heard of a newer version gets that one.


_FRESH, _OLDEST = 0.5, 2.0


def _reached(moment: datetime | None, board: Board) -> bool:
    return moment is not None and board.clock() >= moment


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
        ended = found is not None and not (found.final or found.frozen_at) and _reached(found.final_at, self.board)
        if found is None or age > _OLDEST or found.version < version or ended:
            try:
                return await self._look(competition)
            except SQLAlchemyError:
                # what was true a while ago is better than nothing, and says of itself how old it is
                if found is None:
                    raise
                return found
        if age > _FRESH and slug not in self._looking:
            task = self._looking[slug] = asyncio.create_task(self._look(competition))
            task.add_done_callback(lambda done: self._done(slug, done))
        return found

    def keep(self, competition: Competition, found: StandingsView) -> None:
        """A view that was looked up elsewhere: a database that goes away before the first visitor finds it there."""
        self._found[f"{competition.slug} {competition.stage}"] = monotonic(), found

    def age(self, competition: Competition) -> float:
        """For how many seconds nothing has been heard of the database."""
        return monotonic() - self._found.get(f"{competition.slug} {competition.stage}", (0.0, None))[0]

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
