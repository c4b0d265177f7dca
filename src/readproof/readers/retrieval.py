"""Where in a long passage to read: segments of about 400 characters ranked by BM25, at a cost linear in length.

The passage is cut into pieces of about 200 characters, at sentence ends where there are any; a segment is a piece with
the next one, so that segments overlap by half and no sentence stands only on an edge. Terms are single characters and
pairs of neighbours in scripts written without spaces, whole words elsewhere; all occurrences are numbers in one sorted
array, so that the index is built by numpy in seconds for ten million characters, and a question costs a few look-ups.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PIECE = 200
_K1, _B = 1.2, 0.75
_ENDS = re.compile("[。！？!?；;\n][”’」』）)\"'》]*|\\.(?=\\s)|؟|۔")
_SOFT_ENDS = re.compile("[，,、：:\\s]")
_CHUNK = 1 << 18
# letters and digits are told from the rest by a table over the first plane; what is beyond it is read as one-character
# words: rare Han characters, emoji
_PLANE = 0x10000
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F))
_NOTHING, _LETTER, _ALONE = 0, 1, 2
_BASE = np.uint64(0x9E3779B97F4A7C15)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)

Terms = NDArray[np.uint64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Index:
    """Pieces of a text and the terms in them; `places` holds term << 32 | piece for every occurrence, sorted."""

    bounds: Places
    places: Terms
    lengths: NDArray[np.float64]

    def ranked(self, question: str) -> Places:
        """The segments, best first; of equals the earlier one."""
        return np.argsort(-self.scores(question), kind="stable")

    def scores(self, question: str) -> NDArray[np.float64]:
        """How well each segment fits a question (BM25). Segment i holds the pieces i and i + 1."""
        count = max(1, len(self.bounds) - 2)
        scores = np.zeros(count)
        for term in np.unique(_terms(_folded(question))[0]):
            ends = np.asarray((term << _HALF, term << _HALF | _LOW), dtype=np.uint64)
            low, high = np.searchsorted(self.places, ends)
            if low == high:
                continue
            pieces = (self.places[low:high] & _LOW).astype(np.int64)
            each = np.bincount(pieces, minlength=len(self.bounds) - 1).astype(np.float64)
            often = _paired(each)
            held = np.count_nonzero(often)
            rare = np.log1p((count - held + 0.5) / (held + 0.5))
            scores += rare * often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * self.lengths))
        return scores

    def segment(self, number: int) -> tuple[int, int]:
        """From which character to which a segment goes."""
        return int(self.bounds[number]), int(self.bounds[min(number + 2, len(self.bounds) - 1)])


def index_of(text: str) -> Index:
    """The index of a text."""
    bounds = np.asarray(cuts(text), dtype=np.int64)
    places: list[Terms] = []
    sizes = np.zeros(len(bounds) - 1)
    first = 0
    while first < len(bounds) - 1:
        # whole pieces at a time: the memory for making terms stays small, and no term crosses into the next piece
        last = max(first + 1, int(np.searchsorted(bounds, bounds[first] + _CHUNK, "right")) - 1)
        found, at = _terms(_folded(text[bounds[first] : bounds[last]]))
        pieces = np.searchsorted(bounds, at + bounds[first], "right") - 1
        sizes += np.bincount(pieces, minlength=len(sizes))
        places.append(found << _HALF | pieces.astype(np.uint64))
        first = last
    every = np.concatenate(places) if places else np.zeros(0, np.uint64)
    every.sort()
    lengths = _paired(sizes)
    return Index(bounds, every, lengths / max(1.0, float(lengths.mean())))


def cuts(text: str, size: int = PIECE) -> list[int]:
    """Where pieces begin and end: after a sentence, else after a comma or a space, else after `size` characters."""
    at = [0]
    while len(text) - at[-1] > size:
        low, high = at[-1] + size // 2, at[-1] + size
        at.append(_last(_ENDS, text, low, high) or _last(_SOFT_ENDS, text, low, high) or high)
    if len(text) > at[-1] or len(at) == 1:
        at.append(len(text))
    return at


def _last(pattern: re.Pattern[str], text: str, low: int, high: int) -> int | None:
    """Where the last match inside text[low:high] ends."""
    found = None
    for match in pattern.finditer(text, low, high):
        found = match.end()
    return found


def _paired(each: NDArray[np.float64]) -> NDArray[np.float64]:
    """What two neighbouring pieces hold together."""
    return each if len(each) < 2 else each[:-1] + each[1:]


def _folded(text: str) -> NDArray[np.uint32]:
    """Characters as numbers, in lower case; a character whose lower case is longer stays as it is."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(one if len(one.lower()) != 1 else one.lower() for one in text)
    return np.frombuffer(low.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _terms(codes: NDArray[np.uint32]) -> tuple[Terms, Places]:
    """Every term, as a number of 32 bits, with the place it begins at."""
    kinds = np.where(codes < _PLANE, _kinds()[np.minimum(codes, _PLANE - 1)], _ALONE)
    alone = np.flatnonzero(kinds == _ALONE)
    pairs = alone[:-1][np.diff(alone) == 1]
    singles = codes[alone].astype(np.uint64)
    doubles = (codes[pairs].astype(np.uint64) << np.uint64(21)) | codes[pairs + 1].astype(np.uint64)
    letters = np.concatenate(([0], (kinds == _LETTER).astype(np.int8), [0]))
    edges = np.diff(letters)
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    words = _words(codes, starts, ends)
    terms = np.concatenate((singles, doubles, words)) * _BASE >> _HALF
    return terms, np.concatenate((alone, pairs, starts))


def _words(codes: NDArray[np.uint32], starts: Places, ends: Places) -> Terms:
    """A number for each word: its characters as a polynomial modulo 2⁶⁴, taken from one running sum over the text."""
    if not len(starts):
        return np.zeros(0, np.uint64)
    length = len(codes)
    powers = np.cumprod(np.full(length, _BASE, dtype=np.uint64))
    sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(powers * codes, dtype=np.uint64)))
    back = np.cumprod(np.full(length, np.uint64(pow(int(_BASE), -1, 1 << 64)), dtype=np.uint64))
    words: Terms = np.multiply(sums[ends] - sums[starts], back[starts], dtype=np.uint64)
    return words


_TABLE: list[NDArray[np.int8]] = []


def _kinds() -> NDArray[np.int8]:
    """What each character of the first plane is: part of a word, a term by itself, or nothing."""
    if not _TABLE:
        letters = (_LETTER if chr(code).isalnum() else _NOTHING for code in range(_PLANE))
        table = np.fromiter(letters, dtype=np.int8, count=_PLANE)
        for low, high in _UNSPACED:
            block = table[low : high + 1]
            block[block == _LETTER] = _ALONE
        _TABLE.append(table)
    return _TABLE[0]
