"""Items as rows of tokens: a headline, a translation with its verses, a text character by character.

Tags belong to characters, so each character is a token of its own there; a row is [CLS] … [SEP] in every case. What is
trained on comes through here too.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from readproof.items import ChoiceItem, Item, LabelItem, TagItem
from readproof.readers.exits.answering import pieces
from readproof.readers.exits.manner import ExitManner
from readproof.readers.tokens import Ints
from readproof.readers.vocabulary import CLS, SEP, UNKNOWN, Vocabulary
from readproof.text import encodable


@dataclass(frozen=True, slots=True)
class Row:
    """Tokens, the place where the second text begins, and the places that a head scores."""

    ids: Ints
    second: int
    places: Ints

    @property
    def types(self) -> Ints:
        return (np.arange(len(self.ids)) >= self.second).astype(np.int32)


class Asking:
    """A vocabulary and a manner: what a reader makes of an item."""

    def __init__(self, vocabulary: Vocabulary, manner: ExitManner) -> None:
        self._vocabulary = vocabulary
        self._manner = manner
        self._known = vocabulary.ids()
        self._cls, self._sep, self._unknown = (self._known[token] for token in (CLS, SEP, UNKNOWN))
        self._characters: dict[str, int] = {}

    @cached_property
    def _tokenizer(self) -> object:
        return self._vocabulary.tokenizer()

    def rows(self, item: Item) -> list[Row]:
        """The rows of an item: one for a headline, one or one an option for a choice, one a piece for tags."""
        if isinstance(item, LabelItem):
            ids = [self._cls, *self._words(item.text)[: self._manner.max_tokens - 2], self._sep]
            return [_row(ids, len(ids), [0])]
        if isinstance(item, ChoiceItem):
            return self._choice(item)
        if isinstance(item, TagItem):
            return [self._piece(item.text[start:end]) for start, end in pieces(len(item.text), self._manner)]
        raise TypeError(f"{type(item).__name__} has no rows")

    def _choice(self, item: ChoiceItem) -> list[Row]:
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

    def _piece(self, text: str) -> Row:
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


def _row(ids: list[int], second: int, places: list[int]) -> Row:
    return Row(np.asarray(ids, dtype=np.int32), second, np.asarray(places, dtype=np.int32))
