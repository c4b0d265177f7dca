"""What a reader is: protocols, and the capabilities that it declares.

A reader answers items independently: an answer depends on its item alone, never on what else is in the batch, on order
or on batch size. What it can do beyond that it says in `capabilities`. `factory` makes readers of names and folders.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Item, LabelItem, SpanItem, TagItem, Triple
from readproof.readers.card import ReaderCard

SPANS = "spans"
DISTRIBUTION = "span-distribution"
OPTIONS = "options"
LABELS = "labels"
TAGS = "tags"
# how the trust in the gold answer leans with each word: torch readers alone can tell
GRADIENTS = "gradients"
# whole triples only, their three questions together: the answers are not independent
TRIPLES = "triples"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderOptions:
    """How to read: how many threads (0: every core this process may use), and whether "" is an answer.

    `exit` says when a multi-exit reader stops, as `entropy:0.2`; nothing: after its last layer.
    """

    threads: int = 0
    no_answer: bool = False
    exit: str = ""


@runtime_checkable
class Reader(Protocol):
    """What answers items; `fingerprint` changes whenever its answers might."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> frozenset[str]: ...

    @property
    def fingerprint(self) -> str: ...

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        """One answer an item, in order."""
        ...


@runtime_checkable
class GivesNBest(Protocol):
    """A reader that also gives its next best answers to a question."""

    def best(self, item: SpanItem, count: int) -> list[Answer]: ...


@runtime_checkable
class SkipsText(Protocol):
    """A reader that does not read all of a passage, and says what it passes over."""

    def left_out(self, passage: str) -> list[tuple[int, int]]:
        """Raw spans of the passage, in order."""
        ...


@runtime_checkable
class GivesGradients(Protocol):
    """A reader that can say by its gradients what another word would do to it."""

    def exchanges(
        self,
        items: Sequence[SpanItem],
        places: Sequence[Sequence[tuple[int, int]]],
        words: Sequence[Sequence[str]],
    ) -> list[Any]:
        """For each item a table, a row a place and a column a word: how much further from the gold it would answer.

        Places are spans of the raw passage, each one word; the table is the first-order estimate for the word there
        exchanged for each of the item's `words`.
        """
        ...


@runtime_checkable
class StreamingReader(Protocol):
    """A reader that works on many questions at a time, and keeps what it was told, so that it asks nothing twice.

    No subclass of Reader: whether an object is one is asked by its attributes, and a fingerprint may take a request.
    """

    @property
    def kept_in(self) -> str:
        """Where that is kept."""
        ...

    def stream(self, groups: Sequence[Sequence[Item]]) -> Generator[tuple[int, list[Answer]], None, None]:
        """Groups as they are done, by their number.

        A group is one question; for a reader with the capability `triples` it is the three questions of a triple.
        """
        ...

    def figures(self) -> Mapping[str, Any]:
        """What was asked so far, and what came of it."""
        ...

    def prompts(self) -> Sequence[Mapping[str, Any]]:
        """How it asks; kept beside the predictions."""
        ...


@runtime_checkable
class TracksModules(Protocol):
    """A reader whose answers say which modules they passed."""

    def model_file(self) -> str:
        """A Python file that builds these modules, as CELUE's packages have it."""
        ...


class ReaderEntry(Protocol):
    """A reader known by name: what is written on its card, and the reader itself."""

    def card(self) -> ReaderCard: ...

    def open(self, options: ReaderOptions) -> Reader: ...


def questions_of(item: Item) -> tuple[Item, ...]:
    """What a reader is asked for one item of a file: the three questions of a triple, else the item itself."""
    return item.questions if isinstance(item, Triple) else (item,)


def need(reader: Reader, item: Item) -> None:
    """An item that the reader cannot answer is refused before any time is spent on it."""
    kinds = {SpanItem: SPANS, ChoiceItem: OPTIONS, Triple: TRIPLES, LabelItem: LABELS, TagItem: TAGS}
    kind = kinds.get(type(item), type(item).__name__)
    if kind in reader.capabilities:
        return
    what = {SPANS: "questions answered by a piece of the passage", OPTIONS: "questions with options"}
    what[TRIPLES] = "whole triples of questions, as its prompt is a joint one"
    what |= {LABELS: "texts to label", TAGS: "texts to mark"}
    able = " and ".join(what[one] for one in what if one in reader.capabilities)
    raise InputError(
        place=f"item {item.id!r}",
        found=f"a {type(item).__name__} for the reader {reader.name!r}",
        expected=able or "an item it can answer",
        do="Choose another reader or other data.",
    )
