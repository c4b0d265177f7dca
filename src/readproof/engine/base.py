"""What an engine is: it maps a piece of work over shards, in order, and holds only a few of them at a time.

Work travels to where it is done by pickle, once a worker; there it is opened, which loads what it needs, such as a
reader. A shard is a few items; what comes of it must hang on the shard alone, so that it may be done again elsewhere.
"""

from __future__ import annotations

import os
import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

from readproof.errors import InputError, ReadproofError

Shard = TypeVar("Shard")
Result = TypeVar("Result")
Thing = TypeVar("Thing")
Taken = TypeVar("Taken", contravariant=True)
Given = TypeVar("Given", covariant=True)

# shards to their results, in order, as soon as each and those before it are there
Mapped = Callable[[Iterable[Shard]], Iterator[Result]]

_FOR_EACH = 8  # shards that each worker should get at the least, so that all end at about the same time
_MANY = 64


class Work(Protocol[Taken, Given]):
    """What is to be done to each shard; it can be pickled."""

    def open(self) -> Callable[[Taken], Given]:
        """What does it, everything loaded; called once a worker."""
        ...

    def names(self, shard: Taken) -> Sequence[str]:
        """The items of a shard, for a message."""
        ...


class Engine(Protocol):
    """A place to work: so many `workers` (0: as many as have room), each with so many `threads` for its reader."""

    @property
    def name(self) -> str: ...

    @property
    def workers(self) -> int: ...

    @property
    def threads(self) -> int: ...

    def start(self, work: Work[Shard, Result]) -> AbstractContextManager[Mapped[Shard, Result]]:
        """Workers for this work; they come with the first shard, stay for all that are mapped, and go at the end."""
        ...


def size(engine: Engine, total: int, most: int = _MANY) -> int:
    """How many of `total` items make a shard; one in this process, where nothing is gained by more."""
    if engine.name == "local":
        return 1
    return max(1, min(most, total // (_FOR_EACH * (engine.workers or _MANY))))


def shards(things: Iterable[Thing], size: int) -> Iterator[list[Thing]]:
    """Things so many at a time."""
    rest = iter(things)
    return iter(lambda: list(islice(rest, size)), [])


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def portable(error: Exception) -> Exception:
    """An error as it can travel to the process that waits: itself where it can be pickled, else its words."""
    told = "".join(traceback.format_exception(error))
    if not isinstance(error, ReadproofError):
        error.add_note(f"in a worker:\n{told}")
    try:
        again = pickle.loads(pickle.dumps(error))
    except Exception:
        return ReadproofError(f"a worker failed:\n{told}")
    return error if type(again) is type(error) else ReadproofError(f"a worker failed:\n{told}")


# The engine that is asked for, with numbers of workers and threads that fit the machine.


# This process: one reader, with as many threads as it is given.


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
