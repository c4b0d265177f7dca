"""A reader asked, watched and remembered: how long it took, what it said, and how much it believes in the gold answer.

A search asks the same reader as the run itself, often the same question: what was just read is not read again.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TypeVar

from readproof.attacks.search.judge import LIKELIEST, Distributes, judge, likely_of
from readproof.errors import ReadproofError
from readproof.items import Answer, ChoiceItem, Item, SpanItem
from readproof.prove.answers import Said
from readproof.prove.measuring import Measure, belief
from readproof.prove.questions import Single, text_key
from readproof.readers.base import DISTRIBUTION, Reader, Streams
from readproof.readers.callable import FunctionReader
from readproof.readers.judged import Judges
from readproof.readers.reading import ReadsSpans

_REMEMBERED = 4096
_TOGETHER = 32  # questions that a reader which streams is given at a time

Result = TypeVar("Result")


class Watched:
    """A reader with a clock and a short memory; to a search it is a reader like any other."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.name, self.capabilities, self.fingerprint = reader.name, reader.capabilities, reader.fingerprint
        self.seconds = 0.0
        self._likely: OrderedDict[bytes, list[Answer]] = OrderedDict()

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        return self.timed(lambda: self.reader.answer(items))

    def distribution(self, item: SpanItem, count: int = LIKELIEST) -> list[tuple[int, int, float]]:
        """The likeliest spans: raw start, raw end, probability."""
        return [(one.start or 0, one.end or 0, one.confidence or 0.0) for one in self.likely(item, count)]

    def likely(self, item: SpanItem, count: int = LIKELIEST) -> list[Answer]:
        """The likeliest spans as answers; read once where it is asked twice."""
        if not isinstance(self.reader, Distributes):
            raise TypeError(f"{self.name} gives no distribution")
        reader, key = self.reader, text_key(item) + count.to_bytes(4, "big")
        if key not in self._likely:
            self._likely[key] = self.timed(lambda: likely_of(reader, item, count))
            if len(self._likely) > _REMEMBERED:
                self._likely.popitem(last=False)
        self._likely.move_to_end(key)
        # what reads the same may be asked under another id
        return [replace(one, id=item.id) for one in self._likely[key]]

    def timed(self, work: Callable[[], Result]) -> Result:
        """Work of the reader, on the clock."""
        begun = time.perf_counter()
        try:
            return work()
        finally:
            self.seconds += time.perf_counter() - begun


@dataclass(slots=True)
class Asker:
    """Puts questions to one reader and measures what it says; `milliseconds` are of the last call, one a question."""

    reader: Reader
    measure: Measure
    watched: Watched = field(init=False)
    milliseconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.watched = Watched(self.reader)

    def ask(self, items: Sequence[Single], *, strict: bool) -> list[Said]:
        """One result an item, in order. With `strict` an error of the reader ends the run, else it is a fault."""
        if isinstance(self.reader, Streams):
            begun = time.perf_counter()
            found = self._streamed(self.reader, items)
            spent = 1000 * (time.perf_counter() - begun) / max(1, len(items))
            self.milliseconds = [spent] * len(items)
        else:
            found, self.milliseconds = [], []
            for item in items:
                before = self.watched.seconds
                found.append(self._one(item, strict))
                self.milliseconds.append(1000 * (self.watched.seconds - before))
        return [
            replace(said, measured=self.measure(item, said.answer)) for said, item in zip(found, items, strict=True)
        ]

    def _streamed(self, reader: Streams, items: Sequence[Single]) -> list[Said]:
        def work() -> dict[int, list[Answer]]:
            with closing(reader.stream([(item,) for item in items])) as stream:
                return dict(stream)

        answers = self.watched.timed(work)
        return [self._plain(item, answers[at][0]) for at, item in enumerate(items)]

    def _one(self, item: Single, strict: bool) -> Said:
        try:
            return self._read(item)
        except (OSError, MemoryError):
            raise
        except Exception as error:
            # a function of the user's may stumble over an empty passage; the machinery of a reader must not
            own = isinstance(error, ReadproofError) and not isinstance(self.reader, FunctionReader)
            if strict or own:
                raise
            cause = error.__cause__ if isinstance(error, ReadproofError) and error.__cause__ else error
            return Said(answer=Answer(id=item.id), fault=type(cause).__name__)

    def _read(self, item: Single) -> Said:
        reader = self.reader
        if isinstance(item, ChoiceItem):
            if isinstance(reader, Judges):
                judged = self.watched.timed(lambda: reader.judge(item))
                said = self._plain(item, judged.answer)
                return replace(said, options=judged.options, asked=judged.asked)
            return self._plain(item, self.watched.answer([item])[0])
        if DISTRIBUTION in reader.capabilities and isinstance(reader, Distributes) and not _may_be_silent(reader):
            judged_span = judge(self.watched, [item])[0]
            return Said(answer=judged_span.answer, belief=judged_span.expected)
        return self._plain(item, self.watched.answer([item])[0])

    def _plain(self, item: Single, answer: Answer) -> Said:
        if isinstance(item, ChoiceItem):
            return Said(answer=answer, belief=belief(item, answer))
        if answer.confidence is None:
            return Said(answer=answer)
        return Said(answer=answer, belief=answer.confidence * self.measure(item, answer)["f1"])


def sanitises(reader: Reader) -> bool:
    """Whether a reader takes out what is invisible before it reads: then it need not be done for it."""
    return bool(getattr(reader, "sanitises", isinstance(reader, ReadsSpans)))


def together(reader: Reader) -> int:
    """How many questions it is worth to have ready for one call."""
    return _TOGETHER if isinstance(reader, Streams) else 1


def _may_be_silent(reader: Reader) -> bool:
    """Whether "there is no answer" is an answer of this reader: then the likeliest span need not be its answer."""
    return bool(getattr(getattr(reader, "options", None), "no_answer", False))
