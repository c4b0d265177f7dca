"""Groups of statements as windows: [CLS] statement [SEP] piece of the passage [SEP].

A statement is seen in one of two forms. *Fine*: one window with the sentences that say most of it. *Coarse*: the whole
passage in overlapping segments, a window each; the model rates them and weighs their verdicts by it. A passage that
fits one segment is the same in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from readproof.readers.evidence import EvidenceCandidate, chosen, segments, sentences
from readproof.readers.options import OptionReadingConfig, option_form
from readproof.readers.vocabulary import CLS, SEP, special_row
from readproof.text import encodable
from readproof.training.options.records import Group

_ROUND = 16
Ints = NDArray[np.int64]


@dataclass(slots=True)
class GroupView:
    """A group in one form: for each statement its windows, and which of them holds the evidence (-1: not known)."""

    group: int
    windows: list[list[int]]
    evidence: list[int]

    @property
    def numbers(self) -> list[int]:
        return [number for these in self.windows for number in these]


@dataclass(slots=True)
class OptionWindows:
    """All windows of some groups; `fine` and `coarse` are their views, None where the two are the same."""

    groups: list[Group]
    tokens: list[NDArray[np.int32]] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    fine: list[GroupView] = field(default_factory=list)
    coarse: list[GroupView | None] = field(default_factory=list)
    # per group and statement, what teachers think: (fine logit, coarse logit); empty where there are none
    said: list[NDArray[np.float32]] = field(default_factory=list)

    def size(self, view: GroupView) -> int:
        """The tokens of a view."""
        return sum(len(self.tokens[number]) for number in view.numbers)


@dataclass(slots=True)
class OptionBatch:
    """Windows side by side. `table` has each statement's windows, `rows` each group's statements; -1: none."""

    ids: Tensor
    types: Tensor
    mask: Tensor
    table: Tensor
    rows: Tensor
    labels: Tensor
    one: Tensor
    evidence: Tensor
    said: Tensor

    def to(self, device: torch.device) -> OptionBatch:
        if device.type == "cpu":
            return self
        names = ("ids", "types", "mask", "table", "rows", "labels", "one", "evidence", "said")
        return OptionBatch(*(getattr(self, name).pin_memory().to(device, non_blocking=True) for name in names))

    @property
    def seen(self) -> Tensor:
        """What attention may look at: the tokens, and of a row without any its first place; of nothing is no mean."""
        first = torch.zeros_like(self.mask)
        first[:, 0] = True
        return self.mask | first

    def padded(self, *, rows: int = 16, width: int = 64, broad: int = 4, deep: int = 4) -> OptionBatch:
        """The same in one of few shapes: each length is rounded up to a multiple; statements and groups are as many as
        windows. `broad` is for the statements of a group, `deep` for the windows of a statement.

        What is added counts nothing, in any part of the loss. Under dropout it draws other numbers.
        """
        many, long = _up(len(self.ids), rows), _up(self.ids.shape[1], width)
        table = (many, _up(self.table.shape[1], deep))
        groups = (many, _up(self.rows.shape[1], broad))
        return OptionBatch(
            ids=_grown(self.ids, 0, many, long),
            types=_grown(self.types, 0, many, long),
            mask=_grown(self.mask, False, many, long),
            table=_grown(self.table, -1, *table),
            rows=_grown(self.rows, -1, *groups),
            labels=_grown(self.labels, 0.0, many),
            one=_grown(self.one, False, many),
            evidence=_grown(self.evidence, -1, many),
            said=_grown(self.said, float("nan"), many),
        )


def _up(length: int, multiple: int) -> int:
    return -(-length // multiple) * multiple


def _grown(tensor: Tensor, fill: float, *shape: int) -> Tensor:
    """A tensor in the corner of a larger one."""
    out = tensor.new_full(shape, fill)
    out[tuple(slice(length) for length in tensor.shape)] = tensor
    return out


def cut(groups: Iterable[Group], tokenizer: Tokenizer, manner: OptionReadingConfig) -> OptionWindows:
    """The windows of all groups, in both forms."""
    made = OptionWindows(list(groups))
    cls, sep = (np.asarray([special_row(tokenizer, token)], dtype=np.int32) for token in (CLS, SEP))
    for number, group in enumerate(made.groups):
        form = option_form(group.passage)
        passage, place = form.text.clean, form.text.to_clean(*group.place) if group.place else None
        known = sentences(passage)
        asked = list(map(form.like, group.statements))
        if len(passage) <= manner.segment or not known:
            holding = -1
            fine = coarse = [[passage[: manner.segment]] for _ in asked]
        else:
            runs = segments(known, manner.segment, manner.overlap)
            fine = [[manner.joined(passage, known, chosen(one, known, manner.fine))] for one in asked]
            coarse = [[passage[known[first].start : known[last - 1].end] for first, last in runs] for _ in asked]
            holding = _holding(known, runs, place)
        texts = sorted({piece for pieces in (*fine, *coarse) for piece in pieces})
        encoded = tokenizer.encode_batch([encodable(text) for text in (*texts, *asked)], add_special_tokens=False)
        ids = {text: np.asarray(one.ids, dtype=np.int32) for text, one in zip(texts, encoded, strict=False)}
        heads = [np.asarray(one.ids[: manner.statement], dtype=np.int32) for one in encoded[len(texts) :]]

        def add(head: NDArray[np.int32], piece: str, ids: dict[str, NDArray[np.int32]] = ids) -> int:
            body = ids[piece][: manner.max_tokens - len(head) - 3]
            made.tokens.append(np.concatenate((cls, head, sep, body, sep)))
            made.heads.append(len(head) + 2)
            return len(made.tokens) - 1

        made.fine.append(_view(number, [[add(head, one[0])] for head, one in zip(heads, fine, strict=True)], -1))
        if fine is coarse:
            made.coarse.append(None)
        else:
            windows = [[add(head, piece) for piece in pieces] for head, pieces in zip(heads, coarse, strict=True)]
            made.coarse.append(_view(number, windows, holding))
    return made


def _view(group: int, windows: list[list[int]], evidence: int) -> GroupView:
    return GroupView(group, windows, [evidence] * len(windows))


def _holding(known: Sequence[EvidenceCandidate], runs: Sequence[tuple[int, int]], place: tuple[int, int] | None) -> int:
    """The one segment that holds a place; -1 where none or several do."""
    if place is None:
        return -1
    spans = [(known[first].start, known[last - 1].end) for first, last in runs]
    inside = [at for at, (start, end) in enumerate(spans) if start <= place[0] and place[1] <= end]
    return inside[0] if len(inside) == 1 else -1


def batches(
    windows: OptionWindows, size: int, seed: int, *, coarse: float = 0.5, pool: int = 24
) -> list[list[GroupView]]:
    """All groups once, each in one of its forms by chance, in batches of at most `size` tokens (padding included)."""
    random = np.random.default_rng(seed)
    views: list[GroupView] = []
    for number in random.permutation(len(windows.groups)):
        other = windows.coarse[number]
        views.append(other if other is not None and random.random() < coarse else windows.fine[number])
    longest = {id(view): max(len(windows.tokens[one]) for one in view.numbers) for view in views}
    out: list[list[GroupView]] = []
    step = max(1, pool * size // max(1, int(np.mean([windows.size(view) for view in views[:500]]))))
    for at in range(0, len(views), step):
        part = sorted(views[at : at + step], key=lambda view: longest[id(view)])
        batch: list[GroupView] = []
        count = width = 0
        for view in part:
            wide = max(width, longest[id(view)])
            if batch and (count + len(view.numbers)) * wide > size:
                out.append(batch)
                batch, count, wide = [], 0, longest[id(view)]
            batch.append(view)
            count += len(view.numbers)
            width = wide
        if batch:
            out.append(batch)
    return [out[at] for at in random.permutation(len(out))]


def collate(windows: OptionWindows, views: Sequence[GroupView]) -> OptionBatch:
    """Some views as one batch."""
    numbers = [number for view in views for number in view.numbers]
    longest = max(len(windows.tokens[number]) for number in numbers)
    width = _up(longest, _ROUND)
    ids = np.zeros((len(numbers), width), dtype=np.int64)
    types = np.zeros_like(ids)
    mask = np.zeros(ids.shape, dtype=np.bool_)
    for row, number in enumerate(numbers):
        tokens = windows.tokens[number]
        ids[row, : len(tokens)] = tokens
        types[row, windows.heads[number] : len(tokens)] = 1
        mask[row, : len(tokens)] = True
    deep = max(len(these) for view in views for these in view.windows)
    broad = max(len(view.windows) for view in views)
    count = sum(len(view.windows) for view in views)
    table = np.full((count, deep), -1, dtype=np.int64)
    rows = np.full((len(views), broad), -1, dtype=np.int64)
    labels = np.zeros(count, dtype=np.float32)
    evidence = np.full(count, -1, dtype=np.int64)
    said = np.full(count, np.nan, dtype=np.float32)
    one = np.zeros(len(views), dtype=np.bool_)
    at = statement = 0
    for row, view in enumerate(views):
        group = windows.groups[view.group]
        one[row] = group.kind == "one"
        form = 1 if windows.coarse[view.group] is view else 0
        for place, these in enumerate(view.windows):
            table[statement, : len(these)] = np.arange(at, at + len(these))
            rows[row, place] = statement
            labels[statement] = group.labels[place]
            evidence[statement] = view.evidence[place]
            if windows.said:
                said[statement] = windows.said[view.group][place, form]
            at += len(these)
            statement += 1
    arrays = (ids, types, mask, table, rows, labels, one, evidence, said)
    return OptionBatch(*(torch.from_numpy(array) for array in arrays))


def merged(parts: Sequence[OptionWindows]) -> OptionWindows:
    """Several sets as one."""
    out = OptionWindows([])
    for part in parts:
        groups, tokens = len(out.groups), len(out.tokens)

        def moved(view: GroupView, groups: int = groups, tokens: int = tokens) -> GroupView:
            return GroupView(
                view.group + groups, [[one + tokens for one in these] for these in view.windows], view.evidence
            )

        out.groups += part.groups
        out.tokens += part.tokens
        out.heads += part.heads
        out.fine += [moved(view) for view in part.fine]
        out.coarse += [None if view is None else moved(view) for view in part.coarse]
        out.said += part.said
    if out.said and len(out.said) != len(out.groups):
        raise ValueError("some sets have teachers, others none")
    return out


@dataclass(frozen=True, slots=True)
class OptionExamples:
    """Groups as the training loop takes them; `coarse` is the share of long passages that are read in segments.

    With `padded` (rows, width) its batches come in few shapes.
    """

    windows: OptionWindows
    coarse: float = 0.5
    padded: tuple[int, int] | None = None

    def batches(self, size: int, seed: int) -> list[list[GroupView]]:
        return batches(self.windows, size, seed, coarse=self.coarse)

    def collate(self, batch: list[GroupView]) -> OptionBatch:
        found = collate(self.windows, batch)
        return found.padded(rows=self.padded[0], width=self.padded[1]) if self.padded else found
