"""The harmonic mean of precision and recall, in the order of operations that all the official scorers share."""

from __future__ import annotations


def f1(common: int, predicted: int, gold: int) -> float:
    """F1 of `common` units out of `predicted` and `gold` ones; 0 where nothing is common."""
    if not common:
        return 0.0
    precision = common / predicted
    recall = common / gold
    return (2 * precision * recall) / (precision + recall)
