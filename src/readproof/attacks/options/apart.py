"""Triples taken apart into the options that were changed: what is counted, reviewed and confirmed one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from readproof.attacks.edits import option as place_of
from readproof.attacks.edits import original_text
from readproof.items import ChoiceItem, Triple, Truth, Variant


def options_of(variant: Variant) -> Iterator[Variant]:
    """A triple as one variant for each option that was changed; any other variant as it is.

    The id tells which: "7#positive-2" is the third option of the positive question.
    """
    triple = variant.item
    if not isinstance(triple, Triple):
        yield variant
        return
    for form, question in (("positive", triple.positive), ("negative", triple.negative)):
        for place in range(len(question.options)):
            edits = [edit for edit in variant.edits if edit.where == f"{form} {place_of(place)}"]
            if edits and question.truths:
                before = original_text(question.options[place], edits)
                yield Variant(
                    item=replace(question, id=f"{question.id}-{place}"),
                    origin=variant.origin,
                    attack=variant.attack,
                    strategy=edits[0].why,
                    truth=_truth(triple.original, before, question.truths[place]),
                    edits=tuple(replace(edit, where=place_of(place)) for edit in edits),
                )


def triples_of(variants: Iterable[Variant], confirmed: Iterable[Variant]) -> list[Variant]:
    """The variants of which all that was taken apart is confirmed."""
    names = {one.item.id for one in confirmed}
    return [one for one in variants if all(part.item.id in names for part in options_of(one))]


def strategies_of(variant: Variant) -> Iterator[tuple[str, str]]:
    """The strategy and the truth of each option that a variant changed; nothing where an attack has none."""
    for one in options_of(variant):
        if one.strategy:
            yield one.strategy.partition("/")[0], one.truth


def _truth(original: ChoiceItem, before: str, now: bool) -> Truth:
    """What became of the truth that an option of the original question had."""
    return "kept" if original.truths[original.options.index(before)] is now else "flipped"
