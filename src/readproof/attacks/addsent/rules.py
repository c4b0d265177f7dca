"""What AddSent must know of a language, and where its rules are. A language is loaded when an item asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Protocol

from readproof.attacks.addsent.slots import Slots
from readproof.items import Edit, SpanItem

# the module of each language; it has `RULES`
MODULES = {
    "zh": "readproof.attacks.addsent.zh",
    "fa": "readproof.attacks.addsent.fa",
    "en": "readproof.attacks.addsent.en",
}


@dataclass(frozen=True, slots=True)
class Alteration:
    """What makes the question ask for something else: edits to it, and what kind of word they change."""

    edits: tuple[Edit, ...]
    kind: str

    @property
    def news(self) -> tuple[str, ...]:
        """The new words, which neither the passage nor the question may hold."""
        return tuple(edit.new for edit in self.edits if edit.new)


class Rules(Protocol):
    """The rules of one language. Whatever is left to chance hangs on the `Random` given."""

    def question_phrase(self, item: SpanItem) -> str | None:
        """What kind of answer the question asks for; None where it is no question that can be told."""
        ...

    def alter(self, item: SpanItem, slots: Slots, random: Random) -> Iterator[Alteration]:
        """Ways to alter the question, the better first; each word is tried before any is tried again."""
        ...

    def fake_answers(self, item: SpanItem, random: Random) -> Iterator[str]:
        """Answers of the gold answer's type, the likest first."""
        ...

    def statement(self, item: SpanItem, alteration: Alteration, answer: str, slots: Slots) -> str:
        """The altered question with the answer in its place, as a sentence; "" where there is none."""
        ...

    def sentence_ends(self, passage: str) -> Sequence[int]:
        """Where sentences end, the passage's end not among them."""
        ...

    def joined(self, before: str, sentence: str) -> str:
        """The sentence with what must stand between it and the text before it."""
        ...

    def content_words(self, text: str) -> frozenset[str]:
        """The words that say what a text is about."""
        ...

    def refuses(self, item: SpanItem, statement: str) -> str:
        """Why a statement will not do in this language; "" if it will."""
        ...


def rules_of(language: str) -> Rules | None:
    """The rules of a language; None where there are none yet."""
    if language not in MODULES:
        return None
    rules: Rules = import_module(MODULES[language]).RULES
    return rules
