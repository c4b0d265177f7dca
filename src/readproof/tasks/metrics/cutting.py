"""Predictions cut to the items that count: the same as those of a file with nothing else in it, whatever its form."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from readproof.errors import InputError
from readproof.items import Item
from readproof.jsonstream import records
from readproof.tasks.base import Predictions
from readproof.tasks.layouts.closed import ClosedPredictions
from readproof.tasks.layouts.marks import MarkPredictions
from readproof.tasks.metrics.spans import SpanPredictions
from readproof.tasks.metrics.triples import TriplePredictions

# the items that count, each with its place in the whole gold file: some predictions go by place
Kept = Sequence[tuple[int, Item]]


def cut(predictions: Predictions, kept: Kept, only: Collection[str]) -> Predictions:
    """The predictions of these items, and those under an id of `only` that the gold file does not have."""
    if isinstance(predictions, TriplePredictions):
        return _rows(predictions, only)
    if isinstance(predictions, SpanPredictions):
        return _texts(predictions, kept, only)
    if isinstance(predictions, ClosedPredictions):
        return _values(predictions, kept, only)
    if isinstance(predictions, MarkPredictions):
        lines = predictions.lines
        return replace(predictions, lines=[lines[at] if at < len(lines) else None for at, _ in kept])
    raise TypeError(f"{type(predictions).__name__} cannot be cut")


def ids_of(predictions: Predictions) -> set[str]:
    """The ids that predictions are given for; none where they go by place."""
    if isinstance(predictions, TriplePredictions):
        return {str(row.id) for row in predictions.rows}
    if isinstance(predictions, SpanPredictions):
        return set(predictions.texts)
    return set(predictions.values) if isinstance(predictions, ClosedPredictions) else set()


def _rows(predictions: TriplePredictions, only: Collection[str]) -> TriplePredictions:
    # an id that is a number is unknown to the official scorer, here as in the whole file
    rows = tuple(row for row in predictions.rows if str(row.id) in only)
    if not rows:
        raise InputError(
            file=predictions.path,
            found=f"no row for any of the {len(only)} ids that count",
            expected="predictions of the items that --only names",
        )
    return replace(predictions, rows=rows)


def _texts(predictions: SpanPredictions, kept: Kept, only: Collection[str]) -> SpanPredictions:
    texts = predictions.texts
    if _is_list(predictions):
        there = [str(at) for at, _ in kept if str(at) in texts]
        return replace(predictions, texts={str(new): texts[name] for new, name in enumerate(there)})
    return replace(
        predictions,
        texts={name: text for name, text in texts.items() if name in only},
        duplicates=tuple(name for name in predictions.duplicates if name in only),
    )


def _is_list(predictions: SpanPredictions) -> bool:
    """A plain list of texts, as PersianQA's scorer takes it, is kept under its places; ids may look the same."""
    numbered = all(name == str(at) for at, name in enumerate(predictions.texts))
    return numbered and records(predictions.path).layout == "list"


def _values(predictions: ClosedPredictions, kept: Kept, only: Collection[str]) -> ClosedPredictions:
    values, by_order = predictions.values, predictions.by == "order"
    left = {} if by_order else {name: value for name, value in values.items() if name in only}
    taken = set(left)
    for new, (old, item) in enumerate(kept):
        name = predictions.key(item.id, old)
        if name in values:
            taken.add(name)
            left[predictions.key(item.id, new)] = values[name]
    duplicates = tuple(name for name in predictions.duplicates if name in taken)
    return replace(predictions, values=left, duplicates=duplicates)
