"""The sanitiser with all that is known of languages: what readers and scores take a text to be.

`text.sanitised` knows no language. Here it is given what does: the order of a screen, and the letters of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from readproof.items import Gold, SpanItem
from readproof.text import Gap, Text, sanitised


@lru_cache(maxsize=64)  # the questions on a passage come one after another
def cleaned(raw: str, *, scattered: bool = False) -> Text:
    """A text without anything invisible, in the order in which it is read, spaces where words want them.

    `scattered`: no mark stands for a space, as is known from a longer text that this one belongs to.
    """
    from readproof.bidi import in_reading_order

    step = _without_marks if scattered else _sanitised
    ordered = in_reading_order(raw)
    return ordered.then(step) if ordered.edits else step(raw)


@lru_cache(maxsize=64)
def is_scattered(raw: str) -> bool:
    """Whether invisible marks stand in a text where neither a space nor a non-joiner could, and none for a space."""
    from readproof.lang.spaces import count_scattered, judge

    found: list[bool] = []

    def look(text: str, gaps: Sequence[Gap]) -> list[str]:
        judged = judge(text, gaps)
        found.append(count_scattered(text, gaps) > 1 and " " not in judged)
        return judged

    sanitised(raw, look)
    return any(found)


def clean_golds(item: SpanItem) -> tuple[Gold, ...]:
    """The golds of an item as an answer's text gives them: cut from the clean passage where their place is known."""
    return tuple(_cut(gold, item.passage) for gold in item.golds)


def _cut(gold: Gold, passage: str) -> Gold:
    if gold.start is None or gold.start < 0 or not passage.startswith(gold.text, gold.start):
        return Gold(cleaned(gold.text).clean)
    text = cleaned(passage)
    start, end = text.to_clean(gold.start, gold.start + len(gold.text))
    return Gold(text.clean[start:end], start)


def _sanitised(raw: str) -> Text:
    from readproof.lang.spaces import judge

    return sanitised(raw, judge)


def _without_marks(raw: str) -> Text:
    from readproof.lang.spaces import judge_scattered

    return sanitised(raw, judge_scattered)
