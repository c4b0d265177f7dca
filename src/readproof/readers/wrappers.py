"""Readers that stand before another one: it is handed clean text, or no sentences that are words without sense."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Edit, Item, SpanItem
from readproof.lang.forms import FORM_VERSION, shown
from readproof.lang.nonsense import network_of, nonsense, version
from readproof.readers.api import DISTRIBUTION, OPTIONS, SPANS, GivesNBest, Reader, need
from readproof.readers.options import EvidenceSpan, JudgedOptions, JudgesOptions, as_read
from readproof.readers.reading import ReadsSpans
from readproof.readers.track import parameters_of
from readproof.text import Text, applied, plain

# What readers that stand before another reader share: each item by itself, shown otherwise, the answer put back.


class ReaderWrapper(ABC):
    """`reader` does the reading; `name` and `capabilities` are those of the two together."""

    reader: Reader
    name: str
    capabilities: frozenset[str]

    @property
    @abstractmethod
    def fingerprint(self) -> str: ...

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        for item in items:
            need(self, item)
        return [self._one(item) for item in items if isinstance(item, SpanItem | ChoiceItem)]

    @abstractmethod
    def _one(self, item: SpanItem | ChoiceItem) -> Answer: ...


# Any reader made deaf to what nobody sees: it is given the text that our own readers read, its answers are put back.
#
# A Python function or a model behind an endpoint reads what it is handed, invisible characters and all. `clean:READER`
# hands it the clean form, and cuts its answers from the passage as it stood.


class SanitizingReader(ReaderWrapper):
    """A reader behind the sanitiser."""

    sanitises = True

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.name = f"clean:{reader.name}"
        self.capabilities = reader.capabilities & {SPANS, OPTIONS}

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(f"clean\0{FORM_VERSION}\0{self.reader.fingerprint}".encode()).hexdigest()

    def _one(self, item: SpanItem | ChoiceItem) -> Answer:
        if isinstance(item, ChoiceItem):
            form, choice = as_read(item)
            answer = self.reader.answer([replace(choice, passage=form.text.clean)])[0]
            return answer if answer.choice is None else replace(answer, text=item.options[answer.choice])
        passage = shown(item.passage)
        plain, question = passage.text.clean, passage.like(item.question)
        # a gold is not for the reader to see, and would not stand in the new passage
        asked = replace(item, passage=plain, question=question, golds=(), impossible=False)
        answer = self.reader.answer([asked])[0]
        if answer.start is None or answer.end is None:
            return answer
        start, end = passage.text.to_raw(answer.start, answer.end)
        words = passage.words(answer.start, answer.end)
        return replace(answer, text=words, raw=item.passage[start:end], start=start, end=end)


# Any reader made to pass over sentences that are words without sense: it is handed the passage without them.
#
# `sense:READER`. What is found is put back into the passage as it stood.


_REMEMBERED = 64


class GibberishFilter(ReaderWrapper):
    """A reader that is not shown nonsense."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.name = f"sense:{reader.name}"
        self.capabilities = reader.capabilities & {SPANS, OPTIONS}
        if isinstance(reader, ReadsSpans):
            self.capabilities |= reader.capabilities & {DISTRIBUTION}
        self.sanitises = bool(getattr(reader, "sanitises", isinstance(reader, ReadsSpans)))
        # passages that differ in nothing but their nonsense are read once
        self._said: OrderedDict[tuple[str, str, str, int], list[Answer]] = OrderedDict()

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
        return self._found(item, "answer", 1, self.reader.answer)[0]

    def likely(self, item: SpanItem, count: int = 20) -> list[Answer]:
        """The likeliest spans as answers, with their probabilities."""
        reader = self.reader
        if not isinstance(reader, ReadsSpans):
            raise InputError(found=f"the reader {reader.name}", expected="one that says how likely spans are")
        return self._found(item, "likely", count, lambda items: reader.likely(items[0], count))

    def best(self, item: SpanItem, count: int) -> list[Answer]:
        """The `count` best answers, the best first; one, if the reader gives no more."""
        reader = self.reader
        if not isinstance(reader, GivesNBest):
            return [self._one(item)]
        return self._found(item, "best", count, lambda items: reader.best(items[0], count))

    def left_out(self, passage: str) -> list[tuple[int, int]]:
        """The sentences that the reader is not shown."""
        return [(edit.start, edit.end) for edit in sensible(passage).edits]

    def distribution(self, item: SpanItem, count: int = 20) -> list[tuple[int, int, float]]:
        """The likeliest spans: raw start, raw end, probability."""
        return [
            (one.start, one.end, one.confidence or 0.0)
            for one in self.likely(item, count)
            if one.start is not None and one.end is not None
        ]

    def _found(
        self, item: SpanItem, what: str, count: int, ask: Callable[[list[SpanItem]], list[Answer]]
    ) -> list[Answer]:
        passage = sensible(item.passage)
        key = (item.question, passage.clean, what, count)
        if key not in self._said:
            # a gold is not for the reader to see, and would not stand in the new passage
            self._said[key] = ask([replace(item, passage=passage.clean, golds=(), impossible=False)])
            while len(self._said) > _REMEMBERED:
                self._said.popitem(last=False)
        self._said.move_to_end(key)
        return [_put_back(one, item, passage) for one in self._said[key]]


class GibberishFilterJudge(GibberishFilter):
    """A reader that shows how it judged options, by sentences of the passage as it stood."""

    def judge(self, item: ChoiceItem) -> JudgedOptions:
        """The letter, and for each option its score and the sentences it was judged by."""
        reader = self.reader
        if not isinstance(reader, JudgesOptions):
            raise InputError(found=f"the reader {reader.name}", expected="one that shows how it judges options")
        passage = sensible(item.passage)
        judged = reader.judge(replace(item, passage=passage.clean))
        options = [
            replace(one, evidence=tuple(_placed(piece, passage) for piece in one.evidence)) for one in judged.options
        ]
        return replace(judged, options=tuple(options))


def behind_sense(reader: Reader) -> GibberishFilter:
    """The reader kept from nonsense; it shows its reasons if the reader does."""
    return GibberishFilterJudge(reader) if isinstance(reader, JudgesOptions) else GibberishFilter(reader)


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


def _placed(piece: EvidenceSpan, passage: Text) -> EvidenceSpan:
    start, end = passage.to_raw(piece.start, piece.end)
    return replace(piece, start=start, end=end)
