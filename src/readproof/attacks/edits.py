"""Edits to an item's texts, with gold answers that follow: every attack on a span item goes through here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from readproof.items import Edit, SpanItem, Truth, Variant
from readproof.tasks.convert import moved
from readproof.text import applied

PASSAGE, QUESTION = "passage", "question"


def option(number: int) -> str:
    """The name of an option's text in an edit."""
    return f"option {number}"


def edited(item: SpanItem, edits: Iterable[Edit], *, id: str) -> SpanItem:
    """The item after edits to its passage and question; golds are cut from the new passage.

    A gold whose place is not known stays as it is: the audit counts those, an attack does not invent a place.
    """
    given = tuple(edits)
    passage = applied(item.passage, _of(given, PASSAGE))
    question = applied(item.question, _of(given, QUESTION))
    golds = tuple(moved(gold, passage) or gold for gold in item.golds)
    return replace(item, id=id, passage=passage.clean, question=question.clean, golds=golds)


def variant(
    item: SpanItem, edits: Sequence[Edit], *, id: str, attack: str, strategy: str = "", truth: Truth = "kept"
) -> Variant:
    """A variant of a span item by edits to its passage and question."""
    new = edited(item, edits, id=id)
    return Variant(item=new, origin=item.id, attack=attack, strategy=strategy, truth=truth, edits=tuple(edits))


def inserted(item: SpanItem, at: int, text: str, *, why: str) -> Edit:
    """A text put into the passage at a place."""
    if not 0 <= at <= len(item.passage):
        raise IndexError(f"place {at} outside a passage of {len(item.passage)} characters")
    return Edit(at, "", text, why, PASSAGE)


def golds_stand(item: SpanItem) -> bool:
    """Whether every gold with a place is the slice of the passage at that place."""
    return all(
        gold.start is None or gold.start < 0 or item.passage.startswith(gold.text, gold.start) for gold in item.golds
    )


def _of(edits: Sequence[Edit], where: str) -> list[Edit]:
    return sorted((edit for edit in edits if edit.where == where), key=lambda edit: (edit.start, edit.end))


def original_text(new: str, edits: Sequence[Edit]) -> str:
    """A text before its edits."""
    pieces = []
    at = shift = 0
    for edit in sorted(edits, key=lambda one: one.start):
        place = edit.start + shift
        pieces.append(new[at:place] + edit.old)
        at = place + len(edit.new)
        shift += len(edit.new) - len(edit.old)
    return "".join(pieces) + new[at:]
