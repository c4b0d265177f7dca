"""The nouns: what is asked, what is answered, what an attack makes of it. Immutable, with character offsets, no I/O."""

from __future__ import annotations

import string
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

LETTERS = string.ascii_uppercase

Truth = Literal["kept", "flipped"]


@dataclass(frozen=True, slots=True)
class Edit:
    """`old` at `start` (in the text before) became `new`, and why.

    `where` names the text of an item that was edited: "passage", "question", "option 0"; "" where there is but one.
    """

    start: int
    old: str
    new: str
    why: str = ""
    where: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.old)


@dataclass(frozen=True, slots=True)
class Gold:
    """One accepted answer; `start` is None where no place in the passage is known."""

    text: str
    start: int | None = None

    @property
    def end(self) -> int | None:
        return None if self.start is None else self.start + len(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanItem:
    """A question whose answer is a piece of the passage (or, if `impossible`, is not there)."""

    id: str
    passage: str
    question: str
    golds: tuple[Gold, ...] = ()
    impossible: bool = False
    language: str = "zh"
    title: str = ""
    passage_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceItem:
    """A question with options; `answer` is the index of the right one, `truths` says of each option if it is true."""

    id: str
    passage: str
    question: str
    options: tuple[str, ...]
    answer: int | None = None
    truths: tuple[bool, ...] = ()
    language: str = "zh"
    title: str = ""
    passage_id: str = ""

    @property
    def letter(self) -> str | None:
        return None if self.answer is None else letter(self.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """A question and its two perturbed forms: positive (truth kept) and negative (truth flipped)."""

    id: str
    original: ChoiceItem
    positive: ChoiceItem
    negative: ChoiceItem

    @property
    def questions(self) -> tuple[ChoiceItem, ChoiceItem, ChoiceItem]:
        return (self.original, self.positive, self.negative)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelItem:
    """A text, or a pair of texts, with one label out of a closed set."""

    id: str
    text: str
    pair: str = ""
    label: str | None = None
    language: str = "zh"


@dataclass(frozen=True, slots=True)
class Mark:
    """A typed piece of a text; `end` is exclusive."""

    start: int
    end: int
    type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagItem:
    """A text whose words or entities are marked; `marks` is None where the gold is not known."""

    id: str
    text: str
    marks: tuple[Mark, ...] | None = None
    language: str = "zh"


Item = SpanItem | ChoiceItem | Triple | LabelItem | TagItem
Kind = TypeVar("Kind", bound=Item)


def has_gold(item: Item) -> bool:
    """Whether the right answer is known; in a test file it is not."""
    if isinstance(item, SpanItem):
        return bool(item.golds) or item.impossible
    if isinstance(item, Triple):
        return all(map(has_gold, item.questions))
    known = item.answer if isinstance(item, ChoiceItem) else item.label if isinstance(item, LabelItem) else item.marks
    return known is not None


_GOLD: dict[type, dict[str, Any]] = {
    SpanItem: {"golds": (), "impossible": False},
    ChoiceItem: {"answer": None, "truths": ()},
    LabelItem: {"label": None},
    TagItem: {"marks": None},
}


def without_gold(item: Kind) -> Kind:
    """The item as a reader is shown it: nothing in it gives the answer away."""
    if isinstance(item, Triple):
        names = ("original", "positive", "negative")
        return replace(item, **{name: without_gold(getattr(item, name)) for name in names})
    return replace(item, **_GOLD[type(item)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a reader says of one item.

    `text` is clean and goes into prediction files; `raw` is the slice [start, end) of the passage as it stood. A
    multi-exit reader says after which layer it stopped (`exit`), and which modules that took.
    """

    id: str
    text: str = ""
    raw: str = ""
    start: int | None = None
    end: int | None = None
    choice: int | None = None
    label: str | None = None
    marks: tuple[Mark, ...] = ()
    scores: tuple[float, ...] = ()
    confidence: float | None = None
    exit: int | None = None
    modules: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """An item made by an attack out of the item `origin`: is its truth kept or flipped, and what was edited."""

    item: Item
    origin: str
    attack: str
    strategy: str = ""
    truth: Truth = "kept"
    edits: tuple[Edit, ...] = ()


def letter(index: int) -> str:
    """The letter of an option: 0 is A."""
    return LETTERS[index]


def letter_index(text: str) -> int:
    """The option a letter names; a ValueError if it is not a single capital letter."""
    if len(text) != 1 or text not in LETTERS:
        raise ValueError(text)
    return LETTERS.index(text)
