"""The best spans of a passage: scores of all its spans in one band, their probabilities, and the n best apart.

Row i, column d of a band is the score of the span of tokens i … i + d. A span seen in several windows has the best of
its scores; one that no window holds whole has none (-inf). So each span counts once, and the probabilities of all the
spans of a question, over all the pieces that were read, sum to one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def empty_band(length: int, longest: int) -> Floats:
    """A band for `length` tokens in which no span has been seen."""
    return np.full((length, longest), -np.inf, dtype=np.float32)


def add_window(band: Floats, at: int, first: Floats, last: Floats) -> None:
    """Put the spans of the window that holds the tokens from `at` on into the band."""
    length, longest = len(first), band.shape[1]
    # the last tokens of row i are i … i + longest - 1; beyond the window there is none
    padded = np.concatenate((last.astype(np.float32), np.full(longest - 1, -np.inf, dtype=np.float32)))
    ends = np.lib.stride_tricks.sliding_window_view(padded, longest)
    window = band[at : at + length]
    np.maximum(window, first[:, None] + ends, out=window)


def total(bands: list[Floats], temperature: float, null: float | None = None) -> float:
    """The logarithm of what the probabilities of all spans (and of "no answer", if that is one) are divided by."""
    best = max([float(band.max()) for band in bands if band.size] + ([] if null is None else [null]))
    parts = sum(float(np.exp((band.astype(np.float64) - best) / temperature).sum()) for band in bands if band.size)
    if null is not None:
        parts += float(np.exp((null - best) / temperature))
    return best / temperature + float(np.log(parts))


def best_apart(bands: list[Floats], count: int) -> list[tuple[float, int, int, int]]:
    """The `count` best spans that share no token: score, number of the band, first and last token."""
    bands = [band.copy() for band in bands] if count > 1 else bands
    tops = [_top(band) for band in bands]
    found: list[tuple[float, int, int, int]] = []
    while len(found) < count and tops:
        number = max(range(len(tops)), key=lambda one: (tops[one][0], -one))
        score, first, last = tops[number]
        if score == -np.inf:
            break
        found.append((score, number, first, last))
        if len(found) < count:
            _take_out(bands[number], first, last)
            tops[number] = _top(bands[number])
    return found


def best_any(bands: list[Floats], count: int) -> list[tuple[float, int, int, int]]:
    """The `count` best spans, overlapping or not: the head of the distribution."""
    rows: list[tuple[float, int, int, int]] = []
    for number, band in enumerate(bands):
        flat = band.reshape(-1)
        if not flat.size:
            continue
        kept = min(count, flat.size)
        least = np.partition(flat, flat.size - kept)[flat.size - kept]
        # all that are as good as the last one kept, in order: so that ties do not hang on how numpy partitions
        at = np.flatnonzero((flat >= least) & (flat > -np.inf))
        firsts, lengths = np.divmod(at, band.shape[1])
        scores, lasts = flat[at].tolist(), (firsts + lengths).tolist()
        rows += zip(scores, [number] * len(at), firsts.tolist(), lasts, strict=True)
    return sorted(rows, key=lambda row: (-row[0], *row[1:]))[:count]


def _top(band: Floats) -> tuple[float, int, int]:
    if not band.size:
        return -np.inf, 0, 0
    at = int(band.argmax())
    first, length = divmod(at, band.shape[1])
    return float(band.flat[at]), first, first + length


def _take_out(band: Floats, first: int, last: int) -> None:
    """Spans that share a token with first … last are no longer to be had."""
    band[first : last + 1] = -np.inf
    longest = band.shape[1]
    start = max(0, first - longest + 1)
    before = np.arange(start, first)[:, None] + np.arange(longest)[None, :]
    band[start:first][before >= first] = -np.inf
