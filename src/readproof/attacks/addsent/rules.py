"""What AddSent must know of a language, and where its rules are. A language is loaded when an item asks for it.

Another package adds the rules of a language by the entry point group `readproof.addsent_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from readproof.items import Edit, Mark, SpanItem
from readproof.lang.api import Word
from readproof.registry import Registry

# The places in AddSent that a user may fill with models of their own; rules and word lists fill them otherwise.


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
    """What was filled in; None means the language's own rules. `frames` lets a sentence speak of a made-up story."""

    entities: EntityTagger | None = None
    words: WordTagger | None = None
    refill: Refill | None = None
    statement: Statement | None = None
    frames: bool = False

    @property
    def filled(self) -> bool:
        """Whether a model of the user's takes part: then all sentences are made of the item's own question."""
        return any(one is not None for one in (self.entities, self.words, self.refill, self.statement))


@dataclass(frozen=True, slots=True)
class Alteration:
    """What makes the question ask for something else: edits to it, and what kind of word they change."""

    edits: tuple[Edit, ...]
    kind: str

    @property
    def news(self) -> tuple[str, ...]:
        """The new words, which neither the passage nor the question may hold."""
        return tuple(edit.new for edit in self.edits if edit.new)


@dataclass(frozen=True, slots=True)
class AddedSentence:
    """A sentence to be added, and how it came about. `alike` is how like the item's the question is that a fact of
    something else answers (0 to 1), and 0 for a sentence that was made of the item's own question."""

    text: str
    alteration: Alteration
    answer: str
    alike: float = 0.0


class Rules(Protocol):
    """The rules of one language. Whatever is left to chance depends on the `Random` given.

    A language that subclasses it inherits what the methods with a body do: no facts, and no sentence above another.
    """

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

    def facts(self, item: SpanItem, random: Random) -> Iterator[AddedSentence]:  # noqa: ARG002
        """Sentences that people wrote of something else in answer to a like question, about the likest first."""
        yield from ()

    def rank(self, item: SpanItem, sentence: AddedSentence) -> int:  # noqa: ARG002
        """How surely a sentence makes sense: the lower, the earlier it is taken."""
        return 0


RULES: Registry[Rules] = Registry(
    "addsent_rule",
    {
        "zh": "readproof.attacks.addsent.zh:RULES",
        "fa": "readproof.attacks.addsent.fa:RULES",
        "en": "readproof.attacks.addsent.en:RULES",
    },
)


def rules_of(language: str) -> Rules | None:
    """The rules of a language; None where there are none yet."""
    return RULES.get(language) if language in RULES else None


# What altering a question has in common in all languages: free places, words for a language model, fair turns.


# the places of a question that stay as they are
Fixed = Sequence[tuple[int, int]]


def free(start: int, end: int, fixed: Fixed) -> bool:
    """Whether nothing of a place is fixed."""
    return all(end <= first or start >= last for first, last in fixed)


def refillable(question: str, taken: Fixed, slots: Slots, words: Callable[[str], Sequence[Word]]) -> Iterator[Word]:
    """Nouns and adjectives that a language model may change."""
    if slots.refill is None:
        return
    for word in slots.words(question) if slots.words else words(question):
        if word.tag.startswith(("n", "a", "N", "A")) and len(word.text) > 1 and free(word.start, word.end, taken):
            yield word


def refilled(word: Word, question: str, slots: Slots, random: Random) -> Iterator[Alteration]:
    """What the language model puts in a word's place: one of its first few."""
    if slots.refill is None:
        return
    masked = question[: word.start] + MASK + question[word.end :]
    proposals = [one for one in slots.refill(masked) if one and one != word.text and MASK not in one][:TOP]
    random.shuffle(proposals)
    for new in proposals:
        yield Alteration((Edit(word.start, word.text, new, "refilled"),), "refilled")


def in_turn(streams: list[Iterator[Alteration]]) -> Iterator[Alteration]:
    """The first of each stream, then the second of each, and so on."""
    while streams:
        left = []
        for stream in streams:
            found = next(stream, None)
            if found is not None:
                left.append(stream)
                yield found
        streams = left
