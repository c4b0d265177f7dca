"""The questions of a phase, item by item: clean ones, probes, what an attack makes, what a search finds."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from readproof.attacks.base import Attack, Found, Made, SearchAttack
from readproof.engine import shards
from readproof.errors import ReadproofError
from readproof.items import ChoiceItem, Edit, Item, SpanItem, Triple, Variant
from readproof.prove.asking import Watched
from readproof.prove.model import CLEAN, PROBE
from readproof.prove.plan import Phase
from readproof.prove.probes import probe
from readproof.prove.questions import Group, Question, Single, Skipped, grouped, single
from readproof.readers.base import Streams
from readproof.readers.callable import FunctionReader

# items that a search has in hand at a time: many only for a reader that gains by it
_MANY = 16
_NO_ANSWER = "no single answer left"


def plain_groups(phase: Phase, items: Sequence[Item], *, done: int, seed: int) -> Iterator[Group] | None:
    """The clean questions or a probe of each item but the first `done`; None for an attack, which has to be made."""
    numbers = phase.numbers[done:]
    if phase.name == CLEAN:
        asked = ((at, single(items[at])) for at in numbers)
        return (grouped([Question(at=at, attack=CLEAN, item=item, origin=item.id)]) for at, item in asked)
    if phase.name.startswith(PROBE):
        return _probed(phase.name.removeprefix(PROBE), items, numbers, seed)
    return None


def attacked_groups(
    phase: Phase, items: Sequence[tuple[int, Item]], *, seed: int, reader: Watched | None
) -> Iterator[Group]:
    """What an attack makes of each of some items, which come with their numbers."""
    if phase.facts is not None and phase.facts.searched and reader is not None:
        yield from _searched(phase, items, seed, reader)
    else:
        for at, item in items:
            yield _attacked(phase, at, item, seed)


def _probed(name: str, items: Sequence[Item], numbers: Sequence[int], seed: int) -> Iterator[Group]:
    others = [single(item) for item in items]
    for at in numbers:
        question = probe(name, at, others[at], others, seed)
        if question is None:
            yield (Skipped(at=at, attack=f"{PROBE}{name}", origin=others[at].id, reason="says nothing of this item"),)
        else:
            yield grouped([question])


def _attacked(phase: Phase, at: int, item: Item, seed: int) -> Group:
    """What an attack makes of one item. One bad item must not end a run over thousands."""
    if isinstance(item, Triple) and phase.name == "triples":
        return grouped(_forms(item, at))
    attack, asked = phase.attack, single(item)
    if not isinstance(attack, Attack) or phase.facts is None:
        raise TypeError(f"{phase.name} needs a reader")
    try:
        made = attack.make(asked, seed=seed, count=phase.facts.count)
    except ReadproofError:
        raise
    except Exception as error:
        return _fault(phase.name, at, asked, error)
    return _group(phase.name, at, asked, made, {})


def _searched(phase: Phase, items: Sequence[tuple[int, Item]], seed: int, reader: Watched) -> Iterator[Group]:
    attack, facts = phase.attack, phase.facts
    if not isinstance(attack, SearchAttack) or facts is None:
        raise TypeError(f"{phase.name} does not search")
    size = _MANY if isinstance(reader.reader, Streams) else 1
    for part in shards(items, size):
        spans = [item for _, item in part if isinstance(item, SpanItem)]
        try:
            found = list(attack.search(spans, reader, seed=seed, budget=facts.budget))
        except Exception as error:
            if isinstance(error, OSError | MemoryError):
                raise
            if isinstance(error, ReadproofError) and not isinstance(reader.reader, FunctionReader):
                raise
            for at, given in part:
                yield _fault(phase.name, at, single(given), error)
            continue
        for (at, _), item, one in zip(part, spans, found, strict=True):
            yield _group(phase.name, at, item, one.made, _search(one))


def _search(found: Found) -> dict[str, Any]:
    return {"queries": found.queries, "clean": round(found.clean, 6), "attacked": round(found.attacked, 6)}


def _fault(attack: str, at: int, item: Single, error: Exception) -> Group:
    """A fault of ours, or of the user's function, counted and shown by its kind."""
    if os.environ.get("READPROOF_DEBUG"):
        raise error
    cause = error.__cause__ if isinstance(error, ReadproofError) and error.__cause__ else error
    return (Skipped(at=at, attack=attack, origin=item.id, reason=f"fault: {type(cause).__name__}"),)


def _group(attack: str, at: int, item: Single, made: Made, search: dict[str, Any]) -> Group:
    questions: list[Question] = []
    for variant in made.variants:
        for one in _questions(variant):
            if isinstance(one.item, SpanItem) or (isinstance(one.item, ChoiceItem) and one.item.answer is not None):
                questions.append(
                    Question(
                        at=at,
                        attack=attack,
                        item=one.item,
                        origin=item.id,
                        strategy=one.strategy,
                        truth=one.truth,
                        edits=one.edits,
                        search=search,
                    )
                )
    if questions:
        return grouped(questions, made.rejected)
    reason = made.skipped or (_NO_ANSWER if made.variants else "no variant passed the checks")
    return (Skipped(at=at, attack=attack, origin=item.id, reason=reason, rejected=made.rejected),)


def _questions(variant: Variant) -> list[Variant]:
    """A variant as single questions: a triple is its positive and its negative one."""
    if not isinstance(variant.item, Triple):
        return [variant]
    positive, negative = variant.item.positive, variant.item.negative
    return [
        replace(variant, item=positive, truth="kept", strategy="positive", edits=_edits(variant, "positive ")),
        replace(variant, item=negative, truth="flipped", strategy="negative", edits=_edits(variant, "negative ")),
    ]


def _edits(variant: Variant, form: str) -> tuple[Edit, ...]:
    return tuple(
        replace(edit, where=edit.where.removeprefix(form)) for edit in variant.edits if edit.where.startswith(form)
    )


def _forms(item: Triple, at: int) -> list[Question]:
    """The positive and the negative question that the data themselves bring."""
    forms = (("positive", "kept", item.positive), ("negative", "flipped", item.negative))
    return [
        Question(at=at, attack="triples", item=form, origin=item.original.id, strategy=name, truth=truth)
        for name, truth, form in forms
    ]
