"""Which shards wait, who holds which, and what is done: the bookkeeping that a pool and a cluster share.

Shards are handed out in order and results given out in order; between the first that is not given out and the last
that was handed out there are never more than `ahead`. A worker does its shards in the order it got them, so that when
it is lost it was at work on the oldest.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Generic

from readproof.engine.base import Result, Shard
from readproof.errors import ReadproofError

LIVES = 3  # workers that a shard may end before it is given up
_NAMED = 5


class Ledger(Generic[Shard, Result]):
    """One pass over shards."""

    def __init__(self, shards: Iterable[Shard], names: Callable[[Shard], Sequence[str]], ahead: int) -> None:
        self._rest = enumerate(shards)
        self._names = names
        self._ahead = ahead
        self._waiting: list[tuple[int, Shard]] = []
        self._held: dict[Hashable, deque[tuple[int, Shard]]] = {}
        self._done: dict[int, Result] = {}
        self._given = 0
        self._read = 0
        self._ended = False
        self._deaths: Counter[int] = Counter()

    @property
    def waiting(self) -> int:
        """How many shards can be handed out now."""
        while not self._ended and self._read - self._given < self._ahead:
            found = next(self._rest, None)
            if found is None:
                self._ended = True
            else:
                self._read += 1
                heapq.heappush(self._waiting, found)
        return len(self._waiting)

    @property
    def over(self) -> bool:
        """Whether every result was given out."""
        return not self.waiting and self._ended and self._given == self._read

    def held(self, worker: Hashable) -> int:
        """How many shards a worker has in hand."""
        return len(self._held.get(worker, ()))

    def take(self, worker: Hashable) -> Shard:
        """The next shard, now in that worker's hands; an IndexError where none is waiting."""
        number, shard = heapq.heappop(self._waiting)
        self._held.setdefault(worker, deque()).append((number, shard))
        return shard

    def done(self, worker: Hashable, result: Result) -> None:
        """What came of the oldest shard in a worker's hands."""
        number, _ = self._held[worker].popleft()
        self._done[number] = result

    def lost(self, worker: Hashable, why: str = "", *, blamed: bool = True) -> None:
        """A worker is gone: its shards wait again. One that ends worker after worker is an error with its items."""
        held = self._held.pop(worker, deque())
        if held and blamed:
            number, shard = held[0]
            self._deaths[number] += 1
            if self._deaths[number] >= LIVES:
                raise ReadproofError(
                    f"{LIVES} workers ended at the same items: {self._listed(shard)}"
                    f"{f' ({why})' if why else ''}. Is there enough memory for them? What is done is kept."
                )
        for number, shard in held:
            heapq.heappush(self._waiting, (number, shard))

    def results(self) -> Iterator[Result]:
        """What is done and next in order."""
        while self._given in self._done:
            result = self._done.pop(self._given)
            self._given += 1
            yield result

    def _listed(self, shard: Shard) -> str:
        names = list(self._names(shard))
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        return ", ".join(names[:_NAMED]) + more
