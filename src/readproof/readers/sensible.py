"""Any reader made to pass over sentences that are words without sense: it is handed the passage without them.

`sense:READER`. What is found is put back into the passage as it stood.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Edit, SpanItem
from readproof.lang.forms import shown
from readproof.lang.nonsense import network_of, nonsense, version
from readproof.readers.base import DISTRIBUTION, OPTIONS, SPANS, Reader
from readproof.readers.behind import Behind
from readproof.readers.reading import ReadsSpans
from readproof.readers.track import parameters_of
from readproof.text import Text, applied, plain

_REMEMBERED = 64


class Sensible(Behind):
    """A reader that is not shown nonsense."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.name = f"sense:{reader.name}"
        self.capabilities = reader.capabilities & {SPANS, OPTIONS}
        if isinstance(reader, ReadsSpans):
            self.capabilities |= reader.capabilities & {DISTRIBUTION}
        self.sanitises = bool(getattr(reader, "sanitises", isinstance(reader, ReadsSpans)))
        # passages that differ in nothing but their nonsense are read once
        self._said: OrderedDict[tuple[str, str, int], list[Answer]] = OrderedDict()

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(f"sense\0{version('zh')}\0{self.reader.fingerprint}".encode()).hexdigest()

    @property
    def parameters(self) -> int | None:
        """Those of the reader and of the network that looks for nonsense."""
        own = parameters_of(self.reader)
        return None if own is None else own + network_of("zh").parameters

    def _one(self, item: SpanItem | ChoiceItem) -> Answer:
        if isinstance(item, ChoiceItem):
            return self.reader.answer([replace(item, passage=sensible(item.passage).clean)])[0]
        return self._found(item, 0, self.reader.answer)[0]

    def likely(self, item: SpanItem, count: int = 20) -> list[Answer]:
        """The likeliest spans as answers, with their probabilities."""
        reader = self.reader
        if not isinstance(reader, ReadsSpans):
            raise InputError(found=f"the reader {reader.name}", expected="one that says how likely spans are")
        return self._found(item, count, lambda items: reader.likely(items[0], count))

    def distribution(self, item: SpanItem, count: int = 20) -> list[tuple[int, int, float]]:
        """The likeliest spans: raw start, raw end, probability."""
        return [
            (one.start, one.end, one.confidence or 0.0)
            for one in self.likely(item, count)
            if one.start is not None and one.end is not None
        ]

    def _found(self, item: SpanItem, count: int, ask: Callable[[list[SpanItem]], list[Answer]]) -> list[Answer]:
        passage = sensible(item.passage)
        key = (item.question, passage.clean, count)
        if key not in self._said:
            # a gold is not for the reader to see, and would not stand in the new passage
            self._said[key] = ask([replace(item, passage=passage.clean, golds=(), impossible=False)])
            while len(self._said) > _REMEMBERED:
                self._said.popitem(last=False)
        self._said.move_to_end(key)
        return [_put_back(one, item, passage) for one in self._said[key]]


@lru_cache(maxsize=64)  # several questions share a passage
def sensible(raw: str) -> Text:
    """A passage without its sentences that are words without sense; the map leads back to the raw text."""
    form = shown(raw)
    if not form.kind.chinese:
        return plain(raw)
    spans = [form.text.to_raw(*span) for span in nonsense(form.text.clean, "zh")]
    return applied(raw, (Edit(start, raw[start:end], "", "words without sense") for start, end in spans))


def _put_back(answer: Answer, item: SpanItem, passage: Text) -> Answer:
    if answer.start is None or answer.end is None or answer.start == answer.end:
        return replace(answer, id=item.id)
    start, end = passage.to_raw(answer.start, answer.end)
    return replace(answer, id=item.id, start=start, end=end, raw=item.passage[start:end])
