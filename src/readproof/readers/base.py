"""What a reader is, and how a name, a path or a Python function becomes one.

A reader answers items one by one in its own mind: an answer hangs on its item alone, never on what else is in the
batch, on order or on batch size. What it can do beyond that it says in `capabilities`.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem, Item, LabelItem, SpanItem, TagItem, Triple
from readproof.readers.card import Card
from readproof.registry import Registry
from readproof.text import language_of

SPANS = "spans"
DISTRIBUTION = "span-distribution"
OPTIONS = "options"
LABELS = "labels"
TAGS = "tags"
# how the trust in the gold answer leans with each word: torch readers alone can tell
GRADIENTS = "gradients"
# whole triples only, their three questions together: the answers are not independent
TRIPLES = "triples"

_FUNCTION = re.compile(r"[^\W\d][\w.]*:[^\W\d]\w*")
_HUB = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
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
class Ranks(Protocol):
    """A reader that also gives its next best answers to a question."""

    def best(self, item: SpanItem, count: int) -> list[Answer]: ...


@runtime_checkable
class LeavesOut(Protocol):
    """A reader that does not read all of a passage, and says what it passes over."""

    def left_out(self, passage: str) -> list[tuple[int, int]]:
        """Raw spans of the passage, in order."""
        ...


@runtime_checkable
class Gradients(Protocol):
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
class Streams(Reader, Protocol):
    """A reader that works on many questions at a time, and keeps what it was told, so that it asks nothing twice."""

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
class Traces(Protocol):
    """A reader whose answers say which modules they passed."""

    def model_file(self) -> str:
        """A Python file that builds these modules, as CELUE's packages have it."""
        ...


class Entry(Protocol):
    """A reader known by name: what is written on its card, and the reader itself."""

    def card(self) -> Card: ...

    def open(self, options: Options) -> Reader: ...


_WEIGHTS = ("model.onnx", "changes.npz")
_EXITS = "exits.json"


def _built_in() -> dict[str, str]:
    """The readers in the package; beside the first, those whose weights came with it."""
    places = {"zh": "readproof.readers.shipped:ZH", "fa": "readproof.readers.shipped:FA"}
    models = Path(__file__).parent / "models"
    return {name: place for name, place in places.items() if name == "zh" or has_weights(models / name)}


def has_weights(folder: Path) -> bool:
    """Whether a folder has a graph, or changes to that of another reader."""
    return any((folder / name).is_file() for name in _WEIGHTS)


READERS: Registry[Entry] = Registry("reader", _built_in())


def load_reader(spec: str, *, threads: int = 0, no_answer: bool = False, exit: str = "") -> Reader:
    """The reader that READER names.

    A name, a folder (ONNX or Hugging Face), a hub name, `llm:ADDRESS#MODEL`, or `module:function`; with `clean:` before
    it the reader is handed clean texts (see `deaf`), with `sense:` texts without nonsense (see `sensible`). `exit` is
    for multi-exit readers alone.
    """
    options = Options(threads=threads, no_answer=no_answer, exit=exit)
    path = Path(spec)
    if exit and not (path / _EXITS).is_file():
        expected = "the folder of a multi-exit reader, as `readproof train celue` writes it"
        raise InputError(place="--exit", found=f"the reader {spec!r}", expected=expected)
    if spec.startswith("clean:"):
        from readproof.readers.deaf import Deaf

        if spec == "clean:":
            raise InputError(found="'clean:' and no reader", expected="clean:READER", do="Name one, as clean:zh.")
        return Deaf(load_reader(spec.removeprefix("clean:"), threads=threads, no_answer=no_answer))
    if spec.startswith("sense:"):
        from readproof.readers.sensible import behind_sense

        if spec == "sense:":
            raise InputError(found="'sense:' and no reader", expected="sense:READER", do="Name one, as sense:zh.")
        return behind_sense(load_reader(spec.removeprefix("sense:"), threads=threads, no_answer=no_answer))
    if spec.startswith("llm:"):
        from readproof.readers.llm import open_llm

        return open_llm(spec, options)
    if spec in READERS and not spec.startswith((".", "/")):
        return READERS.get(spec).open(options)
    if spec.startswith("hf:"):
        return _hugging_face(spec.removeprefix("hf:"), options)
    if path.exists():
        return _folder(path, options)
    if _FUNCTION.fullmatch(spec):
        from readproof.readers.callable import open_function

        return open_function(spec)
    if _HUB.fullmatch(spec):
        return _hugging_face(spec, options)
    if "/" in spec or "\\" in spec:
        raise InputError(file=spec, found="no such folder", expected="the folder of a reader", do="Check the path.")
    return READERS.get(spec).open(options)


def reader_for(text: str) -> str:
    """The name of the shipped reader for a text, by its language; the first one where there is none for it."""
    language = language_of(text)
    return language if language in _built_in() else "zh"


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


def _folder(path: Path, options: Options) -> Reader:
    if path.is_file() and path.name in _WEIGHTS:
        path = path.parent
    if has_weights(path):
        from readproof.readers.embedded import open_folder

        return open_folder(path, options)
    if (path / _EXITS).is_file():
        from readproof.readers.exits.reader import open_exits

        return open_exits(path, options)
    if (path / "config.json").is_file():
        return _hugging_face(str(path), options)
    raise InputError(
        file=path,
        found="a folder without a reader" if path.is_dir() else "a file",
        expected="a folder with model.onnx and vocab.txt, or a Hugging Face folder with config.json",
    )


def _hugging_face(name: str, options: Options) -> Reader:
    from readproof.readers.transformers import open_pretrained

    return open_pretrained(name, options)
