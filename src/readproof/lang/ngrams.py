"""How usual a text reads: a character n-gram model of each language, small enough to ship.

Counts of runs of one to four characters in open text, kept as sorted 32-bit hashes with their logarithms in a byte.
The score is stupid backoff (Brants et al. 2007): no probability, but it ranks texts as one does, and is fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ORDER = 4
_BACKOFF = float(np.log(0.4))
_STEP = 12.0  # a byte holds up to e ** (255 / 12) counts
_START = "\x02"

Hashes = NDArray[np.uint32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ngrams:
    """For each length 1 … ORDER the sorted hashes of the runs seen, with coded logarithms of their counts."""

    keys: tuple[Hashes, ...]
    codes: tuple[NDArray[np.uint8], ...]
    total: float

    def scores(self, text: str) -> Floats:
        """The logarithm of how usual each character is after those before it."""
        points = _points(_START + text)
        if len(points) < 2:
            return np.zeros(0)
        counts = [self._counts(length, points) for length in range(1, ORDER + 1)]
        wanted = np.arange(1, len(points))
        # a character never seen is as rare as one seen less than once
        result = np.log(np.maximum(counts[0][wanted], 0.3) / self.total) + _BACKOFF * (ORDER - 1)
        for length in range(2, ORDER + 1):
            ends = wanted[wanted >= length - 1]
            starts = ends - length + 1
            whole, context = counts[length - 1][starts], counts[length - 2][starts]
            seen = whole > 0
            better = np.log(whole[seen] / np.maximum(context[seen], whole[seen])) + _BACKOFF * (ORDER - length)
            result[ends[seen] - 1] = better
        return result

    def _counts(self, length: int, points: NDArray[np.uint64]) -> Floats:
        hashes = _hashes(points, length)
        keys, codes = self.keys[length - 1], self.codes[length - 1]
        places = np.minimum(np.searchsorted(keys, hashes), len(keys) - 1)
        found = keys[places] == hashes
        counts: Floats = np.where(found, np.exp(codes[places] / _STEP), 0.0)
        return counts


def usual(text: str, language: str) -> float:
    """The mean score of a text's characters: around -3 for prose, -6 and less for nonsense."""
    scores = model_of(language).scores(text)
    return float(scores.mean()) if len(scores) else 0.0


@lru_cache(maxsize=4)
def model_of(language: str) -> Ngrams:
    """The shipped model of a language."""
    with as_file(files("readproof.lang").joinpath(language, "ngrams.npz")) as path:
        return read(path)


def read(path: Path) -> Ngrams:
    with np.load(path) as stored:
        lengths = range(1, ORDER + 1)
        keys = tuple(np.cumsum(stored[f"steps{length}"], dtype=np.uint32) for length in lengths)
        return Ngrams(keys, tuple(stored[f"codes{length}"] for length in lengths), float(stored["total"]))


def write(model: Ngrams, path: Path) -> None:
    """Keys are kept as differences, which pack better."""
    stored: dict[str, NDArray[Any]] = {"total": np.asarray(model.total)}
    for length, (keys, codes) in enumerate(zip(model.keys, model.codes, strict=True), start=1):
        stored[f"steps{length}"] = np.diff(keys, prepend=np.uint32(0)).astype(np.uint32)
        stored[f"codes{length}"] = codes
    np.savez_compressed(path, **stored)  # type: ignore[arg-type]


def build(texts: Iterable[str], fewest: Mapping[int, int]) -> Ngrams:
    """A model of texts; runs of a length seen less often than `fewest` says are left out."""
    found: dict[int, list[Hashes]] = {length: [] for length in range(1, ORDER + 1)}
    total = 0
    for text in texts:
        points = _points(_START + text)
        total += len(points)
        for length in found:
            found[length].append(_hashes(points, length))
    keys, codes = [], []
    for length, parts in found.items():
        values, counts = np.unique(np.concatenate(parts), return_counts=True)
        kept = counts >= fewest.get(length, 1)
        keys.append(values[kept])
        codes.append(np.minimum(255, np.round(_STEP * np.log(counts[kept]))).astype(np.uint8))
    return Ngrams(tuple(keys), tuple(codes), float(total))


def _points(text: str) -> NDArray[np.uint64]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)


def _hashes(points: NDArray[np.uint64], length: int) -> Hashes:
    """The hash of each run of `length` characters (Fibonacci hashing, 64 bits folded to 32)."""
    if len(points) < length:
        return np.zeros(0, np.uint32)
    runs = len(points) - length + 1
    mixed = np.full(runs, length, np.uint64)
    for at in range(length):
        mixed = (mixed ^ points[at : at + runs]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return (mixed >> np.uint64(32)).astype(np.uint32)
