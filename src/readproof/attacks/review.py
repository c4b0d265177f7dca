"""What people say of variants: is it fluent, and what is true now? They do not see what the attack claims.

As the Gaokao set was made: a first annotator judges, then two checkers judge what the annotator confirmed. A variant is
confirmed when everybody who judged it calls it fluent and its truth comes out as labelled.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Literal

from readproof.attacks.edits import original_text
from readproof.attacks.options.apart import options_of, triples_of
from readproof.attacks.records import read_variants
from readproof.errors import InputError
from readproof.items import ChoiceItem, Edit, SpanItem, Variant
from readproof.jsonstream import records

Holds = Literal["yes", "no", "unsure"]
HOLDS = ("yes", "no", "unsure")
# before the name of a judge that is a language model
MODEL = "model:"
_AROUND = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One person on one variant. `holds`: the gold answer still answers the question and nothing else does; or, of an
    option, the new statement is true of the passage."""

    variant: str
    by: str
    fluent: bool
    holds: Holds
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCard:
    """A variant as a judge sees it: nothing tells the label. `changes` mark the edited places in `text`."""

    id: str
    kind: Literal["span", "choice"]
    text: str
    changes: tuple[tuple[int, int], ...]
    question: str
    before: str
    after: str
    asked: str


def card_of(variant: Variant, *, around: int = _AROUND, most: int = 1000) -> ReviewCard:
    """What to show of a variant: of the passage what stands `around` the first `most` edits and the answer."""
    item = variant.item
    if isinstance(item, SpanItem):
        return _span_card(item, variant, around, most)
    if isinstance(item, ChoiceItem):
        return _choice_card(item, variant)
    raise InputError(found=f"a variant of a {type(item).__name__}", expected="a span question or one with options")


