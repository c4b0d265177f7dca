"""Prediction files of one task that are the same point: the score is a plain mean over files, so a copy moves it.

The published formula has it so, and the score is left as it is; but a reader of the table should know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from readproof.efficiency.elue import Point
from readproof.efficiency.predictions import Predictions
from readproof.files import digest
from readproof.tasks.layouts.closed import ClosedPredictions


class _File(NamedTuple):
    predictions: Predictions
    point: Point


def copies(label: str, predictions: Sequence[Predictions], points: Sequence[Point]) -> list[str]:
    """A note for each group of files that are alike, each by the strongest likeness that it has."""
    notes = []
    left = [_File(*pair) for pair in zip(predictions, points, strict=True)]
    for same, words in _LIKENESSES:
        groups = _grouped(left, same)
        for group in groups:
            if len(group) > 1:
                names = ", ".join(one.point.file for one in group)
                notes.append(
                    f"{label}: {words}: {names}; the score is the mean over all files, and each of them counts"
                )
        # what was told need not be told again by a weaker likeness
        left = [group[0] for group in groups]
    return notes


def _grouped(files: Sequence[_File], same: Callable[[_File, _File], bool]) -> list[list[_File]]:
    groups: list[list[_File]] = []
    for one in files:
        group = next((group for group in groups if same(group[0], one)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def _same_bytes(one: _File, other: _File) -> bool:
    paths = one.predictions.path, other.predictions.path
    return paths[0].stat().st_size == paths[1].stat().st_size and digest(paths[0]) == digest(paths[1])


def _same_answers(one: _File, other: _File) -> bool:
    return _answers(one.predictions) == _answers(other.predictions)


def _answers(predictions: Predictions) -> object:
    found = predictions.answers
    return found.values if isinstance(found, ClosedPredictions) else found.lines


def _same_point(one: _File, other: _File) -> bool:
    known = one.point.performance is not None
    return known and (one.point.performance, one.point.flops) == (other.point.performance, other.point.flops)


_LIKENESSES = (
    (_same_bytes, "copies of one file"),
    (_same_answers, "files with the same answers"),
    (_same_point, "files with the same performance and FLOPs"),
)
