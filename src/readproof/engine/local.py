"""This process: one reader, with as many threads as it is given."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from readproof.engine.base import Mapped, Result, Shard, Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """Work done here, one shard after another. `threads` 0: every core."""

    threads: int = 0
    workers: int = 1
    name: str = "local"

    @contextmanager
    def start(self, work: Work[Shard, Result]) -> Iterator[Mapped[Shard, Result]]:
        """What maps shards to results."""
        do = work.open()
        yield lambda shards: map(do, shards)
