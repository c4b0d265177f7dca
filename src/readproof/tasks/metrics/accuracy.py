"""Accuracy of choices and labels: the share of items whose predicted option or label is the gold one, in percent."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from readproof.items import ChoiceItem, Item, LabelItem, letter_index
from readproof.stats import intervals
from readproof.tasks.base import Metric, Score
from readproof.tasks.layouts.closed import ClosedPredictions
from readproof.tasks.metrics.tally import Tally, listed, refuse_faults, refuse_unlabelled

_NAMES = ("accuracy",)


@dataclass(slots=True)
class _Found:
    tally: Tally = field(default_factory=Tally)
    unlabelled: int = 0
    used: set[str] = field(default_factory=set)


def accuracy_metrics(task: str, labels: Sequence[str] = ()) -> dict[str, Metric]:
    """The two ways to score a task of choices, or of the given labels."""
    return {"official": partial(official, task, labels), "strict": partial(strict, task, labels)}


def official(task: str, labels: Sequence[str], items: Iterable[Item], predictions: ClosedPredictions) -> Score:
    """What is missing or cannot be read counts as wrong; what belongs to no item is left out of account."""
    return _score(task, "official", _counted(labels, items, predictions), predictions)


def strict(task: str, labels: Sequence[str], items: Iterable[Item], predictions: ClosedPredictions) -> Score:
    """A fair scorer: unknown, repeated or unreadable predictions and files of another length are refused.

    An option whose text equals the gold option's is right as well (C3 has a few).
    """
    found = _counted(labels, items, predictions, same_text=True)
    unknown = [key for key in predictions.values if key not in found.used]
    ordered = predictions.by == "order"
    faults: dict[str, Sequence[str]] = {
        "repeated ids": predictions.duplicates,
        "predictions that are no option or label of their item": found.tally.malformed,
        "lines more than there are items" if ordered else "ids that the data file does not have": unknown,
    }
    if ordered:
        faults["items without a line"] = found.tally.missing
    refuse_faults(predictions.path, faults, "one valid prediction for an item")
    return _score(task, "strict", found, predictions)


def _counted(
    labels: Sequence[str], items: Iterable[Item], predictions: ClosedPredictions, same_text: bool = False
) -> _Found:
    found = _Found()
    values = predictions.values
    for index, item in enumerate(items):
        key = predictions.key(item.id, index)
        if key in values:
            found.used.add(key)
        if gold_of(item) is None:
            found.unlabelled += 1
            continue
        value = values.get(key)
        right = False
        if value is None:
            found.tally.missing.append(item.id)
        else:
            predicted = _read(item, value, labels)
            if predicted is None:
                found.tally.malformed.append(item.id)
            else:
                right = predicted == gold_of(item) or (same_text and _same_text(item, predicted))
        found.tally.add((float(right),), group_of(item, index))
    if not found.tally.total:
        refuse_unlabelled("answers")
    return found


def gold_of(item: Item) -> int | str | None:
    """The gold option or label."""
    if isinstance(item, ChoiceItem):
        return item.answer
    if isinstance(item, LabelItem):
        return item.label
    raise TypeError(f"{type(item).__name__} where a ChoiceItem or a LabelItem was expected")


def group_of(item: Item, index: int) -> Hashable:
    """Questions on one passage, and hypotheses on one premise, rise and fall together."""
    if isinstance(item, ChoiceItem) and (item.passage_id or item.passage):
        return item.passage_id or hash(item.passage)
    if isinstance(item, LabelItem) and item.pair:
        return item.text
    return index


def _read(item: Item, value: Any, labels: Sequence[str]) -> int | str | None:
    """What a prediction says, or None if it is not a possible answer: an option's letter or number, or a label."""
    if isinstance(item, ChoiceItem):
        try:
            index = letter_index(value) if isinstance(value, str) else value
        except ValueError:
            return None
        whole = isinstance(index, int) and not isinstance(index, bool)
        return index if whole and 0 <= index < len(item.options) else None
    return value if isinstance(value, str) and (not labels or value in labels) else None


def _same_text(item: Item, predicted: int | str) -> bool:
    return (
        isinstance(item, ChoiceItem)
        and isinstance(predicted, int)
        and item.answer is not None
        and item.options[predicted] == item.options[item.answer]
    )


def _score(task: str, metric: str, found: _Found, predictions: ClosedPredictions) -> Score:
    tally = found.tally
    exact = {"accuracy": tally.percent(0)}
    sample = tally.sample(_NAMES)
    unknown = len(predictions.values) - len(found.used)
    counts = {
        "items": tally.total,
        "missing": len(tally.missing),
        "malformed": len(tally.malformed),
        "unknown": unknown,
        "duplicate": len(predictions.duplicates),
        "unlabelled": found.unlabelled,
    }
    notes = []
    if tally.missing:
        notes.append(f"{len(tally.missing)} items have no prediction and count as wrong: {listed(tally.missing)}")
    if tally.malformed:
        notes.append(f"{len(tally.malformed)} predictions are no option or label: {listed(tally.malformed)}")
    if unknown and predictions.by == "order":
        notes.append(f"The file has {unknown} more lines than there are items; they are left out of account.")
    if found.unlabelled:
        notes.append(f"{found.unlabelled} items have no gold label and are left out of account.")
    return Score(task, metric, exact, exact, counts, intervals(sample), sample, tuple(notes))
