"""Items attacked, wherever that is done: the work of an engine. The results are the same and in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from readproof.attacks.base import Attack, SearchAttack
from readproof.attacks.records import found_record, made_record
from readproof.engine import Engine, shards
from readproof.engine.base import size as shard_size
from readproof.errors import InputError, ReadproofError
from readproof.items import Item, SpanItem
from readproof.readers.base import GRADIENTS
from readproof.readers.named import Named

_TOGETHER = 16  # items that a search has in hand at a time


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done to each item. The reader is loaded where the work is done, once a process."""

    attack: Attack | SearchAttack
    seed: int = 0
    count: int = 1
    reader: Named | None = None
    budget: int = 0

    def open(self) -> Callable[[list[Item]], list[dict[str, Any]]]:
        """What attacks some items, the reader there."""
        if self.reader is not None:
            self.reader.open()
        return self.do

    def names(self, shard: list[Item]) -> list[str]:
        """The ids of the items."""
        return [item.id for item in shard]

    def check(self) -> None:
        """What the attack needs must be there before any time is spent."""
        about = self.attack.about
        if self.reader is not None and self.count != 1:
            raise InputError(found="--count with --reader", expected="one of them: a search keeps the worst variant")
        if self.reader is None:
            if not isinstance(self.attack, Attack):
                found = f"{about.name} without a reader"
                do = "a trained folder (torch weights)" if GRADIENTS in about.needs else "e.g. zh"
                raise InputError(found=found, expected="a reader to search against", do=f"Add --reader, {do}.")
            return
        if not isinstance(self.attack, SearchAttack):
            found = f"--reader with {about.name}"
            raise InputError(found=found, expected="an attack that searches", do="Leave --reader out.")
        able = self.reader.open().capabilities
        missing = [need for need in about.needs if need != "reader" and need not in able]
        if missing:
            expected = f"one that gives {', '.join(missing)}"
            do = "Name a trained folder (torch weights): ONNX readers have none." if GRADIENTS in missing else ""
            raise InputError(found=f"the reader {self.reader.spec!r} for {about.name}", expected=expected, do=do)

    def do(self, items: list[Item]) -> list[dict[str, Any]]:
        """One result an item, in order."""
        if self.reader is None:
            return [self._make(item) for item in items]
        if not isinstance(self.attack, SearchAttack):
            raise TypeError(f"{self.attack.about.name} does not search")
        spans = [item for item in items if isinstance(item, SpanItem)]
        found = self.attack.search(spans, self.reader.open(), seed=self.seed, budget=self.budget)
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


def attacked(items: Iterable[Item], work: Work, engine: Engine, total: int) -> Iterator[dict[str, Any]]:
    """One result an item, in order, as soon as it and those before it are there."""
    if work.reader is not None:
        size = _TOGETHER if engine.name == "local" else shard_size(engine, total, _TOGETHER)
    else:
        size = 1 if work.attack.about.needs else shard_size(engine, total)
    with engine.start(work) as mapped:
        for made in mapped(shards(items, size)):
            yield from made
