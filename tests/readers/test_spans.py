"""The band of spans: the same best spans and probabilities as trying every span of every window."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readproof.readers.spans import add_window, best_any, best_apart, empty_band, total
from readproof.readers.tokens import spread

LONGEST = 5


def plainly(length: int, windows: list[tuple[int, np.ndarray, np.ndarray]]) -> dict[tuple[int, int], float]:
    spans: dict[tuple[int, int], float] = {}
    for at, first, last in windows:
        for i in range(len(first)):
            for j in range(i, min(i + LONGEST, len(first))):
                score = float(np.float32(first[i]) + np.float32(last[j]))
                spans[at + i, at + j] = max(score, spans.get((at + i, at + j), -math.inf))
    return spans


@given(st.integers(1, 40), st.integers(6, 20), st.integers(0, 2**32 - 1))
def test_the_band_holds_every_span_once(length: int, capacity: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    windows = []
    band = empty_band(length, LONGEST)
    for start, end in spread(length, capacity, 3):
        first, last = chance.normal(size=(2, end - start)).astype(np.float32)
        windows.append((start, first, last))
        add_window(band, start, first, last)
    expected = plainly(length, windows)
    found = {(first, last): score for score, _, first, last in best_any([band], band.size)}
    assert found == expected
    whole = total([band], 0.7)
    assert sum(math.exp(score / 0.7 - whole) for score in expected.values()) == pytest.approx(1)
    best = best_apart([band], 4)
    assert best[0][0] == max(expected.values())
    places = [range(first, last + 1) for _, _, first, last in best]
    assert all(not set(one) & set(other) for at, one in enumerate(places) for other in places[:at])
    assert [row[0] for row in best] == sorted((row[0] for row in best), reverse=True)


def test_the_best_of_several_pieces_comes_first() -> None:
    low, high = empty_band(3, 2), empty_band(3, 2)
    add_window(low, 0, np.array([0, 1, 0], np.float32), np.array([0, 0, 1], np.float32))
    add_window(high, 0, np.array([0, 5, 0], np.float32), np.array([0, 0, 1], np.float32))
    assert best_apart([low, high], 2) == [(6.0, 1, 1, 2), (2.0, 0, 1, 2)]
    assert best_any([low, high], 1) == [(6.0, 1, 1, 2)]


def test_no_token_no_span() -> None:
    assert best_apart([empty_band(0, 4)], 3) == []
    assert best_any([empty_band(0, 4)], 3) == []
