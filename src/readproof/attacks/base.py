"""What an attack is: it turns an item into variants, each with its truth known and its edits recorded.

An attack is a frozen dataclass whose fields are its options. The same item and seed give the same variants on every
machine, so chance comes only from `random_for`. An item that it cannot attack is *skipped*, with a reason that can be
counted; a variant that a check refuses is *rejected*, likewise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, Protocol, runtime_checkable

from readproof.items import Answer, Item, SpanItem, Variant
from readproof.readers.api import Reader
from readproof.registry import Registry
from readproof.text import encodable

# what the sanitiser, which every reader of ours applies first, leaves of an attack
Undone = Literal["yes", "partly", "no"]
Kind = Literal["span", "choice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackInfo:
    """An attack in one row of a table: what it does, in which languages, to which items, and what it needs."""

    name: str
    does: str
    languages: tuple[str, ...]
    kinds: tuple[Kind, ...] = ("span",)
    truth: Literal["kept", "flipped", "both"] = "kept"
    undone: Undone = "no"
    needs: tuple[str, ...] = ()
    # where other packages can add a language to it: the languages are then those of the registry
    registry: Registry[Any] | None = None
    layout: str = ""  # what the variants are written as where it is not the data's own format

    @property
    def spoken(self) -> tuple[str, ...]:
        """The languages that it attacks texts in."""
        return self.languages if self.registry is None else tuple(self.registry.names())

    def speaks(self, language: str) -> bool:
        """Whether it attacks texts in a language."""
        return language in self.spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackOutput:
    """What an attack made of one item: variants, or why there are none; and how many its checks refused, by reason."""

    variants: tuple[Variant, ...] = ()
    skipped: str = ""
    rejected: Mapping[str, int] = field(default_factory=dict)


@runtime_checkable
class Attack(Protocol):
    """An attack that needs no reader."""

    @property
    def about(self) -> AttackInfo: ...

    def make(self, item: Item, *, seed: int = 0, count: int = 1) -> AttackOutput:
        """At most `count` variants of the item."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOutput:
    """What a search found for one item: the variant that hurts most, with the reader's answers before and after.

    `clean` and `attacked` are the expected F1 of the gold answer where the reader gives a distribution of spans, else
    the plain F1 of its answer. `made` carries the variant, or says why there is none.
    """

    made: AttackOutput
    queries: int = 0
    clean: float = 0.0
    attacked: float = 0.0
    before: Answer | None = None
    after: Answer | None = None


@runtime_checkable
class SearchAttack(Protocol):
    """An attack that asks a reader, at most `budget` times an item."""

    @property
    def about(self) -> AttackInfo: ...

    def search(
        self, items: Sequence[SpanItem], reader: Reader, *, seed: int = 0, budget: int = 0
    ) -> Iterator[SearchOutput]:
        """One result an item, in order; whole populations of many items go to the reader together."""
        ...


def random_for(seed: int, attack: str, item_id: str) -> Random:
    """The chance of one attack on one item."""
    return random_of(f"{seed}|{attack}|{item_id}")


def random_of(key: str) -> Random:
    """The chance of a text, the same on every machine."""
    # a lone surrogate cannot be hashed
    return Random(encodable(key))


def variant_id(origin: str, attack: str, number: int) -> str:
    """The id of a variant: whoever sees it can tell whose it is, and `Variant.origin` says so exactly."""
    return f"{origin}-{attack.replace('/', '-')}-{number}"


def skipped(reason: str, rejected: Mapping[str, int] | None = None) -> AttackOutput:
    """Nothing could be made of the item."""
    return AttackOutput(skipped=reason, rejected=rejected or {})
