"""Gold offsets: do they cut the answer, and if not, where does the answer really stand?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from readproof.items import Gold, SpanItem

Fault = Literal["not given", "negative", "wrong"]


def fault(item: SpanItem, gold: Gold) -> Fault | None:
    """What is wrong with an offset: not given, negative, or wrong (it cuts something else)."""
    if gold.start is None:
        return "not given"
    if gold.start < 0:
        return "negative"
    return None if item.passage.startswith(gold.text, gold.start) else "wrong"


def repaired(item: SpanItem) -> SpanItem:
    """The item with offsets that cut their answers; where an answer is not in the passage its offset is None."""
    if item.impossible or not any(fault(item, gold) for gold in item.golds):
        return item
    good = [gold.start for gold in item.golds if gold.start is not None and not fault(item, gold)]
    return replace(item, golds=tuple(_repaired(item, gold, good) for gold in item.golds))


def usable(item: SpanItem) -> bool:
    """Whether at least one gold answer stands in the passage."""
    return any(gold.text and gold.text in item.passage for gold in item.golds)


def _repaired(item: SpanItem, gold: Gold, good: list[int]) -> Gold:
    if not fault(item, gold):
        return gold
    places = list(_places(item.passage, gold.text))
    if not places:
        return Gold(gold.text)
    stated = gold.start if gold.start is not None and gold.start >= 0 else None
    # the place nearest to the stated one; else nearest to where another annotator found the answer; else the first
    near = stated if stated is not None else good[0] if good else places[0]
    return Gold(gold.text, min(places, key=lambda place: abs(place - near)))


def _places(passage: str, text: str) -> Iterator[int]:
    if not text:
        return
    at = passage.find(text)
    while at >= 0:
        yield at
        at = passage.find(text, at + 1)
