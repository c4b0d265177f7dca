"""Rows of equal length cut from the stream of all documents: no padding, each pass over the text cut elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from readproof.training.pretrain.corpus import Corpus, Tokens


@dataclass(slots=True)
class Rows:
    """Token ids, batch × length."""

    ids: Tensor

    def to(self, device: torch.device) -> Rows:
        return self if device.type == "cpu" else Rows(self.ids.pin_memory().to(device, non_blocking=True))


@dataclass(frozen=True, slots=True)
class PackedExamples:
    """`steps` batches of rows; a row is [CLS] and the tokens that follow a place in the stream."""

    stream: Tokens
    length: int
    cls: int
    steps: int

    def batches(self, size: int, seed: int) -> list[NDArray[np.int64]]:
        """Where the rows of each batch begin."""
        wanted, body = size * self.steps, self.length - 1
        parts: list[NDArray[np.int64]] = []
        have = turn = 0
        while have < wanted:
            random = np.random.default_rng((seed, turn))
            rows = (len(self.stream) - body) // body
            shift = int(random.integers(0, len(self.stream) - rows * body + 1))
            parts.append(shift + body * random.permutation(max(1, rows)))
            have += len(parts[-1])
            turn += 1
        return list(np.concatenate(parts)[:wanted].reshape(self.steps, size))

    def collate(self, batch: NDArray[np.int64]) -> Rows:
        rows = self.stream[batch[:, None] + np.arange(self.length - 1)[None, :]].astype(np.int64)
        return Rows(torch.from_numpy(np.concatenate((np.full((len(batch), 1), self.cls), rows), axis=1)))


def stream_of(corpus: Corpus, sep: int, *, least: int = 0) -> Tokens:
    """All documents after each other, [SEP] behind each; from the beginning again until there are `least` tokens."""
    out = np.full(len(corpus.ids) + len(corpus), sep, dtype=np.uint16)
    out[np.arange(len(corpus.ids)) + corpus.document] = corpus.ids
    return np.resize(out, max(len(out), least))
