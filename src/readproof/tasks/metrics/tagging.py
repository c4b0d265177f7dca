"""Precision, recall and F1 of marks (words, tagged words, entities), summed over all sentences, in percent.

A predicted mark is right if its two ends and its type are those of a gold mark. The CELUE scorer is not published;
this is the measure it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from readproof.items import Item, TagItem
from readproof.stats import Columns, Sample, intervals
from readproof.tasks.base import Metric, Score
from readproof.tasks.layouts.marks import MarkLine, MarkPredictions
from readproof.tasks.metrics.tally import Tally, in_order, listed, refuse_faults, refuse_unlabelled


@dataclass(slots=True)
class _Found:
    tally: Tally = field(default_factory=Tally)
    seen: int = 0
    unlabelled: int = 0
    repeated: list[str] = field(default_factory=list)


def tagging_metrics(task: str, types: Sequence[str] = (), words: bool = False) -> dict[str, Metric]:
    """The two ways to score a task of marks; `words` says that the marks cut the whole text into words."""
    return {
        "official": partial(official, task, types, words),
        "strict": partial(strict, task, types, words),
    }


def official(
    task: str, types: Sequence[str], words: bool, items: Iterable[Item], predictions: MarkPredictions
) -> Score:
    """A sentence without a line has no predicted marks; a segmented line with other characters has no right words."""
    return _score(task, "official", _counted(types, words, items, predictions), predictions)


def strict(task: str, types: Sequence[str], words: bool, items: Iterable[Item], predictions: MarkPredictions) -> Score:
    """A fair scorer: files of another length, marks outside their text and repeated marks are refused."""
    found = _counted(types, words, items, predictions)
    extra = [f"line {number}" for number in range(found.seen + 1, len(predictions.lines) + 1)]
    faults = {
        "sentences without a line": found.tally.missing,
        "lines more than there are sentences": extra,
        "sentences whose marks do not fit their text or have an unknown type": found.tally.malformed,
        "sentences with the same mark twice": found.repeated,
    }
    refuse_faults(predictions.path, faults, "one line a sentence, with marks inside its text")
    return _score(task, "strict", found, predictions)


def precision_recall_f1(right: float, predicted: float, gold: float) -> dict[str, float]:
    """The three measures in percent; where nothing was predicted, or nothing is there, they are 0."""
    return {
        "precision": 100.0 * right / predicted if predicted else 0.0,
        "recall": 100.0 * right / gold if gold else 0.0,
        "f1": 200.0 * right / (predicted + gold) if predicted + gold else 0.0,
    }


def statistic(sums: Columns) -> Mapping[str, Any]:
    """The same for many samples at once; counts are whole numbers, so below 1 there is nothing to divide."""
    import numpy

    right, predicted, gold = sums[..., 0], sums[..., 1], sums[..., 2]
    return {
        "precision": 100.0 * right / numpy.maximum(predicted, 1.0),
        "recall": 100.0 * right / numpy.maximum(gold, 1.0),
        "f1": 200.0 * right / numpy.maximum(predicted + gold, 1.0),
    }


def _counted(types: Sequence[str], words: bool, items: Iterable[Item], predictions: MarkPredictions) -> _Found:
    found = _Found()
    known = frozenset(types)
    for index, item in enumerate(items):
        if not isinstance(item, TagItem):
            raise TypeError(f"{type(item).__name__} where a TagItem was expected")
        found.seen += 1
        if item.marks is None:
            found.unlabelled += 1
            continue
        gold = set(item.marks)
        line = predictions.lines[index] if index < len(predictions.lines) else None
        if line is None:
            found.tally.missing.append(item.id)
            found.tally.add((0.0, 0.0, float(len(gold))), index)
            continue
        predicted = set(line.marks)
        if len(predicted) < len(line.marks):
            found.repeated.append(item.id)
        fits = _fits(line, item.text, words) and (not known or all(mark.type in known for mark in predicted))
        if not fits:
            found.tally.malformed.append(item.id)
        right = len(gold & predicted) if fits or not words else 0
        found.tally.add((float(right), float(len(predicted)), float(len(gold))), index)
    if not found.tally.total:
        refuse_unlabelled("marks")
    return found


def _fits(line: MarkLine, text: str, words: bool) -> bool:
    if words and line.texts:
        return "".join(line.texts) == text
    if words and not line.marks:
        return not text
    inside = all(0 <= mark.start < mark.end <= len(text) for mark in line.marks)
    return inside and all(
        text[mark.start : mark.end] == said for mark, said in zip(line.marks, line.texts, strict=False)
    )


def _score(task: str, metric: str, found: _Found, predictions: MarkPredictions) -> Score:
    tally = found.tally
    exact = precision_recall_f1(*map(in_order, tally.columns))
    sample = Sample(tally.columns, tally.groups, statistic)
    extra = max(0, len(predictions.lines) - found.seen)
    counts = {
        "items": tally.total,
        "missing": len(tally.missing),
        "malformed": len(tally.malformed),
        "unknown": extra,
        "duplicate": len(found.repeated),
        "unlabelled": found.unlabelled,
    }
    notes = []
    if tally.missing:
        notes.append(
            f"{len(tally.missing)} sentences have no line and none of their marks is found: {listed(tally.missing)}"
        )
    if tally.malformed:
        notes.append(f"The marks of {len(tally.malformed)} sentences do not fit: {listed(tally.malformed)}")
    if extra:
        notes.append(f"The file has {extra} more lines than there are sentences; they are left out of account.")
    return Score(task, metric, exact, exact, counts, intervals(sample), sample, tuple(notes))
