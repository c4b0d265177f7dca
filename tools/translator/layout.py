"""How texts lie in the arrays, and how arrays become batches: what prepare.py writes and train.py reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
END = 0
# stands before a source that a translator made, so that the model knows real ones from those
MADE = "<made>"


def language_token(language: str) -> str:
    """The token that stands first in a source and says which language is wanted."""
    return f">>{language}<<"


def pack(name: str, texts: Sequence[Sequence[int]]) -> dict[str, np.ndarray]:
    """Texts of token numbers as one flat array and their ends."""
    flat = np.fromiter((token for text in texts for token in text), dtype=np.uint16)
    return {f"{name}.tokens": flat, f"{name}.ends": np.cumsum([len(text) for text in texts], dtype=np.int32)}


@dataclass(frozen=True, slots=True)
class Texts:
    """Many texts in one array."""

    tokens: np.ndarray
    ends: Ints

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, at: int) -> np.ndarray:
        return self.tokens[self.ends[at - 1] if at else 0 : self.ends[at]]

    @property
    def lengths(self) -> Ints:
        return np.diff(self.ends, prepend=0)


def unpack(arrays: Mapping[str, np.ndarray], name: str) -> Texts:
    return Texts(arrays[f"{name}.tokens"], arrays[f"{name}.ends"].astype(np.int64))


@dataclass(frozen=True, slots=True)
class Direction:
    """Sources and targets one for one, what stands before each source, and how often an epoch takes them (a share)."""

    sources: Texts
    targets: Texts
    before: tuple[int, ...]
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded rows: sources with what stands before them and their end; targets with their end, -100 where padded."""

    sources: Ints
    targets: Ints


def padded(rows: Sequence[np.ndarray], fill: int, step: int = 8) -> Ints:
    """Rows of one length, a multiple of `step`, so that few shapes occur."""
    width = -(-max(map(len, rows)) // step) * step
    out = np.full((len(rows), width), fill, dtype=np.int64)
    for row, values in zip(out, rows, strict=True):
        row[: len(values)] = values
    return out


def source_row(tokens: np.ndarray, before: Sequence[int]) -> np.ndarray:
    return np.concatenate([np.asarray(before, np.int64), tokens.astype(np.int64), [END]])


def batches(directions: Sequence[Direction], most: int, pad: int, random: np.random.Generator) -> Iterator[Batch]:
    """One epoch: texts of like length together, at most `most` tokens on the longer side, in random order."""
    which = []
    for number, direction in enumerate(directions):
        total = len(direction.sources)
        taken = random.permutation(total)[: round(total * min(1.0, direction.share))]
        long = np.maximum(direction.sources.lengths + len(direction.before), direction.targets.lengths)[taken] + 1
        which.append(np.stack([np.full(len(taken), number), taken, long], axis=1))
    every = np.concatenate(which)
    every = every[np.argsort(every[:, 2] + random.uniform(0, 3, len(every)), kind="stable")]
    groups: list[Ints] = []
    start = 0
    longest = 0
    for at, long in enumerate(every[:, 2]):
        if at > start and max(longest, long) * (at - start + 1) > most:
            groups.append(every[start:at])
            start, longest = at, 0
        longest = max(longest, int(long))
    groups.append(every[start:])
    for group in random.permutation(len(groups)):
        rows = groups[group]
        yield Batch(
            padded([source_row(directions[n].sources[at], directions[n].before) for n, at, _ in rows], pad),
            padded([np.append(directions[n].targets[at].astype(np.int64), END) for n, at, _ in rows], -100),
        )