def new_places(edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """Where the edits' new texts stand in the new text."""
    places = []
    shift = 0
    for edit in sorted(edits, key=lambda one: one.start):
        start = edit.start + shift
        places.append((start, start + len(edit.new)))
        shift += len(edit.new) - len(edit.old)
    return places


def truth_of(judgement: Judgement, variant: Variant) -> str:
    """kept or flipped by what a judge said; unsure if the judge was."""
    if judgement.holds == "unsure":
        return "unsure"
    said = judgement.holds == "yes"
    if isinstance(variant.item, ChoiceItem) and variant.item.truths:
        return "kept" if said == _old_truth(variant) else "flipped"
    return "kept" if said else "flipped"


def agrees(judgement: Judgement, variant: Variant) -> bool:
    """Fluent, and the truth as labelled."""
    return judgement.fluent and truth_of(judgement, variant) == variant.truth


def drawn(variants: Sequence[Variant], count: int, seed: int) -> list[Variant]:
    """A sample, the same each time, in random order so that labels do not stand in rows."""
    return Random(f"{seed}|review").sample(list(variants), min(count or len(variants), len(variants)))


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two judges agree, over what both judged."""

    one: str
    other: str
    variants: int
    fluent: float
    holds: float
    kappa_fluent: float | None
    kappa_holds: float | None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """All judgements together: shares by judge, agreement by pair, and what is confirmed."""

    variants: int
    judges: Mapping[str, Mapping[str, float]]
    agreement: tuple[Agreement, ...]
    confirmed: tuple[Variant, ...]


def reviewed(variants: Sequence[Variant], judgements: Iterable[Judgement], adjudicator: str = "") -> Reviewed:
    """What the judgements say of the variants that were judged; where an adjudicator spoke, nobody else counts.

    A model's judgements are told beside those of people, with which they can be compared; they confirm nothing.
    """
    known = {variant.item.id: variant for variant in variants}
    by: defaultdict[str, dict[str, Judgement]] = defaultdict(dict)
    for one in judgements:
        if one.variant in known:
            by[one.by][one.variant] = one
    people = {judge: given for judge, given in by.items() if not judge.startswith(MODEL)}
    seen = {name for given in by.values() for name in given}
    judged = {name for given in people.values() for name in given}
    shares = {}
    for judge, given in by.items():
        count = len(given)
        true = sum(truth_of(one, known[name]) == known[name].truth for name, one in given.items())
        both = sum(agrees(one, known[name]) for name, one in given.items())
        fluent = sum(one.fluent for one in given.values())
        shares[judge] = {"variants": count, "fluent": fluent / count, "true": true / count, "both": both / count}
    confirmed = tuple(
        variant
        for name, variant in known.items()
        if name in judged and all(agrees(given[name], variant) for given in _deciding(people, adjudicator, name))
    )
    pairs = tuple(_agreement(one, other, by[one], by[other]) for one, other in combinations(by, 2))
    return Reviewed(len(seen), shares, pairs, confirmed)


def _deciding(by: Mapping[str, Mapping[str, Judgement]], adjudicator: str, name: str) -> list[Mapping[str, Judgement]]:
    """Whose judgements decide on a variant."""
    if name in by.get(adjudicator, {}):
        return [by[adjudicator]]
    return [given for given in by.values() if name in given]


def kappa(one: Sequence[object], other: Sequence[object]) -> float | None:
    """Cohen's kappa; None where chance alone agrees always."""
    if not one:
        return None
    share = sum(left == right for left, right in zip(one, other, strict=True)) / len(one)
    chance = sum(one.count(value) * other.count(value) for value in set(one)) / len(one) ** 2
    return None if chance >= 1 else (share - chance) / (1 - chance)


def disputed(judgements: Iterable[Judgement], variants: Sequence[Variant]) -> list[Variant]:
    """The variants on which judges disagree, in fluency or in truth: what an adjudicator decides."""
    said: defaultdict[str, dict[str, tuple[bool, str]]] = defaultdict(dict)
    for one in judgements:
        said[one.variant][one.by] = (one.fluent, one.holds)
    return [one for one in variants if len(set(said.get(one.item.id, {}).values())) > 1]


def confirmed_of(path: Path, confirmed: Iterable[Variant]) -> list[Variant]:
    """The variants of a record as it has them: a triple is confirmed where all its options are."""
    return triples_of(read_variants(path), confirmed)


def read_judgements(path: Path) -> Iterator[Judgement]:
    """The judgements of a file; a later one on the same variant by the same judge counts."""
    for place, record in records(path):
        try:
            fields: dict[str, Any] = {name: record[name] for name in ("variant", "by", "fluent", "holds")}
            texts = isinstance(fields["variant"], str) and isinstance(fields["by"], str)
            if not texts or not isinstance(fields["fluent"], bool) or fields["holds"] not in HOLDS:
                raise TypeError
        except (KeyError, TypeError):
            expected = 'a judgement: "variant", "by", "fluent" (true or false), "holds" (yes, no or unsure)'
            raise InputError(file=path, place=place, found="a record that is none", expected=expected) from None
        yield Judgement(**fields, note=str(record.get("note", "")))


def keep(path: Path, judgement: Judgement) -> None:
    """One more judgement, on disk at once; behind a last line without an end, on a line of its own."""
    unended = path.exists() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write(("\n" if unended else "") + json.dumps(asdict(judgement), ensure_ascii=False) + "\n")


def judged_variants(path: Path) -> list[Variant]:
    """The variants of a record, in a form that can be judged: of a triple every option that was changed."""
    known = (part for one in read_variants(path) for part in options_of(one))
    variants = [one for one in known if isinstance(one.item, SpanItem | ChoiceItem)]
    if not variants:
        raise InputError(file=path, found="no variants", expected="OUT.variants.jsonl as `readproof attack` writes it")
    return variants


def _span_card(item: SpanItem, variant: Variant, around: int, most: int) -> ReviewCard:
    edits = [edit for edit in variant.edits if edit.where == "passage"]
    asked = [edit for edit in variant.edits if edit.where == "question"]
    places = new_places(edits)[:most]
    golds = [(gold.start, gold.end) for gold in item.golds[:1] if gold.start is not None and gold.end is not None]
    stand = [(start, end) for start, end in golds if end is not None]
    text, changes = _windowed(item.passage, places, stand, around)
    gold = item.golds[0].text if item.golds else ""
    return ReviewCard(
        id=item.id,
        kind="span",
        text=text,
        changes=changes,
        question=item.question,
        before=original_text(item.question, asked) if asked else "",
        after=gold,
        asked="Is the answer to the question still this one, and only this one?",
    )


def _choice_card(item: ChoiceItem, variant: Variant) -> ReviewCard:
    number = _number(variant)
    edits = [edit for edit in variant.edits if edit.where == f"option {number}"]
    new = item.options[number]
    if item.truths:
        before = f"{original_text(new, edits)} [{'true' if _old_truth(variant) else 'false'}]"
        asked = "Is the new statement true of the passage?"
    else:
        before, asked = original_text(new, edits), "Does the new option say the same as the one before?"
    return ReviewCard(
        id=item.id,
        kind="choice",
        text=item.passage,
        changes=(),
        question=item.question,
        before=before,
        after=new,
        asked=asked,
    )


def _number(variant: Variant) -> int:
    for edit in variant.edits:
        if edit.where.startswith("option "):
            return int(edit.where.removeprefix("option "))
    raise InputError(found=f"{variant.item.id!r} without an edited option", expected="a variant of an option")


def _old_truth(variant: Variant) -> bool:
    item = variant.item
    number = _number(variant)
    if not isinstance(item, ChoiceItem) or number >= len(item.truths):
        raise InputError(found=f"{variant.item.id!r} without truths", expected="options whose truth is known")
    return item.truths[number] == (variant.truth == "kept")


def _windowed(
    text: str, places: list[tuple[int, int]], golds: list[tuple[int, int]], around: int
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """What stands around the edits and the answer; what lies between is left out and shown as […]."""
    wanted = sorted((max(0, start - around), min(len(text), end + around)) for start, end in [*places, *golds])
    runs: list[list[int]] = []
    for start, end in wanted or [(0, min(len(text), 2 * around))]:
        if runs and start <= runs[-1][1]:
            runs[-1][1] = max(runs[-1][1], end)
        else:
            runs.append([start, end])
    shown, changes = "", []
    for start, end in runs:
        shown += "[…]" if start > 0 else ""
        changes += [(one - start + len(shown), two - start + len(shown)) for one, two in places if start <= one < end]
        shown += text[start:end]
    if runs[-1][1] < len(text):
        shown += "[…]"
    return shown, tuple(changes)


def _agreement(one: str, other: str, left: Mapping[str, Judgement], right: Mapping[str, Judgement]) -> Agreement:
    common = sorted(left.keys() & right.keys())
    fluent = [left[name].fluent for name in common], [right[name].fluent for name in common]
    holds = [left[name].holds for name in common], [right[name].holds for name in common]

    def share(pair: tuple[list[Any], list[Any]]) -> float:
        return sum(a == b for a, b in zip(*pair, strict=True)) / len(common) if common else 0.0

    return Agreement(one, other, len(common), share(fluent), share(holds), kappa(*fluent), kappa(*holds))
