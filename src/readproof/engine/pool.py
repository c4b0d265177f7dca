"""Processes of this machine, each with a reader of its own; one that dies is replaced, and its shards are done again.

Each has a pipe of its own. The pools of the standard library share queues: a process that is killed while it holds
their lock takes all others with it, and nobody knows what it was at work on.
"""

from __future__ import annotations

import heapq
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic

from readproof.engine.base import Mapped, Result, Shard, Work, portable
from readproof.errors import ReadproofError

# Which shards wait, who holds which, and what is done: the bookkeeping that a pool and a cluster share.
#
# Shards are handed out in order and results given out in order; between the first that is not given out and the last
# that was handed out there are never more than `ahead`. A worker does its shards in the order it got them, so that when
# it is lost it was at work on the oldest.


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


_READY, _DONE, _FAULT = "ready", "done", "fault"
_DEPTH = 2  # shards in a worker's hands: the next is there when one is done
_AHEAD = 4  # shards a worker that may be in hand or wait for one before them
_PATIENCE = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """So many processes, each with so many threads for its reader."""

    workers: int
    threads: int = 1
    name: str = "pool"

    @contextmanager
    def start(self, work: Work[Shard, Result]) -> Iterator[Mapped[Shard, Result]]:
        """What maps shards to results; processes begin with the first shard."""
        processes = _Processes(work, self.workers)
        try:
            yield processes.mapped
        finally:
            processes.close()


@dataclass(slots=True, eq=False)
class _Worker:
    process: BaseProcess
    line: Connection
    ready: bool = False


class _Processes(Generic[Shard, Result]):
    def __init__(self, work: Work[Shard, Result], most: int) -> None:
        self._work = work
        self._most = most
        self._workers: list[_Worker] = []
        self._stillborn = 0

    def mapped(self, shards: Iterable[Shard]) -> Iterator[Result]:
        ledger: Ledger[Shard, Result] = Ledger(shards, self._work.names, _AHEAD * self._most)
        try:
            while not ledger.over:
                self._hand_out(ledger)
                self._hear(ledger)
                yield from ledger.results()
        except BaseException:
            self.close()  # what is still in hand belongs to nobody
            raise

    def close(self) -> None:
        """Ends the processes, whatever they do."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.process.terminate()
            worker.line.close()
        for worker in workers:
            worker.process.join(_PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    def _hand_out(self, ledger: Ledger[Shard, Result]) -> None:
        """The idle first, then a process more, then a second shard to those at work."""
        while ledger.waiting:
            worker = min(self._workers, key=ledger.held, default=None)
            if worker is None or (ledger.held(worker) and len(self._workers) < self._most):
                worker = self._begun()
            if ledger.held(worker) >= _DEPTH:
                return
            try:
                worker.line.send(ledger.take(worker))
            except OSError:
                return  # it is gone: the next thing that is heard of it is its end

    def _hear(self, ledger: Ledger[Shard, Result]) -> None:
        lines = {worker.line: worker for worker in self._workers}
        for line in wait(list(lines)):
            if not isinstance(line, Connection):
                continue
            worker = lines[line]
            try:
                kind, value = line.recv()
            except (EOFError, OSError):
                self._bury(worker, ledger)
                continue
            if kind == _FAULT:
                raise value
            if kind == _READY:
                worker.ready, self._stillborn = True, 0
            else:
                ledger.done(worker, value)

    def _begun(self) -> _Worker:
        # not forked: threads of onnxruntime or torch do not live through a fork
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(self._work, theirs), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        return worker

    def _bury(self, worker: _Worker, ledger: Ledger[Shard, Result]) -> None:
        worker.line.close()
        worker.process.join(_PATIENCE)
        self._workers.remove(worker)
        ended = _ended(worker.process.exitcode)
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn >= LIVES:
                raise ReadproofError(
                    f"{LIVES} worker processes in a row ended before they could work ({ended}). Is there enough memory "
                    f"for {self._most} of them? Try fewer workers. A script of your own must begin its work under "
                    'if __name__ == "__main__".'
                )
        ledger.lost(worker, ended, blamed=worker.ready)


def _ended(status: int | None) -> str:
    if status is None:
        return "not yet ended"
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"


def _serve(work: Work[Any, Any], line: Connection) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process is told, and ends us
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # the cores are shared out already
    waiting: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_receive, args=(line, waiting), daemon=True).start()
    try:
        do = work.open()
        line.send((_READY, None))
        while True:
            line.send((_DONE, do(waiting.get())))
    except Exception as error:
        with suppress(OSError):  # nobody waits any more
            line.send((_FAULT, portable(error)))


def _receive(line: Connection, waiting: SimpleQueue[Any]) -> None:
    """Shards taken off the line as they come, so that whoever sends never waits; its end is our end, at once."""
    try:
        while True:
            waiting.put(line.recv())
    except (EOFError, OSError):
        os._exit(0)
