"""The questions that a run puts to a reader, as the lines of variants.jsonl: clean ones, probes, variants of attacks.

A line also tells of an item that an attack could do nothing with. All lines of one item and attack stand together and
count themselves (`number`, `of`), so that a file that was cut short shows which item was in hand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from readproof.attacks.records import from_line, to_line
from readproof.errors import InputError
from readproof.items import ChoiceItem, Edit, Item, SpanItem, Triple, Variant
from readproof.lang.cleaning import clean_golds
from readproof.lang.cleaning import cleaned as clean_text
from readproof.prove.model import CLEAN, PROBE, PartName
from readproof.tasks.convert import mapped

# what can be put to a reader by itself
Single = SpanItem | ChoiceItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question put to the reader, made of the item number `at` of the run.

    `search` tells of a search how many queries it took and how far it got.
    """

    at: int
    attack: str
    item: Single
    origin: str
    number: int = 0
    of: int = 1
    strategy: str = ""
    truth: str = "kept"
    edits: tuple[Edit, ...] = ()
    search: Mapping[str, Any] = field(default_factory=dict)
    rejected: Mapping[str, int] = field(default_factory=dict)

    @property
    def attacked(self) -> bool:
        """Whether an attack made it: it is neither clean nor a probe."""
        return self.attack != CLEAN and not self.attack.startswith(PROBE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An item of which an attack could make nothing."""

    at: int
    attack: str
    origin: str
    reason: str
    rejected: Mapping[str, int] = field(default_factory=dict)


# what became of one item under one attack
Group = tuple[Question, ...] | tuple[Skipped]


def part_of(item: Item) -> PartName:
    """The part of a run that an item belongs to."""
    return "spans" if isinstance(item, SpanItem) else "options"


def single(item: Item) -> Single:
    """The item as one question: of a triple the original one."""
    if isinstance(item, Triple):
        return item.original
    if isinstance(item, SpanItem | ChoiceItem):
        return item
    raise TypeError(type(item).__name__)


def grouped(questions: list[Question], rejected: Mapping[str, int] | None = None) -> tuple[Question, ...]:
    """The questions of one item and attack, numbered; what checks refused stands with the first."""
    count = len(questions)
    return tuple(
        replace(one, number=number, of=count, rejected=(rejected or {}) if number == 0 else {})
        for number, one in enumerate(questions)
    )


def question_line(question: Question | Skipped) -> dict[str, Any]:
    """A line of variants.jsonl."""
    head = {"at": question.at, "attack": question.attack, "origin": question.origin}
    rejected = {"rejected": dict(question.rejected)} if question.rejected else {}
    if isinstance(question, Skipped):
        return head | {"skipped": question.reason} | rejected
    variant = Variant(
        item=question.item,
        origin=question.origin,
        attack=question.attack,
        strategy=question.strategy,
        truth="flipped" if question.truth == "flipped" else "kept",
        edits=question.edits,
    )
    search = {"search": dict(question.search)} if question.search else {}
    counted = {"number": question.number, "of": question.of}
    return head | counted | to_line(variant) | search | rejected


def question_of(line: Any, path: Path, place: str) -> Question | Skipped:
    """What a line of variants.jsonl tells."""
    try:
        at, attack, origin = int(line["at"]), str(line["attack"]), str(line["origin"])
        rejected = dict(line.get("rejected", {}))
        if "skipped" in line:
            return Skipped(at=at, attack=attack, origin=origin, reason=str(line["skipped"]), rejected=rejected)
        number, of, search = int(line["number"]), int(line["of"]), dict(line.get("search", {}))
    except (KeyError, TypeError, ValueError, AttributeError):
        expected = "a question of a run: at, attack, origin, number, of, item"
        raise InputError(file=path, place=place, found="a line that is none", expected=expected) from None
    variant = from_line(line, path, place)
    if not isinstance(variant.item, SpanItem | ChoiceItem):
        raise InputError(file=path, place=place, found=type(variant.item).__name__, expected="one question")
    return Question(
        at=at,
        attack=attack,
        origin=origin,
        item=variant.item,
        number=number,
        of=of,
        strategy=variant.strategy,
        truth=variant.truth,
        edits=variant.edits,
        search=search,
        rejected=rejected,
    )


def text_key(item: Single) -> bytes:
    """Two questions with the same key read the same."""
    options = list(item.options) if isinstance(item, ChoiceItem) else None
    texts = [item.language, item.title, item.passage, item.question, options]
    return hashlib.sha256(json.dumps(texts).encode("ascii")).digest()


def answer_key(item: Single) -> bytes:
    """Two questions with the same key read the same and want the same answer, so that one answer serves both."""
    wanted = (
        [item.answer] if isinstance(item, ChoiceItem) else [item.impossible, *(gold.text for gold in clean_golds(item))]
    )
    return text_key(item) + hashlib.sha256(json.dumps(wanted).encode("ascii")).digest()


def cleaned(item: Single) -> Single | None:
    """The item with all its texts sanitised and its golds in place; None where that changes nothing."""
    new = single(mapped(item, clean_text))
    return None if text_key(new) == text_key(item) else new
