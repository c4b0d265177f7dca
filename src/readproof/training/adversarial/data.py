"""The questions of a hardening: those learnt from, and those held out, whole passages in either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from readproof.errors import InputError
from readproof.files import digest
from readproof.items import SpanItem
from readproof.tasks import find
from readproof.training.sets import answerable, is_held, placed, span_items
from readproof.training.site import Say


@dataclass(frozen=True, slots=True)
class Questions:
    """`items` are the learnt ones, then the held-out ones; `look` and `table` are numbers of held-out ones."""

    items: list[SpanItem]
    learnt: tuple[int, ...]
    held: tuple[int, ...]
    look: tuple[int, ...]
    table: tuple[int, ...]
    sources: dict[str, str]

    def held_items(self) -> list[SpanItem]:
        return [self.items[number] for number in self.held]


def read_questions(
    data: Sequence[str],
    held_data: Sequence[str],
    held_out: float,
    *,
    look: int,
    table: int,
    impossible: bool = False,
    say: Say,
) -> Questions:
    """The questions of some files; the held-out ones out of files of their own, or a part of the passages."""
    every = [item for one in data for item in span_items(one)]
    known = [_clean(item) for item in answerable(every)]
    if held_data:
        held = [_clean(item) for one in held_data for item in answerable(span_items(one))]
    else:
        held = [item for item in known if is_held(item.passage, held_out)]
    passages = {item.passage for item in held}
    learnt = [item for item in known if item.passage not in passages]
    nothing = [item for item in every if impossible and item.impossible and item.passage not in passages]
    if not learnt or not held:
        found = f"{len(learnt)} questions to learn from and {len(held)} held out, of {len(every)}"
        expected, do = "some of both, with answers that stand in their passages", "Give more data, or --held-out."
        raise InputError(file=", ".join(data), found=found, expected=expected, do=do)
    say(
        f"{len(learnt)} questions to learn from, {len(held)} held out, {len(every) - len(known)} without an answer"
        f"{f', {len(nothing)} of them learnt too' if nothing else ''}"
    )
    learnt += nothing
    items = _told_apart([*learnt, *held])
    numbers = list(range(len(learnt), len(items)))
    Random("hardening").shuffle(numbers)
    # the epoch is chosen by other questions than the table tells of, where there are enough
    shown = numbers[look : look + table] if len(numbers) >= look + table else numbers[-table:]
    return Questions(
        items=items,
        learnt=tuple(range(len(learnt))),
        held=tuple(range(len(learnt), len(items))),
        look=tuple(sorted(numbers[:look])),
        table=tuple(sorted(shown)),
        sources={f"{at}": digest(find(one)[1]) for at, one in enumerate([*data, *held_data])},
    )


def _clean(item: SpanItem) -> SpanItem:
    """Only golds that stand in the passage can be learnt from, and follow an attack."""
    return replace(item, golds=tuple(gold for gold in item.golds if placed(gold)), impossible=False)


def _told_apart(items: Sequence[SpanItem]) -> list[SpanItem]:
    """Items of several files may have the same id; attacks and files know them by it."""
    seen: Counter[str] = Counter()
    out = []
    for item in items:
        seen[item.id] += 1
        out.append(replace(item, id=f"{item.id}#{seen[item.id]}") if seen[item.id] > 1 else item)
    return out
