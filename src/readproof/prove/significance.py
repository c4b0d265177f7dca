"""Two tests that `stats` does not have: McNemar's, and Holm's correction for many comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, erfc, sqrt

_EXACT = 1000


def mcnemar(lost: int, won: int) -> float:
    """The chance of so uneven a split of the questions that only one of two readers has right, if both are alike.

    Exact (binomial) up to a thousand such questions, then by the normal curve with its correction of a half.

    >>> mcnemar(1, 9)
    0.021484375
    """
    number, fewer = lost + won, min(lost, won)
    if not number:
        return 1.0
    if number > _EXACT:
        return erfc(max(0.0, abs(lost - won) - 1) / sqrt(2 * number))
    tail: int = sum(comb(number, count) for count in range(fewer + 1))
    return min(1.0, float(Fraction(2 * tail, 2**number)))


def holm(chances: Sequence[float]) -> list[float]:
    """p values that hold for all comparisons together (Holm 1979), in the order given.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    corrected = [0.0] * len(chances)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[at]))
        corrected[at] = highest
    return corrected
