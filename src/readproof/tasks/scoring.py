"""Scoring a prediction file against a gold file, and comparing two readers on the same gold."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from readproof.errors import InputError
from readproof.items import Item
from readproof.stats import Difference, paired
from readproof.tasks import TASKS, Score, Task
from readproof.tasks.base import Predictions
from readproof.tasks.metrics import spans
from readproof.tasks.metrics.cutting import cut, ids_of
from readproof.tasks.metrics.faults import listed
from readproof.tasks.metrics.instep import RepeatsError


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


def compare(one: Score, other: Score) -> Mapping[str, Difference]:
    """The difference one − other with its interval and p, over the same units."""
    if (one.task, one.metric) != (other.task, other.metric) or list(one.sample.groups) != list(other.sample.groups):
        raise InputError(
            found="two scores over different questions",
            expected="the same task, metric and questions in both",
            do="The official GCRC scorer counts predicted rows: compare with --strict.",
        )
    return paired(one.sample, other.sample)
