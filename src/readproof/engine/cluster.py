"""A Ray cluster: actors that each hold a reader, wherever there is room for one; needs the extra `ray`.

Ray could restart actors and repeat calls by itself, but an actor that finds no room any more would wait for ever, and
its shards with it. So a lost actor's shards go to whoever is there, and a new one joins when there is room for it.
"""

from __future__ import annotations

import logging
import os
import pickle
import socket
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic

from readproof import __version__
from readproof.engine.base import Mapped, Result, Shard, Work, cores, portable
from readproof.engine.pool import LIVES, Ledger
from readproof.errors import InputError, MissingExtraError, ReadproofError

_DEPTH = 2  # calls that an actor has waiting: the next is there when one is done
_AHEAD = 4
_LOOK = 10.0  # seconds between two looks at what the cluster has
_PATIENCE = 300.0  # seconds to wait for the first actor; a cluster may have to start machines for it
_ANSWER = 10.0  # seconds for the cluster to take a call
_EVERYWHERE = (
    "Every node of the cluster must be able to open the reader: a shipped name, an installed module, or a path on a "
    "disk that all nodes share."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Actors of so many threads each, as many as asked for or as there is room for; "" is a cluster of this machine."""

    workers: int = 0
    threads: int = 1
    address: str = ""
    name: str = "ray"

    @contextmanager
    def start(self, work: Work[Shard, Result]) -> Iterator[Mapped[Shard, Result]]:
        """What maps shards to results; the cluster is joined at once, actors begin with the first shard."""
        ray = _ray()
        joined = _join(ray, self)
        actors = _Actors(ray, work, self)
        try:
            yield actors.mapped
        finally:
            actors.close()
            if joined:
                ray.shutdown()


class NodeWorker:
    """What runs on a node: the work, opened once."""

    def __init__(self, work: bytes, folder: str, version: str) -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        self._work, self._folder, self._version = work, folder, version

    def open(self) -> tuple[str, Exception | None]:
        """Where it is, and what kept it from opening."""
        import ray

        node = ray.get_runtime_context().get_node_id()
        try:
            if self._version != __version__:
                found, expected = f"readproof {__version__} on a node", f"{self._version}, as where the run was started"
                raise InputError(found=found, expected=expected, do="Install the same version everywhere.")
            if Path(self._folder).is_dir():
                os.chdir(self._folder)
            self._do = pickle.loads(self._work).open()
        except InputError as error:
            told = " ".join(one for one in (error.do, _EVERYWHERE) if one)
            found = f"{error.found} (on the node {node[:8]})"
            return node, InputError(file=error.file, place=error.place, found=found, expected=error.expected, do=told)
        except Exception as error:
            return node, portable(error)
        return node, None

    def do(self, shard: Any) -> tuple[Any, Exception | None]:
        """What comes of a shard, or the error."""
        try:
            return self._do(shard), None
        except Exception as error:
            return None, portable(error)


@dataclass(slots=True, eq=False)
class _Actor:
    handle: Any
    opened: Any  # the call that opens it, until it is answered
    node: str = ""
    calls: deque[Any] = field(default_factory=deque)


class _Actors(Generic[Shard, Result]):
    def __init__(self, ray: Any, work: Work[Shard, Result], cluster: Cluster) -> None:
        self._ray = ray
        self._work = work
        self._cluster = cluster
        self._actors: list[_Actor] = []
        self._stillborn = 0
        self._room = 0
        self._looked = self._heard = 0.0
        self._packed: Any = None

    def mapped(self, shards: Iterable[Shard]) -> Iterator[Result]:
        self._look()
        self._heard = time.monotonic()
        # as far ahead as keeps a cluster that has grown meanwhile at work
        ledger: Ledger[Shard, Result] = Ledger(shards, self._work.names, _AHEAD * max(self._room, cores()))
        try:
            while not ledger.over:
                self._recruit(ledger)
                self._hand_out(ledger)
                self._hear(ledger)
                yield from ledger.results()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends the actors."""
        actors, self._actors = self._actors, []
        for actor in actors:
            self._end(actor)

    def _recruit(self, ledger: Ledger[Shard, Result]) -> None:
        """Actors as long as there are shards for them and room; one that finds none yet comes when it does."""
        if time.monotonic() - self._looked > _LOOK:
            self._look()
        idle = sum(not ledger.held(actor) for actor in self._actors)
        for _ in range(min(ledger.waiting - idle, self._room - len(self._actors))):
            if self._packed is None:
                self._packed = self._ray.put(pickle.dumps(self._work))
            kind = self._ray.remote(num_cpus=self._cluster.threads, max_restarts=0)(NodeWorker)
            handle = kind.remote(self._packed, str(Path.cwd()), __version__)
            self._actors.append(_Actor(handle, handle.open.remote()))

    def _hand_out(self, ledger: Ledger[Shard, Result]) -> None:
        able = [actor for actor in self._actors if actor.opened is None]
        for depth in range(_DEPTH):
            for actor in able:
                if ledger.held(actor) <= depth and ledger.waiting:
                    actor.calls.append(actor.handle.do.remote(ledger.take(actor)))

    def _hear(self, ledger: Ledger[Shard, Result]) -> None:
        """Waits for one call to end."""
        calls = {actor.opened or actor.calls[0]: actor for actor in self._actors if actor.opened or actor.calls}
        ended, _ = self._ray.wait(list(calls), num_returns=1, timeout=_LOOK)
        for call in ended:
            self._heard = time.monotonic()
            self._answered(calls[call], call, ledger)
        waited = time.monotonic() - self._heard
        if waited > _PATIENCE and not any(actor.opened is None for actor in self._actors):
            raise InputError(
                place="--engine ray",
                found=f"no room for a worker in {waited:.0f} s",
                expected=f"a node with {self._cluster.threads} free CPUs",
                do="`ray status` shows what the cluster has; fewer --threads need less.",
            )

    def _answered(self, actor: _Actor, call: Any, ledger: Ledger[Shard, Result]) -> None:
        from ray.exceptions import ObjectLostError, OutOfMemoryError, RayActorError, RayTaskError

        try:
            found, error = self._ray.get(call)
        except (RayActorError, ObjectLostError, OutOfMemoryError) as lost:
            self._lost(actor, lost, ledger)
            return
        except RayTaskError as fault:
            raise InputError(
                place="--engine ray",
                found=f"a node that cannot work ({str(fault).splitlines()[-1][:200]})",
                expected=f"readproof {__version__} on every node of the cluster",
            ) from None
        if error is not None:
            raise error
        if actor.opened is not None:
            actor.node, actor.opened = found, None
            self._stillborn = 0
        else:
            actor.calls.popleft()
            ledger.done(actor, found)

    def _lost(self, actor: _Actor, lost: Exception, ledger: Ledger[Shard, Result]) -> None:
        why = str(lost).splitlines()[0][:200]
        self._actors.remove(actor)
        self._end(actor)
        self._look()
        if actor.opened is not None:
            self._stillborn += 1
            if self._stillborn >= LIVES + self._room:
                raise ReadproofError(f"worker after worker ended before it could work ({why})")
        # a machine that goes is not the fault of what it was at work on
        ledger.lost(actor, why, blamed=any(one["NodeID"] == actor.node and one["Alive"] for one in self._ray.nodes()))

    def _end(self, actor: _Actor) -> None:
        with suppress(Exception):  # it may be gone, or the cluster
            self._ray.kill(actor.handle)

    def _look(self) -> None:
        """How many actors there is room for."""
        self._looked = time.monotonic()
        each = self._cluster.threads
        fit = sum(int(one["Resources"].get("CPU", 0) // each) for one in self._ray.nodes() if one["Alive"])
        self._room = self._cluster.workers or max(1, fit)


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    try:
        import ray
    except ModuleNotFoundError:
        raise MissingExtraError("ray", "ray") from None
    return ray


def _join(ray: Any, cluster: Cluster) -> bool:
    """Joins the cluster of the address, or starts one here; False where this process is in one already."""
    if ray.is_initialized():
        return False
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if cluster.address:
            _knock(cluster.address)
            ray.init(address=cluster.address, **quiet)
        else:
            count = max(cores(), cluster.workers * cluster.threads)
            ray.init(address="local", num_cpus=count, include_dashboard=False, **quiet)
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(
            place="--ray-address",
            found=f"no Ray cluster at {cluster.address or 'this machine'} ({str(error).partition(chr(10))[0]})",
            expected="the address of a running cluster, such as auto or HOST:6379",
            do="`ray start --head` starts one; without an address one is started for the run.",
        ) from None
    return True


def _knock(address: str) -> None:
    """An OSError where nobody is at an address; Ray itself would try for minutes before it says so."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), _ANSWER).close()
