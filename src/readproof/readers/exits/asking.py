"""Items as rows of tokens: a headline, a translation with its verses, a text character by character.

Tags belong to characters, so each character is a token of its own there; a row is [CLS] … [SEP] in every case. What is
trained on comes through here too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from readproof.efficiency.modules import Trace, written
from readproof.items import Answer, ChoiceItem, Item, LabelItem, Mark, TagItem
from readproof.readers.exits.config import ExitConfig
from readproof.readers.exits.deciding import Decision
from readproof.readers.tokens import Ints, spread
from readproof.readers.vocabulary import CLS, SEP, UNKNOWN, Vocabulary
from readproof.text import encodable

# Tags of characters and the marks they stand for: B, M, E, S before a type for words, B, I and O for entities.


OUTSIDE = "O"


def tags_of(item: TagItem, *, words: bool) -> list[str]:
    """A tag for each character; of marks that overlap the first in the list wins."""
    tags = [OUTSIDE] * len(item.text)
    for mark in item.marks or ():
        if any(tag != OUTSIDE for tag in tags[mark.start : mark.end]):
            continue
        tags[mark.start : mark.end] = _word(mark) if words else _entity(mark)
    return tags


def tag_set(items: Iterable[TagItem], *, words: bool) -> tuple[str, ...]:
    """Every tag that some items need, with all four letters of each type, in a fixed order."""
    types = sorted({mark.type for item in items for mark in item.marks or ()})
    letters = "BMES" if words else "BI"
    named = (_named(letter, kind) for kind in types for letter in letters)
    return tuple(named) if words else (OUTSIDE, *named)


def marks_of(tags: Sequence[str], *, words: bool) -> tuple[Mark, ...]:
    """The marks that some tags stand for; whatever the tags are, words cover the whole text."""
    return _words(tags) if words else _entities(tags)


def is_words(tags: Sequence[str]) -> bool:
    """Whether a set of tags is one of words."""
    return OUTSIDE not in tags


def _words(tags: Sequence[str]) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    start = 0
    for at, tag in enumerate(tags):
        begins = at == 0 or tag[:1] in ("B", "S") or tags[at - 1][:1] in ("E", "S")
        if begins and at:
            marks.append(Mark(start, at, _type(tags[start])))
        start = at if begins else start
    return (*marks, Mark(start, len(tags), _type(tags[start]))) if tags else ()


def _entities(tags: Sequence[str]) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    start, kind = 0, ""
    for at, tag in enumerate([*tags, OUTSIDE]):
        found = _type(tag)
        if kind and (tag[:1] == "B" or found != kind):
            marks.append(Mark(start, at, kind))
            kind = ""
        if found and not kind:
            start, kind = at, found
    return tuple(marks)


def _word(mark: Mark) -> list[str]:
    length = mark.end - mark.start
    letters = "S" if length == 1 else "B" + "M" * (length - 2) + "E"
    return [_named(letter, mark.type) for letter in letters]


def _entity(mark: Mark) -> list[str]:
    return [_named("B", mark.type)] + [_named("I", mark.type)] * (mark.end - mark.start - 1)


def _named(letter: str, kind: str) -> str:
    return f"{letter}-{kind}" if kind else letter


def _type(tag: str) -> str:
    return tag[2:]


# From where the units of an item stopped to its answer.


def pieces(length: int, config: ExitConfig) -> list[tuple[int, int]]:
    """The pieces of a text that are read by themselves: even, and as few as there may be."""
    return spread(length, config.max_tokens - 2, 0) if length else []


def answer_of(item: Item, found: Sequence[Decision], config: ExitConfig) -> Answer:
    """The answer of an item whose units stopped so; its exit is that of the one which went highest."""
    modules: Trace = tuple(use for one in found for use in one.modules)
    layer = max((one.layer for one in found), default=None)
    answer = Answer(id=item.id, exit=layer, modules=written(modules))
    if isinstance(item, TagItem):
        # pieces of a text may share a few characters: the later one has the last word
        numbers = np.zeros(len(item.text), dtype=np.int64)
        for (start, end), one in zip(pieces(len(item.text), config), found, strict=True):
            numbers[start:end] = one.answers
        tags = [config.labels[number] for number in numbers]
        return replace(answer, marks=marks_of(tags, words=is_words(config.labels)))
    best = int(found[0].answers[0])
    if isinstance(item, ChoiceItem):
        return replace(answer, choice=best)
    if isinstance(item, LabelItem):
        return replace(answer, label=config.labels[best])
    raise TypeError(f"{type(item).__name__} is answered by no head")


@dataclass(frozen=True, slots=True)
class TokenRow:
    """Tokens, the place where the second text begins, and the places that a head scores."""

    ids: Ints
    second: int
    places: Ints

    @property
    def types(self) -> Ints:
        return (np.arange(len(self.ids)) >= self.second).astype(np.int32)


class Asking:
    """A vocabulary and a configuration: what a reader makes of an item."""

    def __init__(self, vocabulary: Vocabulary, config: ExitConfig) -> None:
        self._vocabulary = vocabulary
        self._manner = config
        self._known = vocabulary.ids()
        self._cls, self._sep, self._unknown = (self._known[token] for token in (CLS, SEP, UNKNOWN))
        self._characters: dict[str, int] = {}

    @cached_property
    def _tokenizer(self) -> object:
        return self._vocabulary.tokenizer()

    def rows(self, item: Item) -> list[TokenRow]:
        """The rows of an item: one for a headline, one or one an option for a choice, one a piece for tags."""
        if isinstance(item, LabelItem):
            ids = [self._cls, *self._words(item.text)[: self._manner.max_tokens - 2], self._sep]
            return [_row(ids, len(ids), [0])]
        if isinstance(item, ChoiceItem):
            return self._choice(item)
        if isinstance(item, TagItem):
            return [self._piece(item.text[start:end]) for start, end in pieces(len(item.text), self._manner)]
        raise TypeError(f"{type(item).__name__} has no rows")

    def _choice(self, item: ChoiceItem) -> list[TokenRow]:
        most = self._manner.max_tokens
        options = [self._words(option)[: most // 8] for option in item.options]
        if not self._manner.together:
            asked = self._words(item.question)[: most - 3 - max(map(len, options), default=0)]
            head = [self._cls, *asked, self._sep]
            return [_row([*head, *option, self._sep], len(head), [0]) for option in options]
        asked = self._words(item.question)[: max(1, most - 2 - sum(len(option) + 1 for option in options))]
        ids = [self._cls, *asked, self._sep]
        second, places = len(ids), []
        for option in options:
            ids += [*option, self._sep]
            places.append(len(ids) - 1)
        return [_row(ids, second, places)]

    def _piece(self, text: str) -> TokenRow:
        ids = [self._cls, *map(self._character, text), self._sep]
        return _row(ids, len(ids), list(range(1, len(ids) - 1)))

    def _words(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer.encode(encodable(text), add_special_tokens=False).ids  # type: ignore[attr-defined]
        return found

    def _character(self, one: str) -> int:
        """The row of a character: its own, or that of its lower case or usual form."""
        if one not in self._characters:
            usual = unicodedata.normalize("NFKC", one).lower()
            forms = (one, one.lower(), usual, usual[:1])
            self._characters[one] = next((self._known[form] for form in forms if form in self._known), self._unknown)
        return self._characters[one]


def _row(ids: list[int], second: int, places: list[int]) -> TokenRow:
    return TokenRow(np.asarray(ids, dtype=np.int32), second, np.asarray(places, dtype=np.int32))
