"""Predictions read in step with the gold: a million of them in one large file, and only a few in memory.

A file that `readproof answer` wrote is in the order of the gold. One in another order is scored too, and what is read
before it is asked for waits in memory. Where an id repeats, only the whole file tells which answer counts: that is told
at the end, and whoever scores begins again with the whole.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from typing import Any


class RepeatsError(Exception):
    """Ids repeat, so that reading in step is not enough."""


class InStep(Mapping[str, Any]):
    """Answers by id, each of which is asked for once, `in` before it is taken; what is left belongs to nobody."""

    def __init__(self, pairs: Iterator[tuple[str, Any]]) -> None:
        self._pairs = pairs
        self._read: dict[str, Any] = {}
        # eight bytes an id, where the ids themselves would be a hundred; the same mark for two only costs time
        self._there, self._asked = array("q"), array("q")

    def __contains__(self, name: object) -> bool:
        self._asked.append(hash(name))
        while name not in self._read and self._more():
            pass
        return name in self._read

    def __getitem__(self, name: str) -> Any:
        return self._read.pop(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)

    def end(self) -> None:
        """Reads the rest; a RepeatsError where an id was there, or was asked for, twice."""
        while self._more():
            pass
        if _repeats(self._there) or _repeats(self._asked):
            raise RepeatsError

    def _more(self) -> bool:
        found = next(self._pairs, None)
        if found is None:
            return False
        self._there.append(hash(found[0]))
        self._read[found[0]] = found[1]
        return True


def _repeats(marks: array[int]) -> bool:
    import numpy

    ordered = numpy.sort(numpy.frombuffer(marks, dtype=numpy.int64))
    return bool((ordered[1:] == ordered[:-1]).any())
