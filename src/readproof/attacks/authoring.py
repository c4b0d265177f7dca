"""Triples that a person writes or mends: what each question begins with, what a text is checked for, what is kept.

A question begins with what the rules make of it, or with its own options where they make nothing. The person changes
texts and says of each option whether it is true; exactly one option of each question must fit its stem.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from readproof.attacks.options.making import cannot_attack, truths_of
from readproof.attacks.options.passage import evidence
from readproof.attacks.options.triples import build
from readproof.attacks.writers.options import refusal
from readproof.errors import InputError
from readproof.items import ChoiceItem, Item, Triple
from readproof.lang.zh.stems import flip_stem, polarity
from readproof.tasks.itemlines import from_record, to_record

FORMS = ("positive", "negative")
# of an option's letter pairs so many must stand in one sentence before that sentence is shown as what it speaks of
_EVIDENT = 0.2


@dataclass(frozen=True, slots=True)
class OptionText:
    """An option as it stands on the page, and whether it is true of the passage."""

    text: str
    truth: bool


@dataclass(frozen=True, slots=True)
class TripleDraft:
    """A question, and what its positive and negative options begin with; `note` says why rules made nothing."""

    item: ChoiceItem
    negative_stem: str
    positive: tuple[OptionText, ...]
    negative: tuple[OptionText, ...]
    note: str = ""


def drafts(items: Iterable[Item], seed: int = 0) -> list[TripleDraft]:
    """What there is to write, in the order of the data: questions that ask for the right or the wrong option."""
    return [draft for item in items if (draft := draft_of(item, seed)) is not None]


def draft_of(item: Item, seed: int = 0) -> TripleDraft | None:
    """The draft of a question, or of a triple that is to be mended."""
    if isinstance(item, Triple):
        known = [truths_of(question) for question in item.questions]
        if not all(known):
            return None
        first = replace(item.original, id=item.id, truths=known[0])
        texts = [_texts(one.options, truths) for one, truths in zip(item.questions, known, strict=True)]
        return TripleDraft(first, item.negative.question, texts[1], texts[2])
    if not isinstance(item, ChoiceItem) or cannot_attack(item) == "the stem asks about wording or technique":
        return None
    stem, truths = flip_stem(item.question), truths_of(item)
    if stem is None or not truths:
        return None
    whole = replace(item, truths=truths)
    made = build(whole, seed)
    if isinstance(made, str):
        own = _texts(item.options, truths)
        return TripleDraft(whole, stem, own, own, made)
    positive, negative = made.triple.positive, made.triple.negative
    return TripleDraft(
        whole, stem, _texts(positive.options, positive.truths), _texts(negative.options, negative.truths)
    )


def remarks(text: str, item: ChoiceItem) -> dict[str, Any]:
    """What is shown beside an option: the sentence it speaks of, and what a check finds odd about it."""
    found = evidence(text, item.passage)
    nearest = max(item.options, key=lambda option: len(set(option) & set(text)))
    odd = "" if text in item.options else refusal(text, nearest, set())
    return {"evidence": found.sentence if found.share >= _EVIDENT else "", "odd": odd}


def problems(draft: TripleDraft, form: str, options: Sequence[OptionText]) -> list[str]:
    """Why the options of a question cannot be kept; nothing where they can."""
    stem = draft.item.question if form == "positive" else draft.negative_stem
    asked = polarity(stem)
    found = []
    if len(options) != len(draft.item.options):
        found.append(f"{len(options)} options where the question has {len(draft.item.options)}")
    if any(not one.text.strip() for one in options):
        found.append("an option is empty")
    if len({one.text.strip() for one in options}) < len(options):
        found.append("two options are the same")
    fitting = sum(one.truth is asked for one in options)
    if fitting != 1:
        found.append(f"{fitting} options fit the stem; one must")
    if form == "positive" and [one.text for one in options] == list(draft.item.options):
        found.append("no option differs from the original")
    return [f"{form}: {one}" for one in found]


def written(draft: TripleDraft, positive: Sequence[OptionText], negative: Sequence[OptionText]) -> Triple:
    """The triple as a person wrote it."""
    item = replace(draft.item, id=f"{draft.item.id}#original")
    return Triple(
        id=draft.item.id,
        original=item,
        positive=_question(item, "positive", draft.item.question, positive),
        negative=_question(item, "negative", draft.negative_stem, negative),
    )


def read_written(path: Path) -> list[Triple]:
    """The triples that were kept; of one that was written twice the later."""
    found: dict[str, Triple] = {}
    if path.exists():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                item = from_record(json.loads(line), path, f"line {number}")
            except ValueError:
                item = None
            if not isinstance(item, Triple):
                raise InputError(
                    file=path, place=f"line {number}", found="no triple", expected="triples as they were kept"
                )
            found[item.id] = item
    return list(found.values())


def keep(path: Path, triple: Triple) -> None:
    """One more triple, on disk at once."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(to_record(triple), ensure_ascii=False) + "\n")


def _texts(options: Sequence[str], truths: Sequence[bool]) -> tuple[OptionText, ...]:
    return tuple(OptionText(text, truth) for text, truth in zip(options, truths, strict=True))


def _question(item: ChoiceItem, form: str, stem: str, options: Sequence[OptionText]) -> ChoiceItem:
    truths = tuple(one.truth for one in options)
    return replace(
        item,
        id=f"{item.id.removesuffix('#original')}#{form}",
        question=stem,
        options=tuple(one.text.strip() for one in options),
        truths=truths,
        answer=truths.index(bool(polarity(stem))),
    )
