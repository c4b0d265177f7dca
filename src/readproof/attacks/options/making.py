"""Variants of a question with options: one option changed in each, its truth and the question's answer kept in step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from readproof.attacks.base import Made, random_for, skipped, variant_id
from readproof.attacks.edits import option as place_of
from readproof.attacks.options.change import Rewrite, fluent
from readproof.items import ChoiceItem, Item, Variant
from readproof.lang.zh.stems import asks_truth, polarity

Truths = Literal["kept", "flipped", "both"]
Ways = Callable[[str, str, bool | None], list[Rewrite]]

# a way that is always there must not crowd out the others
_LAST = {"keyword/denial": 8, "keyword/synonym": 2}

# an option of fewer characters says too little to be turned
SHORTEST = 8


def made(item: Item, name: str, ways: Ways, *, truth: Truths, limit: float, seed: int, count: int) -> Made:
    """At most `count` variants of a question by the ways of one strategy."""
    if not isinstance(item, ChoiceItem):
        return skipped("not a question with options")
    if item.language != "zh":
        return skipped("not Chinese")
    truths = truths_of(item)
    long = [number for number, option in enumerate(item.options) if len(option) >= SHORTEST]
    if not long:
        return skipped("options too short")
    found = [
        (number, rewrite)
        for number in long
        for rewrite in ways(item.options[number], item.passage, truths[number] if truths else None)
        if truth in ("both", rewrite.truth)
    ]
    if not found:
        return skipped("nothing to turn" if truths else "nothing to turn, truth of the options not known")
    random = random_for(seed, name, item.id)
    found = by_turns(found, random.random)
    variants: list[Variant] = []
    rejected: Counter[str] = Counter()
    for number, rewrite in found:
        if len(variants) == count:
            break
        if fluent(item.options[number], rewrite, limit):
            variants.append(_variant(item, truths, number, rewrite, name, len(variants)))
        else:
            rejected["not fluent"] += 1
    if not variants:
        return skipped("nothing fluent", dict(rejected))
    return Made(variants=tuple(variants), rejected=dict(rejected))


def truths_of(item: ChoiceItem) -> tuple[bool, ...]:
    """The truth of each option: as the data say, or by the answer where the stem asks for the one right or wrong."""
    if item.truths:
        return item.truths
    asked = polarity(item.question)
    if item.answer is None or asked is None or not asks_truth(item.question):
        return ()
    return tuple((number == item.answer) is asked for number in range(len(item.options)))


def answer_of(question: str, truths: tuple[bool, ...]) -> int | None:
    """The one option that fits the stem; None where none or several do."""
    asked = polarity(question)
    fitting = [number for number, truth in enumerate(truths) if truth is asked]
    return fitting[0] if asked is not None and len(fitting) == 1 else None


def by_turns(found: list[tuple[int, Rewrite]], chance: Callable[[], float]) -> list[tuple[int, Rewrite]]:
    """In an order that gives each option, truth and way of the strategy its turn, so that synonyms do not take all."""
    sizes = Counter((number, rewrite.truth, rewrite.strategy) for number, rewrite in found)
    keyed = [
        (chance() ** (sizes[number, rewrite.truth, rewrite.strategy] * _LAST.get(rewrite.strategy, 1)), number, rewrite)
        for number, rewrite in found
    ]
    return [(number, rewrite) for _, number, rewrite in sorted(keyed, key=lambda entry: -entry[0])]


def _variant(
    item: ChoiceItem, truths: tuple[bool, ...], number: int, rewrite: Rewrite, name: str, index: int
) -> Variant:
    new_truths = tuple(
        (not truth if rewrite.truth == "flipped" else truth) if at == number else truth
        for at, truth in enumerate(truths)
    )
    options = tuple(rewrite.of(text) if at == number else text for at, text in enumerate(item.options))
    answer = item.answer if rewrite.truth == "kept" else answer_of(item.question, new_truths)
    new = replace(
        item,
        id=variant_id(item.id, name, index),
        options=options,
        truths=new_truths if item.truths else (),
        answer=answer,
    )
    edits = tuple(replace(edit, where=place_of(number)) for edit in rewrite.edits)
    return Variant(item=new, origin=item.id, attack=name, strategy=rewrite.strategy, truth=rewrite.truth, edits=edits)
