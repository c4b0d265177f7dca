"""What everybody may see, looked up beside the visitors: nobody waits while a ranking is made anew.

While people look, the state is asked for twice a second, and the ranking that goes with it is ready before it is shown.
What a visitor gets is never older than two seconds; a page that has heard of a newer version gets that one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

from starlette.concurrency import run_in_threadpool

from readproof.board.board import Board
from readproof.board.definition import Competition
from readproof.board.standings import View, view

_FRESH, _OLDEST = 0.5, 2.0


class Glances:
    """`prepare` makes what the pages of a view need."""

    def __init__(self, board: Board, prepare: Callable[[Competition, View], None]) -> None:
        self.board, self._prepare = board, prepare
        self._found: dict[str, tuple[float, View]] = {}
        self._looking: dict[str, asyncio.Task[View]] = {}

    async def get(self, competition: Competition, version: int = 0) -> View:
        slug = competition.slug
        at, found = self._found.get(slug, (0.0, None))
        age = monotonic() - at
        if found is None or age > _OLDEST or found.version < version:
            return await self._look(competition)
        if age > _FRESH and slug not in self._looking:
            task = self._looking[slug] = asyncio.create_task(self._look(competition))
            task.add_done_callback(lambda done: self._done(slug, done))
        return found

    async def _look(self, competition: Competition) -> View:
        moment = monotonic()
        found = await run_in_threadpool(view, self.board, competition)
        await run_in_threadpool(self._prepare, competition, found)
        self._found[competition.slug] = moment, found
        return found

    def _done(self, slug: str, task: asyncio.Task[View]) -> None:
        del self._looking[slug]
        if not task.cancelled():
            # a fault is told to the visitor who has to wait for the next look
            task.exception()
