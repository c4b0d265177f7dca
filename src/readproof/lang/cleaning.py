"""The sanitiser with all that is known of languages: what readers and scores take a text to be.

`text.sanitised` knows no language. Here it is given what does: the order of a screen, and the letters of words.
"""

from __future__ import annotations

from functools import lru_cache

from readproof.items import Gold, SpanItem
from readproof.text import Text, sanitised


@lru_cache(maxsize=64)  # the questions on a passage come one after another
def cleaned(raw: str) -> Text:
    """A text without anything invisible, in the order in which it is read, spaces where words want them."""
    from readproof.bidi import in_reading_order

    ordered = in_reading_order(raw)
    return ordered.then(_sanitised) if ordered.edits else _sanitised(raw)


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
