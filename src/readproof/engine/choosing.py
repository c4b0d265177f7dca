"""The engine that is asked for, with numbers of workers and threads that fit the machine."""

from __future__ import annotations

import os

from readproof.engine.base import Engine, cores
from readproof.engine.local import Local
from readproof.errors import InputError

NAMES = ("local", "pool", "ray")
ADDRESS = "RAY_ADDRESS"


def choose(engine: str | Engine = "", *, workers: int = 0, threads: int = 0, address: str = "") -> Engine:
    """The engine of a name; without one, a pool where several workers are asked for, else this process.

    What is left out is chosen so that workers times threads are the cores there are: one thread a worker is what gets
    most done. `threads` 0 in this process is every core. A Ray cluster is asked how many workers there is room for.
    """
    if not isinstance(engine, str):
        return engine
    name = engine or ("ray" if address else "pool" if workers > 1 else "local")
    if name not in NAMES:
        raise InputError(place="--engine", found=repr(name), expected=f"one of {', '.join(NAMES)}")
    if address and name != "ray":
        raise InputError(place="--ray-address", found=f"the engine {name}", expected="--engine ray")
    if name == "local":
        if workers > 1:
            raise InputError(place="--workers", found=f"{workers} for this process", expected="--engine pool or ray")
        return Local(threads=threads)
    if name == "pool":
        from readproof.engine.pool import Pool

        count = workers or max(1, cores() // max(1, threads))
        return Pool(workers=count, threads=threads or max(1, cores() // count))
    from readproof.engine.cluster import Cluster

    return Cluster(workers=workers, threads=threads or 1, address=address or os.environ.get(ADDRESS, ""))
