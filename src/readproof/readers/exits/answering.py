"""From where the units of an item stopped to its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from readproof.efficiency.modules import Trace, written
from readproof.items import Answer, ChoiceItem, Item, LabelItem, TagItem
from readproof.readers.exits.deciding import Decision
from readproof.readers.exits.manner import ExitManner
from readproof.readers.exits.tagging import is_words, marks_of
from readproof.readers.windows import spread


def pieces(length: int, manner: ExitManner) -> list[tuple[int, int]]:
    """The pieces of a text that are read by themselves: even, and as few as there may be."""
    return spread(length, manner.max_tokens - 2, 0) if length else []


def answer_of(item: Item, found: Sequence[Decision], manner: ExitManner) -> Answer:
    """The answer of an item whose units stopped so; its exit is that of the one which went highest."""
    modules: Trace = tuple(use for one in found for use in one.modules)
    layer = max((one.layer for one in found), default=None)
    answer = Answer(id=item.id, exit=layer, modules=written(modules))
    if isinstance(item, TagItem):
        # pieces of a text may share a few characters: the later one has the last word
        numbers = np.zeros(len(item.text), dtype=np.int64)
        for (start, end), one in zip(pieces(len(item.text), manner), found, strict=True):
            numbers[start:end] = one.answers
        tags = [manner.labels[number] for number in numbers]
        return replace(answer, marks=marks_of(tags, words=is_words(manner.labels)))
    best = int(found[0].answers[0])
    if isinstance(item, ChoiceItem):
        return replace(answer, choice=best)
    if isinstance(item, LabelItem):
        return replace(answer, label=manner.labels[best])
    raise TypeError(f"{type(item).__name__} is answered by no head")
