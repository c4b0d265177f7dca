"""Scoring a prediction file against a gold file, and comparing two readers on the same gold."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from readproof.errors import InputError
from readproof.items import Item
from readproof.jsonstream import records
from readproof.stats import PairedDifference, paired
from readproof.tasks import TASKS, Score, Task
from readproof.tasks.base import Predictions
from readproof.tasks.layouts.closed import ClosedPredictions
from readproof.tasks.layouts.marks import MarkPredictions
from readproof.tasks.metrics import spans
from readproof.tasks.metrics.spans import RepeatsError, SpanPredictions
from readproof.tasks.metrics.tally import listed
from readproof.tasks.metrics.triples import TriplePredictions

# Predictions cut to the items that count: the same as those of a file with nothing else in it, whatever its form.

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


def score(
    task: str | Task,
    predictions: str | Path,
    gold: str | Path,
    *,
    metric: str = "",
    only: Collection[str] | None = None,
    named_by: str | Path = "",
    seen: Callable[[Item], None] | None = None,
) -> Score:
    """The score of a prediction file by the metric of that name, or by the task's first one (the official one).

    `only` counts the items with these ids and no others, such as variants that people confirmed; predictions of other
    items are left out of everything. `named_by` is the file that names them, for messages. `seen` is told of each gold
    item that counts, so that nobody has to load them again.
    """
    task = TASKS.get(task) if isinstance(task, str) else task
    metric = metric or next(iter(task.metrics))
    if metric not in task.metrics:
        raise InputError(
            found=f"no metric {metric!r} for the task {task.name!r}", expected=f"one of {', '.join(task.metrics)}"
        )

    def measured(read: Predictions) -> Score:
        items: Iterable[Item] = task.load(Path(gold))
        notes: tuple[str, ...] = ()
        if only is not None:
            # with their places in the whole file: some predictions go by place
            kept = [(place, item) for place, item in enumerate(items) if item.id in only]
            items = [item for _, item in kept]
            if not items:
                raise _none_of(only, named_by, gold)
            read = cut(read, kept, only)
            notes = _strangers(only, items, read, named_by)
        found = task.metrics[metric](items if seen is None else _told(items, seen), read)
        _check_shared(found, predictions, gold, read)
        return replace(found, notes=(*found.notes, *notes)) if notes else found

    try:
        with without_collector():
            if task.read_predictions is spans.read_predictions and seen is None and only is None:
                large = spans.in_step(Path(predictions))
                with suppress(RepeatsError):
                    if large is not None:
                        return measured(large)
            return measured(task.read_predictions(Path(predictions)))
    except InputError as error:
        if error.file:
            raise
        raise InputError(
            file=gold, place=error.place, found=error.found, expected=error.expected, do=error.do
        ) from None


def _check_shared(found: Score, predictions: str | Path, gold: str | Path, read: Predictions) -> None:
    """A zero that only says that the files do not belong together is no score."""
    counts = found.counts
    if not counts.get("unknown") or counts.get("missing") != counts.get("items"):
        return
    # what gave no items has been read to its end
    first = next(iter(TASKS.get(found.task).load(Path(gold))), None)
    own = listed(sorted(ids_of(read))[:3]) or f"{counts['unknown']} predictions"
    raise InputError(
        file=predictions,
        found=f"predictions for other questions ({own})",
        expected=f"ids of {gold}" + (f", such as {first.id}" if first is not None else ""),
        do="Check that both files are of the same data set and split.",
    )


def _none_of(only: Collection[str], named_by: str | Path, gold: str | Path) -> InputError:
    found = f"{len(only)} ids ({listed(sorted(only))}), none of them in {gold}" if only else "no ids"
    return InputError(
        file=named_by or "only",
        found=found,
        expected="ids of items in the gold file",
        do="Name the items of this data file, as it spells their ids.",
    )


def _strangers(
    only: Collection[str], items: Iterable[Item], read: Predictions, named_by: str | Path
) -> tuple[str, ...]:
    """A note where some of the ids that should count are nowhere: a figure over fewer items must not pass unseen."""
    nowhere = sorted(set(only) - {item.id for item in items} - ids_of(read))
    if not nowhere:
        return ()
    where = f"of {named_by}" if named_by else "to count"
    return (f"{len(nowhere)} of the {len(only)} ids {where} are in neither file: {listed(nowhere)}",)


def _told(items: Iterable[Item], seen: Callable[[Item], None]) -> Iterator[Item]:
    for item in items:
        seen(item)
        yield item


@contextmanager
def without_collector() -> Iterator[None]:
    """Without the cycle collector: scoring makes many small objects and no cycles, and it would visit all of them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def compare(one: Score, other: Score) -> Mapping[str, PairedDifference]:
    """The difference one − other with its interval and p, over the same units."""
    if (one.task, one.metric) != (other.task, other.metric) or list(one.sample.groups) != list(other.sample.groups):
        raise InputError(
            found="two scores over different questions",
            expected="the same task, metric and questions in both",
            do="The official GCRC scorer counts predicted rows: compare with --strict.",
        )
    return paired(one.sample, other.sample)
