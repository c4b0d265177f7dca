"""Questions with their passages as windows of at most 512 tokens that overlap; batches of windows of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from readproof.readers.tokens import Ints, TokenizedQuestion, spread

_ROUND = 16  # lengths are rounded up to this, so that the device sees few shapes


@dataclass(frozen=True, slots=True)
class Frame:
    """The tokens that a model wants before the question, between it and the passage, and after the passage.

    The first of them, [CLS] or its like, stands for "no answer". `kinds` are the token types of a window with one token
    of either text. `pad` fills a batch up; `most` is a width no batch may pass, where the model has one.
    """

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]
    kinds: tuple[int, ...]
    pad: int = 0
    most: int | None = None

    def types(self, head: int, length: int) -> NDArray[np.int64]:
        """The token types of a window of `length` tokens whose passage begins at `head`."""
        times = np.ones(len(self.kinds), dtype=np.int64)
        times[len(self.before)] = head - len(self.before) - len(self.between)
        times[len(self.before) + 1 + len(self.between)] = length - head - len(self.after)
        return np.repeat(np.asarray(self.kinds, dtype=np.int64), times)


def bert_frame(cls: int, sep: int) -> Frame:
    """[CLS] question [SEP] passage [SEP], the second text with types of its own."""
    return Frame(before=(cls,), between=(sep,), after=(sep,), kinds=(0, 0, 0, 1, 1))


@dataclass(frozen=True, slots=True)
class Windows:
    """All windows of some questions, laid end to end.

    Window i is `ids[offsets[i]:offsets[i + 1]]`: the question and passage tokens from `firsts[i]` on, in their frame;
    the passage begins at the place `heads[i]`. `golds` holds pairs of places in the window, -1 where there are fewer; a
    window without its answer points to place 0.
    """

    frame: Frame
    ids: Ints
    offsets: NDArray[np.int64]
    questions: Ints
    heads: Ints
    firsts: Ints
    golds: Ints
    labelled: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)


@dataclass(slots=True)
class Batch:
    """Windows side by side, padded to the longest. `valid` is True on place 0 and on the passage's tokens."""

    index: NDArray[np.int64]
    ids: Tensor
    types: Tensor
    mask: Tensor
    valid: Tensor
    golds: Tensor
    labelled: Tensor

    def to(self, device: torch.device) -> Batch:
        if device.type == "cpu":
            return self

        def move(tensor: Tensor) -> Tensor:
            return tensor.pin_memory().to(device, non_blocking=True)

        tensors = (self.ids, self.types, self.mask, self.valid, self.golds, self.labelled)
        return Batch(self.index, *(move(tensor) for tensor in tensors))


def cut(
    questions: Sequence[TokenizedQuestion],
    frame: Frame,
    *,
    max_tokens: int = 512,
    overlap: int = 128,
    most_golds: int = 4,
) -> Windows:
    """The windows of all questions, in their order."""
    ids: list[Ints] = []
    rows: list[tuple[int, int, int, bool]] = []
    golds: list[list[int]] = []
    for number, question in enumerate(questions):
        head = np.concatenate((frame.before, question.ids, frame.between)).astype(np.int32)
        capacity = max_tokens - len(head) - len(frame.after)
        for start, end in spread(len(question.passage.ids), capacity, overlap):
            ids.append(np.concatenate((head, question.passage.ids[start:end], frame.after)).astype(np.int32))
            rows.append((number, len(head), start, bool(question.golds) or question.item.impossible))
            inside = [(a, b) for a, b in question.golds if start <= a and b < end][:most_golds]
            flat = [place - start + len(head) for pair in inside for place in pair] or [0, 0]
            golds.append(flat + [-1] * (2 * most_golds - len(flat)))
    table = np.asarray([row[:3] for row in rows], dtype=np.int32).reshape(-1, 3)
    return Windows(
        frame=frame,
        ids=np.concatenate(ids) if ids else np.zeros(0, np.int32),
        offsets=np.concatenate(([0], np.cumsum([len(one) for one in ids]))).astype(np.int64),
        questions=table[:, 0].copy(),
        heads=table[:, 1].copy(),
        firsts=table[:, 2].copy(),
        golds=np.asarray(golds, dtype=np.int32).reshape(-1, most_golds, 2),
        labelled=np.asarray([row[3] for row in rows], dtype=np.bool_),
    )


