"""Items attacked one after another, or by several processes; the results are the same and in order."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from readproof.attacks.base import Attack, SearchAttack
from readproof.attacks.records import found_record, made_record
from readproof.errors import InputError, ReadproofError
from readproof.items import Item, SpanItem
from readproof.readers.base import GRADIENTS, Reader, load_reader

_TOGETHER = 16  # items that a search has in hand at a time
_MANY = 64  # items a process gets at a time from an attack that needs nothing


@dataclass(slots=True)
class Work:
    """What is to be done to each item. The reader is loaded where the work is done, once a process."""

    attack: Attack | SearchAttack
    seed: int = 0
    count: int = 1
    reader: str = ""
    budget: int = 0
    threads: int = 0
    _opened: Reader | None = field(default=None, repr=False)

    def open(self) -> Reader:
        if self._opened is None:
            self._opened = load_reader(self.reader, threads=self.threads)
        return self._opened

    def fingerprint(self) -> str:
        return self.open().fingerprint

    def check(self) -> None:
        """What the attack needs must be there before any time is spent."""
        about = self.attack.about
        if self.reader and self.count != 1:
            raise InputError(found="--count with --reader", expected="one of them: a search keeps the worst variant")
        if not self.reader:
            if not isinstance(self.attack, Attack):
                found = f"{about.name} without a reader"
                do = "a trained folder (torch weights)" if GRADIENTS in about.needs else "e.g. zh"
                raise InputError(found=found, expected="a reader to search against", do=f"Add --reader, {do}.")
            return
        if not isinstance(self.attack, SearchAttack):
            found = f"--reader with {about.name}"
            raise InputError(found=found, expected="an attack that searches", do="Leave --reader out.")
        missing = [need for need in about.needs if need != "reader" and need not in self.open().capabilities]
        if missing:
            expected = f"one that gives {', '.join(missing)}"
            do = "Name a trained folder (torch weights): ONNX readers have none." if GRADIENTS in missing else ""
            raise InputError(found=f"the reader {self.reader!r} for {about.name}", expected=expected, do=do)

    def do(self, items: list[Item]) -> list[dict[str, Any]]:
        """One result an item, in order."""
        if not self.reader:
            return [self._make(item) for item in items]
        if not isinstance(self.attack, SearchAttack):
            raise TypeError(f"{self.attack.about.name} does not search")
        spans = [item for item in items if isinstance(item, SpanItem)]
        found = self.attack.search(spans, self.open(), seed=self.seed, budget=self.budget)
        return [
            found_record(next(found)) if isinstance(item, SpanItem) else {"variants": [], "skipped": "no span question"}
            for item in items
        ]

    def _make(self, item: Item) -> dict[str, Any]:
        """One bad item must not end a run over thousands."""
        if not isinstance(self.attack, Attack):
            raise TypeError(f"{self.attack.about.name} needs a reader")
        try:
            return made_record(self.attack.make(item, seed=self.seed, count=self.count))
        except ReadproofError:  # the user's to mend, and the same for every item
            raise
        except Exception as error:  # a fault of ours, counted and shown by its kind
            if os.environ.get("READPROOF_DEBUG"):
                raise
            return {"variants": [], "skipped": f"fault: {type(error).__name__}"}


def attacked(items: Iterable[Item], work: Work, workers: int = 1) -> Iterator[dict[str, Any]]:
    """One result an item, in order, as soon as it and those before it are there."""
    size = _TOGETHER if work.reader else 1 if work.attack.about.needs or workers <= 1 else _MANY
    rest = iter(items)
    parts = iter(lambda: list(islice(rest, size)), [])
    if workers <= 1:
        for part in parts:
            yield from work.do(part)
        return
    opened, work._opened = work._opened, None  # a session of onnxruntime does not travel
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(work,)) as pool:
            waiting: deque[Future[list[dict[str, Any]]]] = deque()
            for part in parts:
                waiting.append(pool.submit(_do, part))
                if len(waiting) > 2 * workers:
                    yield from waiting.popleft().result()
            try:
                while waiting:
                    yield from waiting.popleft().result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    finally:
        work._opened = opened


_WORK: list[Work] = []


def _begin(work: Work) -> None:
    _WORK[:] = [work]


def _do(items: list[Item]) -> list[dict[str, Any]]:
    return _WORK[0].do(items)
