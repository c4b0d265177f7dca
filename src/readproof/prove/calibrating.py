"""Is a reader as sure as it is right, and what would it score if it kept silent where it is not sure?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readproof.prove.model import Bin, Calibration, Point

BINS = 10
_POINTS = 40
_FEWEST = 10


@dataclass(frozen=True, slots=True)
class Sure:
    """One answer: how sure the reader was, whether it is right (an exact match), and what it is worth."""

    confidence: float
    right: float
    worth: float


def calibrated(answers: Sequence[Sure]) -> Calibration | None:
    """Ten bins of equal width, the expected calibration error, and the score against the share answered."""
    if len(answers) < _FEWEST:
        return None
    bins = []
    for number in range(BINS):
        inside = [one for one in answers if min(BINS - 1, int(one.confidence * BINS)) == number]
        if inside:
            confidence = sum(one.confidence for one in inside) / len(inside)
            right = sum(one.right for one in inside) / len(inside)
            bins.append(
                Bin(
                    low=number / BINS,
                    high=(number + 1) / BINS,
                    count=len(inside),
                    confidence=confidence,
                    right=right,
                )
            )
    error = sum(one.count * abs(one.confidence - one.right) for one in bins) / len(answers)
    return Calibration(questions=len(answers), error=error, bins=tuple(bins), curve=_curve(answers))


def _curve(answers: Sequence[Sure]) -> tuple[Point, ...]:
    """The surest first; answers of the same confidence come or stay away together."""
    ordered = sorted(answers, key=lambda one: -one.confidence)
    points, total = [], 0.0
    for number, one in enumerate(ordered, start=1):
        total += one.worth
        last = number == len(ordered)
        if last or ordered[number].confidence < one.confidence:
            points.append(Point(share=number / len(ordered), score=100.0 * total / number))
    step = max(1, -(-len(points) // _POINTS))
    return tuple(point for at, point in enumerate(points) if at % step == 0 or at == len(points) - 1)
