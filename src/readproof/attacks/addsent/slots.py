"""The places in AddSent that a user may fill with models of their own; rules and word lists fill them otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from readproof.items import Mark
from readproof.lang.words import Word

# what stands in a text for the word that a language model is to fill in
MASK = "[MASK]"
# one of this many first proposals is taken, as in the study of Persian readers
TOP = 5


class EntityTagger(Protocol):
    """Finds the names of a text; a mark's type is person, place, organisation, work, time, number, people or name."""

    def __call__(self, text: str) -> Sequence[Mark]: ...


class WordTagger(Protocol):
    """Cuts a text into words with parts of speech; tags that begin with n or a (nouns, adjectives) may be changed."""

    def __call__(self, text: str) -> Sequence[Word]: ...


class Refill(Protocol):
    """A masked language model: proposals for the one [MASK] in a text, the best first."""

    def __call__(self, text: str) -> Sequence[str]: ...


class Statement(Protocol):
    """Makes a statement of a question and an answer; "" where it cannot."""

    def __call__(self, question: str, answer: str) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """What was filled in; None means the language's own rules."""

    entities: EntityTagger | None = None
    words: WordTagger | None = None
    refill: Refill | None = None
    statement: Statement | None = None
