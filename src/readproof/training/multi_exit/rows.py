"""Items as the training loop takes them: rows of tokens with what each head is to say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from readproof.items import ChoiceItem, Item, LabelItem, TagItem
from readproof.readers.exits.answering import pieces
from readproof.readers.exits.asking import Asking, Row
from readproof.readers.exits.manner import ExitManner
from readproof.readers.exits.tagging import is_words, tags_of

_ROUND = 8
_SHORT = 64
_POOL = 50
UNKNOWN = -1

Numbers = NDArray[np.int64]


@dataclass(slots=True)
class ExitBatch:
    """Rows side by side. `places` are those that are scored (-1: none), `targets` what is said of each place.

    Of a choice `table` has, for each question, the numbers of its options among all places of the batch, and `targets`
    the right one; elsewhere it is empty.
    """

    units: Numbers
    ids: Tensor
    types: Tensor
    mask: Tensor
    places: Tensor
    targets: Tensor
    table: Tensor

    def to(self, device: torch.device) -> ExitBatch:
        if device.type == "cpu":
            return self
        tensors = (self.ids, self.types, self.mask, self.places, self.targets, self.table)
        return ExitBatch(self.units, *(one.pin_memory().to(device, non_blocking=True) for one in tensors))


@dataclass(slots=True)
class Asked:
    """All units of some items: the rows that stop together, the item each belongs to, and what is right."""

    manner: ExitManner
    rows: list[list[Row]] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    targets: list[Numbers] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def lengths(self) -> Numbers:
        """The tokens of each unit, by which like ones are put together."""
        return np.asarray([max(len(row.ids) for row in rows) for rows in self.rows], dtype=np.int64)

    def tokens(self) -> int:
        return sum(len(row.ids) for rows in self.rows for row in rows)

    def batches(self, size: int, seed: int) -> list[Numbers]:
        """Units in random order, of like length within random pools."""
        random = np.random.default_rng(seed)
        order = random.permutation(len(self))
        lengths = self.lengths
        found: list[Numbers] = []
        for at in range(0, len(order), size * _POOL):
            part = order[at : at + size * _POOL]
            part = part[np.argsort(lengths[part], kind="stable")]
            found += [part[start : start + size] for start in range(0, len(part), size)]
        return [found[at] for at in random.permutation(len(found))]

    def in_order(self, size: int) -> list[Numbers]:
        """Batches to measure, the longest first."""
        order = np.argsort(-self.lengths, kind="stable")
        return [order[at : at + size] for at in range(0, len(order), size)]

    def collate(self, batch: Numbers) -> ExitBatch:
        rows = [row for unit in batch for row in self.rows[unit]]
        longest = max(len(row.ids) for row in rows)
        width = min(self.manner.positions, rounded(longest))
        # of tags as many as there are tokens: the fewer shapes, the fewer recordings of a step
        deep = width if self.manner.kind == "tags" else max(len(row.places) for row in rows)
        ids, types = np.zeros((2, len(rows), width), dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.bool_)
        places = np.full((len(rows), deep), UNKNOWN, dtype=np.int64)
        for at, row in enumerate(rows):
            ids[at, : len(row.ids)] = row.ids
            types[at, : len(row.ids)] = row.types
            mask[at, : len(row.ids)] = True
            places[at, : len(row.places)] = row.places
        arrays = (ids, types, mask, places, *self._targets(batch, deep))
        return ExitBatch(batch, *(torch.from_numpy(array) for array in arrays))

    def _targets(self, batch: Numbers, deep: int) -> tuple[Numbers, Numbers]:
        if self.manner.kind != "choice":
            targets = np.full((len(batch), deep), UNKNOWN, dtype=np.int64)
            for at, unit in enumerate(batch):
                targets[at, : len(self.targets[unit])] = self.targets[unit]
            return targets, np.zeros((0, 0), dtype=np.int64)
        counts = [sum(len(row.places) for row in self.rows[unit]) for unit in batch]
        table = np.full((len(batch), max(counts)), UNKNOWN, dtype=np.int64)
        row = 0
        for at, unit in enumerate(batch):
            flat = []
            for one in self.rows[unit]:
                flat += [row * deep + place for place in range(len(one.places))]
                row += 1
            table[at, : len(flat)] = flat
        return np.asarray([self.targets[unit][0] for unit in batch], dtype=np.int64), table


def rounded(length: int) -> int:
    """A width for texts of this length, one of few."""
    step = _ROUND if length <= _SHORT else 4 * _ROUND
    return -(-length // step) * step


def asked(items: Sequence[Item], asking: Asking, manner: ExitManner) -> Asked:
    """Items as units; a text with tags is one unit a piece, an empty one none."""
    found = Asked(manner)
    numbers = {label: number for number, label in enumerate(manner.labels)}
    words = is_words(manner.labels)
    for number, item in enumerate(items):
        rows = asking.rows(item)
        if isinstance(item, TagItem):
            known = item.marks is not None
            tags = [numbers.get(tag, UNKNOWN) if known else UNKNOWN for tag in tags_of(item, words=words)]
            for (start, end), row in zip(pieces(len(item.text), manner), rows, strict=True):
                found.rows.append([row])
                found.items.append(number)
                found.targets.append(np.asarray(tags[start:end], dtype=np.int64))
            continue
        if isinstance(item, LabelItem):
            right = numbers.get(item.label or "", UNKNOWN)
        elif isinstance(item, ChoiceItem):
            right = UNKNOWN if item.answer is None else item.answer
        else:
            raise TypeError(type(item).__name__)
        found.rows.append(rows)
        found.items.append(number)
        found.targets.append(np.asarray([right], dtype=np.int64))
    return found
