"""What another word would do to a reader, estimated by its gradients; the arithmetic is the same for every model.

The model gives slopes: for a place in a window and a token, the gradient of the loss at that place times the token's
word vector. Exchanging the tokens of a word for those of another changes the loss by the differences of their slopes,
to the first order. Where one word has more tokens than the other, the mean word vector stands for what is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from readproof.items import SpanItem
from readproof.readers.reading import Reading
from readproof.readers.spans import Floats
from readproof.readers.tokens import Ints, Passage, golds_of, spread

MEAN = -1  # the last column of slopes is the mean word vector's


@dataclass(frozen=True, slots=True)
class Slot:
    """A word in one window: the rows of the slopes that belong to its tokens, and the columns of these tokens."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]


class GradientModel(Protocol):
    """A model that reads windows one by one and knows gradients."""

    def encode_word(self, word: str) -> Ints:
        """The tokens of a word by itself; asked for again and again."""
        ...

    def slopes(
        self, question: Ints, passage: Ints, golds: Sequence[tuple[int, int]], places: Ints, tokens: Ints
    ) -> Floats:
        """One window: a row for each of these places of the passage, a column for each token, then the mean's."""
        ...


def estimates(slopes: Floats, slots: Sequence[Sequence[Slot]], words: NDArray[np.int64]) -> Floats:
    """A row a word that stands there (each may be in several windows), a column a word that might.

    `words` has the columns of each candidate's tokens, filled up with MEAN.
    """
    out = np.zeros((len(slots), len(words)), dtype=np.float32)
    for row, windows in enumerate(slots):
        for slot in windows:
            if not slot.rows:
                continue
            for at in range(max(len(slot.rows), words.shape[1])):
                place = slopes[slot.rows[min(at, len(slot.rows) - 1)]]
                new = words[:, at] if at < words.shape[1] else MEAN
                own = slot.columns[at] if at < len(slot.columns) else MEAN
                out[row] += place[new] - place[own]
    return out


def columns_of(tokens: Sequence[Ints]) -> tuple[Ints, dict[int, int], NDArray[np.int64]]:
    """The different tokens of some words, the column of each, and the words as columns, filled up with MEAN."""
    flat = np.concatenate(tokens) if tokens else np.zeros(0, np.int32)
    different = np.unique(flat).astype(np.int32)
    column = {int(token): at for at, token in enumerate(different)}
    table = np.full((len(tokens), max((len(one) for one in tokens), default=1) or 1), MEAN, dtype=np.int64)
    for row, one in enumerate(tokens):
        table[row, : len(one)] = [column[int(token)] for token in one]
    return different, column, table


def exchanged(
    reading: Reading, model: GradientModel, item: SpanItem, places: Sequence[tuple[int, int]], words: Sequence[str]
) -> Floats:
    """The table of one item, window by window of the pieces that are read for it."""
    out = np.zeros((len(places), len(words)), dtype=np.float32)
    _, question, pieces, capacity = reading.prepared(item)
    for piece in pieces:
        passage = piece.passage
        spans = [passage.tokens_of(*place) for place in places]
        own = [passage.ids[span[0] : span[1] + 1] for span in spans if span]
        # a word would be read in the form of the passage that it comes into
        read = passage.shown.like if passage.shown else str
        tokens, column, table = columns_of([model.encode_word(read(word)) for word in words] + own)
        golds = golds_of(item, passage)
        for start, end in spread(len(passage.ids), capacity, reading.config.overlap):
            inside = [span if span and start <= span[0] and span[1] < end else None for span in spans]
            wanted = [at - start for span in inside if span for at in range(span[0], span[1] + 1)]
            if not wanted:
                continue
            here = [(first - start, last - start) for first, last in golds if start <= first and last < end]
            slopes = model.slopes(question, passage.ids[start:end], here, np.asarray(wanted, dtype=np.int32), tokens)
            out += estimates(slopes, _slots(inside, passage, column), table[: len(words)])
    return out


def _slots(inside: Sequence[tuple[int, int] | None], passage: Passage, column: dict[int, int]) -> list[list[Slot]]:
    slots: list[list[Slot]] = []
    row = 0
    for span in inside:
        if span is None:
            slots.append([])
            continue
        ids = passage.ids[span[0] : span[1] + 1]
        slots.append([Slot(tuple(range(row, row + len(ids))), tuple(column[int(one)] for one in ids))])
        row += len(ids)
    return slots


def torch_slopes(loss: Any, embedded: Any, at: Any, table: Any, tokens: Ints) -> Floats:
    """The gradient of a loss at some places of an embedding's output (rows of `at`: window, place), times vectors."""
    import torch

    (gradient,) = torch.autograd.grad(loss, embedded)
    rows = gradient[at[:, 0], at[:, 1]].float()
    vectors = table[torch.as_tensor(tokens.astype(np.int64), device=table.device)].float()
    with torch.no_grad():
        found = rows @ torch.cat((vectors, table.float().mean(dim=0, keepdim=True))).T
    slopes: Floats = found.cpu().numpy()
    return slopes
