"""AddSent: a sentence that answers another question than the one asked is added to the passage.

The question is altered (another name, number, time, noun or adjective), an answer of the gold answer's type is made
up, and both become a statement. A person sees that it speaks of something else; a reader that matches words does not.
`AddSent` can also ask a reader which of several sentences hurts it most; `AddOneSent` takes one at random.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from readproof.attacks.addsent.making import PLACES, Check, made, searched
from readproof.attacks.addsent.rules import RULES, EntityTagger, Refill, Slots, Statement, WordTagger
from readproof.attacks.base import AttackInfo, AttackOutput, SearchOutput
from readproof.errors import InputError
from readproof.items import Item, SpanItem
from readproof.readers.api import Reader

__all__ = ["AddOneSent", "AddSent"]

_PLACE = {"values": PLACES, "help": "where the sentence goes: end, start, or random between two sentences"}
_FRAMES = {"help": "whether a question in which nothing can be altered may be told of a made-up story"}
_ENTITIES = {"help": "finds names in the question (from Python only)", "slot": True}
_WORDS = {"help": "finds nouns and adjectives in the question (from Python only)", "slot": True}
_REFILL = {"help": "a masked language model that proposes other words (from Python only)", "slot": True}
_STATEMENT = {"help": "makes a statement of question and answer (from Python only)", "slot": True}
_CHECKS = {"help": "further checks of the sentence (from Python only)", "slot": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class AddOneSent:
    """One sentence, no reader asked."""

    about: ClassVar[AttackInfo] = AttackInfo(
        name="addonesent",
        does="a sentence that answers another question, taken at random",
        languages=("zh", "fa", "en"),
        registry=RULES,
    )

    place: str = field(default="end", metadata=_PLACE)
    frames: bool = field(default=False, metadata=_FRAMES)
    entity_tagger: EntityTagger | None = field(default=None, metadata=_ENTITIES)
    word_tagger: WordTagger | None = field(default=None, metadata=_WORDS)
    refill: Refill | None = field(default=None, metadata=_REFILL)
    statement: Statement | None = field(default=None, metadata=_STATEMENT)
    checks: tuple[Check, ...] = field(default=(), metadata=_CHECKS)

    def __post_init__(self) -> None:
        checked(self)

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        """At most `count` variants of the item."""
        slots = slots_of(self)
        return made(
            item, name=self.about.name, seed=seed, count=count, place=self.place, slots=slots, checks=self.checks
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddSent(AddOneSent):
    """Several sentences; asked with a reader, the one that hurts it most."""

    about: ClassVar[AttackInfo] = AttackInfo(
        name="addsent",
        does="a sentence that answers another question; with a reader, the worst of several",
        languages=("zh", "fa", "en"),
        registry=RULES,
    )

    worst_of: int = field(default=5, metadata={"help": "how many sentences the reader is asked about"})

    def __post_init__(self) -> None:
        checked(self)
        if self.worst_of < 1:
            raise InputError(place="worst_of", found=str(self.worst_of), expected="a number of at least 1")

    def search(
        self, items: Sequence[SpanItem], reader: Reader, *, seed: int = 0, budget: int = 0
    ) -> Iterator[SearchOutput]:
        """The worst of `worst_of` variants for each item, in order; `budget`, where given, caps the queries an item."""
        count = min(self.worst_of, budget - 1) if budget else self.worst_of
        yield from searched(items, reader, lambda item: self.make(item, seed=seed, count=max(count, 0)))


def checked(attack: AddOneSent) -> None:
    """A slot holds something that can be called; `--set` can only give texts."""
    if attack.place not in PLACES:
        raise InputError(place="place", found=repr(attack.place), expected=f"one of {', '.join(PLACES)}")
    for name in ("entity_tagger", "word_tagger", "refill", "statement"):
        filled = getattr(attack, name)
        if filled is not None and not callable(filled):
            raise InputError(place=name, found=repr(filled), expected="a Python function", do="Set it from Python.")


def slots_of(attack: AddOneSent) -> Slots:
    """The attack's slots as one value."""
    return Slots(
        entities=attack.entity_tagger,
        words=attack.word_tagger,
        refill=attack.refill,
        statement=attack.statement,
        frames=attack.frames,
    )
