"""What the character attacks share: which texts and places they touch, and the variant that comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from readproof.attacks.base import About, Made, random_for, skipped, variant_id
from readproof.attacks.edits import PASSAGE, QUESTION, variant
from readproof.items import Edit, Item, SpanItem, Variant
from readproof.text import sanitised

WHERE = ("passage", "question", "both")

# the edits of one text; `free` says of a place whether it may be changed
Change = Callable[[str, Callable[[int, int], bool], Random], Sequence[Edit]]


def changed(
    about: About, item: Item, change: Change, *, where: str, seed: int, count: int, strategy: str = "", golds: bool
) -> Made:
    """Variants of a span item by a change to its texts; with `golds` false no character of a gold answer is touched."""
    if not isinstance(item, SpanItem):
        return skipped("no span question")
    if item.language not in about.languages:
        return skipped(f"not for {item.language}")
    random = random_for(seed, about.name, item.id)
    made: list[Variant] = []
    seen: set[tuple[Edit, ...]] = set()
    for _ in range(4 * count if count > 1 else 1):
        edits = tuple(_edits(item, change, where, random, golds))
        if not edits:
            break
        if count == 1 or edits not in seen:
            if count > 1:  # to hash hundreds of edits takes as long as to make them
                seen.add(edits)
            name = variant_id(item.id, about.name, len(made))
            made.append(variant(item, edits, id=name, attack=about.name, strategy=strategy))
        if len(made) == count:
            break
    return Made(variants=tuple(made)) if made else skipped("nothing to change")


def undone(new: SpanItem, old: SpanItem) -> bool:
    """Whether the sanitiser gives back the very texts that there were before the attack."""
    return all(
        sanitised(after).clean == sanitised(before).clean
        for after, before in ((new.passage, old.passage), (new.question, old.question))
    )


def chosen(places: Sequence[int], random: Random, budget: int, one_in: int) -> list[int]:
    """Some of the places, in order: `budget` of them, or one in so many where no budget is given."""
    wanted = budget or max(1, len(places) // one_in)
    return sorted(random.sample(range(len(places)), min(wanted, len(places))))


def _edits(item: SpanItem, change: Change, where: str, random: Random, golds: bool) -> list[Edit]:
    edits: list[Edit] = []
    if where in ("passage", "both"):
        spans = [] if golds else [(gold.start, gold.end) for gold in item.golds]

        def free(start: int, end: int) -> bool:
            return all(first is None or last is None or end <= first or start >= last for first, last in spans)

        edits += [_in(edit, PASSAGE) for edit in change(item.passage, free, random)]
    if where in ("question", "both"):
        edits += [_in(edit, QUESTION) for edit in change(item.question, lambda _start, _end: True, random)]
    return edits


def _in(edit: Edit, where: str) -> Edit:
    return Edit(edit.start, edit.old, edit.new, edit.why, where)
