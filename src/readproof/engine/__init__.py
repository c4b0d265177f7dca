"""Where work runs: in this process, in a pool of processes, or on a Ray cluster; the results are the same.

engine = choose("pool", workers=4)
with engine.start(work) as mapped:
    for result in mapped(shards):
        …
"""

from __future__ import annotations

from readproof.engine.base import Engine, Mapped, Work, choose, shards

__all__ = ["Engine", "Mapped", "Work", "choose", "shards"]