def joined(parts: Sequence[Windows]) -> Windows:
    """Windows of several sets as one; question numbers go on from part to part."""
    shift = np.cumsum([0] + [int(part.questions.max()) + 1 if len(part) else 0 for part in parts])
    begin = np.cumsum([0] + [len(part.ids) for part in parts])
    return Windows(
        frame=parts[0].frame,
        ids=np.concatenate([part.ids for part in parts]),
        offsets=np.concatenate([[0]] + [part.offsets[1:] + at for part, at in zip(parts, begin, strict=False)]),
        questions=np.concatenate(
            [part.questions + np.int32(at) for part, at in zip(parts, shift, strict=False)]
        ).astype(np.int32),
        heads=np.concatenate([part.heads for part in parts]),
        firsts=np.concatenate([part.firsts for part in parts]),
        golds=np.concatenate([part.golds for part in parts]),
        labelled=np.concatenate([part.labelled for part in parts]),
    )


def shuffled(windows: Windows, size: int, seed: int, *, pool: int = 64) -> list[NDArray[np.int64]]:
    """Batches in random order, windows of like length together: sorted within random pools of `pool` batches."""
    random = np.random.default_rng(seed)
    order = random.permutation(len(windows))
    lengths = windows.lengths
    batches: list[NDArray[np.int64]] = []
    for at in range(0, len(order), size * pool):
        part = order[at : at + size * pool]
        part = part[np.argsort(lengths[part], kind="stable")]
        batches.extend(part[start : start + size] for start in range(0, len(part), size))
    return [batches[at] for at in random.permutation(len(batches))]


@dataclass(frozen=True, slots=True)
class SpanExamples:
    """Windows as the training loop takes them."""

    windows: Windows

    def batches(self, size: int, seed: int) -> list[NDArray[np.int64]]:
        return shuffled(self.windows, size, seed)

    def collate(self, batch: NDArray[np.int64]) -> Batch:
        return collate(self.windows, batch)


def by_length(windows: Windows, size: int) -> Iterator[NDArray[np.int64]]:
    """Batches for prediction, the longest first."""
    order = np.argsort(-windows.lengths, kind="stable")
    for at in range(0, len(order), size):
        yield order[at : at + size]


def collate(windows: Windows, index: NDArray[np.int64]) -> Batch:
    """Some windows as one batch."""
    lengths, heads, frame = windows.lengths[index], windows.heads[index], windows.frame
    longest = int(lengths.max())
    width = -(-longest // _ROUND) * _ROUND
    if frame.most is not None:
        width = max(longest, min(width, frame.most))
    ids = np.full((len(index), width), frame.pad, dtype=np.int64)
    types = np.zeros((len(index), width), dtype=np.int64)
    for row, window in enumerate(index):
        ids[row, : lengths[row]] = windows.ids[windows.offsets[window] : windows.offsets[window + 1]]
        types[row, : lengths[row]] = frame.types(int(heads[row]), int(lengths[row]))
    place = np.arange(width)[None, :]
    valid = (place >= heads[:, None]) & (place < lengths[:, None] - len(frame.after))
    valid[:, 0] = True
    return Batch(
        index=index,
        ids=torch.from_numpy(ids),
        types=torch.from_numpy(types),
        mask=torch.from_numpy(place < lengths[:, None]),
        valid=torch.from_numpy(valid),
        golds=torch.from_numpy(windows.golds[index].astype(np.int64)),
        labelled=torch.from_numpy(windows.labelled[index]),
    )
