"""Processes that make attacks while this one trains; what they want to know of the reader, this one tells them.

They are forked before the device is touched, hold the data they were forked with, and are sent small tasks. A task may
ask about windows (see `reading.Windowed`); each question is answered by itself, so results hang neither on how many
processes there are nor on their order. With no processes at all, tasks are done here, with the same results.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from threading import Lock
from typing import Any

from readproof.errors import ReadproofError
from readproof.readers.spans import Floats
from readproof.readers.tokens import Ints
from readproof.training.adversarial.reading import Top, Windowed
from readproof.training.windows import Windows

# what a process does with a task, and what it may ask
Do = Callable[[Any, Windowed | None], Any]
OnDone = Callable[[int, int], None]

_SPANS, _SLOPES, _DONE, _FAULT = "spans", "slopes", "done", "fault"


class Asked:
    """The reader as a process sees it: questions go down the line, answers come back."""

    def __init__(self, line: Connection) -> None:
        self._line = line

    def spans(self, windows: Windows, count: int) -> Top:
        self._line.send((_SPANS, (windows, count)))
        found: Top = self._line.recv()
        return found

    def slopes(self, windows: Windows, at: Ints, tokens: Ints) -> Floats:
        self._line.send((_SLOPES, (windows, at, tokens)))
        found: Floats = self._line.recv()
        return found


class Crew:
    """`workers` processes (0: none) that all can do the same."""

    def __init__(self, do: Do, workers: int) -> None:
        self._do = do
        self._lines: list[Connection] = []
        self._processes: list[Any] = []
        context = get_context("fork") if workers else None
        for _ in range(workers):
            if context is None:
                break
            ours, theirs = context.Pipe()
            # a process that held the lines of others open would outlive this one
            process = context.Process(target=_work, args=(do, theirs, [*self._lines, ours]), daemon=True)
            process.start()
            theirs.close()
            self._lines.append(ours)
            self._processes.append(process)
        self._thread = ThreadPoolExecutor(1)
        self._turn = Lock()  # tasks made in the background and those waited for use the same lines

    def __len__(self) -> int:
        return len(self._processes)

    def run(self, tasks: Sequence[Any], model: Windowed | None = None, on_done: OnDone | None = None) -> list[Any]:
        """The results of all tasks, in order; `on_done` hears how many are done, and of how many."""
        results: dict[int, Any] = {}

        def done(number: int, result: Any) -> None:
            results[number] = result
            if on_done:
                on_done(len(results), len(tasks))

        with self._turn:
            if self._lines:
                self._serve(tasks, model, done)
            else:
                for number, task in enumerate(tasks):
                    done(number, self._do(task, model))
        return [results[number] for number in range(len(tasks))]

    def _serve(self, tasks: Sequence[Any], model: Windowed | None, done: Callable[[int, Any], None]) -> None:
        """Hands tasks out and answers what is asked, until all are done."""
        waiting = list(enumerate(tasks))[::-1]
        busy: dict[Connection, int] = {}
        for line in self._lines:
            self._next(line, waiting, busy)
        while busy:
            for ready in wait(list(busy)):
                if not isinstance(ready, Connection):
                    continue
                kind, content = _received(ready)
                if kind == _FAULT:
                    raise ReadproofError(f"a process that makes attacks failed:\n{content}")
                if kind == _DONE:
                    done(busy.pop(ready), content)
                    self._next(ready, waiting, busy)
                elif model is None:
                    raise ReadproofError("a task asked about windows where no reader is")
                else:
                    ready.send(model.spans(*content) if kind == _SPANS else model.slopes(*content))

    def begin(self, tasks: Sequence[Any]) -> Callable[[], list[Any]]:
        """Tasks that ask nothing, done while this process does other things; gives a function that waits for them."""
        if not self._lines:
            return lambda: self.run(tasks)
        future: Future[list[Any]] = self._thread.submit(self.run, tasks)
        return future.result

    def close(self) -> None:
        """Ends the processes."""
        for process in self._processes:
            process.terminate()
        self._thread.shutdown(wait=True, cancel_futures=True)
        for process in self._processes:
            process.join()
        for line in self._lines:
            line.close()
        self._processes, self._lines = [], []

    def _next(self, line: Connection, waiting: list[tuple[int, Any]], busy: dict[Connection, int]) -> None:
        if waiting:
            number, task = waiting.pop()
            line.send(task)
            busy[line] = number


def usual_workers() -> int:
    """All cores but one; none where there are but two, which the training itself needs."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores - 1 if cores > 2 and hasattr(os, "fork") else 0


def _received(line: Connection) -> tuple[str, Any]:
    try:
        found: tuple[str, Any] = line.recv()
        return found
    except (EOFError, ConnectionResetError):
        raise ReadproofError("a process that makes attacks has died; is there enough memory?") from None


def _work(do: Do, line: Connection, others: list[Connection]) -> None:
    for other in others:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process is told, and ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # there is a process a core already
    model = Asked(line)
    try:
        while True:
            task = line.recv()
            try:
                result = do(task, model)
            except Exception:
                line.send((_FAULT, traceback.format_exc()))
                return
            line.send((_DONE, result))
    except (EOFError, OSError):
        return
