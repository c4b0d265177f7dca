"""What every head says of every item of a set: answers and entropies, few enough bytes to keep and to carry.

From them any exit rule can be judged without the model: its answers, what they cost, how good they are. (A rule that
stops single characters cannot: what a character is read as hangs on which others have stopped.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from readproof.errors import InputError
from readproof.items import Answer, Item
from readproof.readers.exits.answering import answer_of
from readproof.readers.exits.deciding import Decision, Spoken, decide
from readproof.readers.exits.manner import ExitManner
from readproof.readers.exits.policy import Policy

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Said:
    """Units (rows that stop together) laid end to end.

    Unit u belongs to item `items[u]`, its rows have `rows[row_bounds[u]:row_bounds[u + 1]]` tokens, and what head e
    says of it is `answers[e, bounds[u]:bounds[u + 1]]`, with as many `doubts`. `logits` are those of labels and
    options (heads × units × outputs), else empty.
    """

    exits: tuple[int, ...]
    items: Numbers
    rows: Numbers
    row_bounds: Numbers
    bounds: Numbers
    answers: Numbers
    doubts: NDArray[np.float32]
    logits: NDArray[np.float16]

    def __len__(self) -> int:
        return len(self.items)

    def only(self, exits: Sequence[int]) -> Said:
        """The same with some of the heads."""
        kept = [self.exits.index(layer) for layer in exits]
        logits = self.logits[kept] if self.logits.size else self.logits
        return replace(self, exits=tuple(exits), answers=self.answers[kept], doubts=self.doubts[kept], logits=logits)


@dataclass(frozen=True, slots=True)
class Kept:
    """One unit of a table, in the place of a reader that would ask its heads."""

    said: Said
    number: int
    scored: int

    @property
    def lengths(self) -> list[int]:
        first, last = self.said.row_bounds[self.number : self.number + 2]
        return [int(one) for one in self.said.rows[first:last]]

    def up(self, layer: int, active: Numbers | None = None) -> Spoken:
        if active is not None and len(active) < self.scored:
            raise InputError(found="tokens:…", expected="a reader: what was said before cannot tell")
        first, last = self.said.bounds[self.number : self.number + 2]
        at = self.said.exits.index(layer)
        return Spoken(self.said.answers[at, first:last], self.said.doubts[at, first:last])


def decided(said: Said, manner: ExitManner, policy: Policy) -> list[Decision]:
    """Where each unit would stop, with what answer, at what cost."""
    manner = replace(manner, exits=said.exits)
    return [decide(Kept(said, number, _scored(said, manner, number)), manner, policy) for number in range(len(said))]


def answers_of(items: Sequence[Item], said: Said, manner: ExitManner, policy: Policy) -> list[Answer]:
    """The answers under a rule, one an item."""
    found = decided(said, manner, policy)
    grouped: list[list[int]] = [[] for _ in items]
    for unit, item in enumerate(said.items):
        grouped[item].append(unit)
    return [
        answer_of(item, [found[unit] for unit in units], manner) for item, units in zip(items, grouped, strict=True)
    ]


def _scored(said: Said, manner: ExitManner, number: int) -> int:
    if manner.kind == "tags":
        return int(said.bounds[number + 1] - said.bounds[number])
    if manner.kind == "choice" and manner.together:
        return int(said.logits.shape[2])
    return 1


def save_said(path: Path, said: Said) -> None:
    """As .npz: answers in as few bytes as they need, entropies in two."""
    most = int(said.answers.max(initial=0))
    small = np.uint8 if most < 256 else np.uint16 if most < 65536 else np.int64
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        np.savez_compressed(
            file,
            exits=np.asarray(said.exits),
            items=said.items.astype(np.int32),
            rows=said.rows.astype(np.uint16),
            row_bounds=said.row_bounds.astype(np.int32),
            bounds=said.bounds.astype(np.int32),
            answers=said.answers.astype(small),
            doubts=said.doubts.astype(np.float16),
            logits=said.logits,
        )
    part.replace(path)


def load_said(path: Path) -> Said:
    with np.load(path) as found:
        whole = {name: found[name].astype(np.int64) for name in ("items", "rows", "row_bounds", "bounds", "answers")}
        exits = tuple(int(layer) for layer in found["exits"])
        return Said(exits=exits, doubts=found["doubts"].astype(np.float32), logits=found["logits"], **whole)
