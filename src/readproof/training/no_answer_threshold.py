"""When to say that there is no answer: the threshold that scores best on held-out questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readproof.items import Answer
from readproof.training.windows import Windows


@dataclass(frozen=True, slots=True)
class NoAnswerFit:
    """Percentages over all questions where "no answer" is said when it beats the best span by `threshold`.

    `answered` is the F1 of the questions that have an answer, `refused` the share of the others that get none.
    """

    threshold: float
    exact: float
    f1: float
    answered: float
    refused: float


def nulls_of(windows: Windows, nulls: NDArray[np.float32], questions: int) -> list[float]:
    """How good "no answer" is for each question: as good as in the window that likes it least."""
    best = np.full(questions, np.inf)
    np.minimum.at(best, windows.questions, nulls)
    return [float(one) for one in best]


def fitted(
    answers: Sequence[Answer], nulls: Sequence[float], known: NDArray[np.bool_], each: NDArray[Any]
) -> NoAnswerFit:
    """The threshold with the best F1 over all questions; `each` scores every answer as if it were given."""
    lead = _lead(answers, nulls)
    order = np.argsort(lead, kind="stable")
    given = np.where(known[:, None], each[:, :2], 0.0)[order]
    refused = np.where(known[:, None], 0.0, 1.0).repeat(2, axis=1)[order]
    # with k given, the k with the smallest lead of "no answer" have their answers, the others none
    zero = np.zeros((1, 2))
    totals = np.concatenate((zero, given.cumsum(axis=0))) + np.concatenate((refused[::-1].cumsum(axis=0)[::-1], zero))
    ranked = lead[order]
    # equal leads share their fate
    apart = np.concatenate(([True], ranked[1:] > ranked[:-1], [True]))
    count = int(np.where(apart, totals[:, 1], -1.0).argmax())
    return _at(lead, _between(ranked, count), known, each)


def at_threshold(
    answers: Sequence[Answer], nulls: Sequence[float], known: NDArray[np.bool_], each: NDArray[Any], threshold: float
) -> NoAnswerFit:
    """The same with a threshold that was fitted elsewhere."""
    lead = _lead(answers, nulls)
    return _at(lead, threshold, known, each)


def _lead(answers: Sequence[Answer], nulls: Sequence[float]) -> NDArray[Any]:
    """By how much "no answer" beats each answer; one that found nothing to say loses to it."""
    best = [one.scores[0] if one.scores else -np.inf for one in answers]
    return np.asarray(nulls, dtype=np.float64) - np.asarray(best, dtype=np.float64)


def _at(lead: NDArray[Any], threshold: float, known: NDArray[np.bool_], each: NDArray[Any]) -> NoAnswerFit:
    nothing = lead > threshold
    scores = np.where(known[:, None], np.where(nothing[:, None], 0.0, each[:, :2]), nothing[:, None].astype(float))
    exact, f1 = (float(one) * 100 for one in scores.mean(axis=0))
    answered = float(scores[known, 1].mean()) * 100 if known.any() else 0.0
    return NoAnswerFit(threshold, exact, f1, answered, float(nothing[~known].mean()) * 100 if (~known).any() else 0.0)


def _between(lead: NDArray[Any], count: int) -> float:
    """A threshold with `count` of the leads, which are in order, at or below it; in the middle of where it may lie."""
    below = float(lead[count - 1]) if count else float(lead[0]) - 2.0
    above = float(lead[count]) if count < len(lead) else np.inf
    if not np.isfinite(below):
        return 0.0 if above == below or count == 0 else 1e4
    middle = below + 1.0 if above == np.inf else (below + above) / 2
    return middle if below <= middle < above else below
