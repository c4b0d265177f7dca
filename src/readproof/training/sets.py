"""Data sets for training, by name, out of files the tasks can read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

from tokenizers import Tokenizer

from readproof.items import Gold, SpanItem
from readproof.readers.tokens import TokenizedQuestion, encode
from readproof.readers.vocabulary import CLS, SEP, special_row
from readproof.tasks import load
from readproof.tasks.convert import moved
from readproof.tasks.overlap import SHARED, shingles
from readproof.text import Text
from readproof.training.measure import EvalSet
from readproof.training.windows import Windows, bert_frame, cut


def span_items(data: str | Path) -> list[SpanItem]:
    """The span items of a file; those the data calls impossible have no golds."""
    items = (item for item in load(data) if isinstance(item, SpanItem))
    return [replace(item, golds=()) if item.impossible else item for item in items]


def answerable(items: Iterable[SpanItem]) -> list[SpanItem]:
    """The items with at least one gold that stands in the passage."""
    return [item for item in items if any(map(placed, item.golds))]


def converted(item: SpanItem, passage: Text, question: str) -> SpanItem:
    """An item over a changed passage: golds move along, and are cut from the new passage."""
    golds = tuple(found for gold in item.golds if placed(gold) and (found := moved(gold, passage)))
    return replace(item, passage=passage.clean, question=question, golds=golds)


def prepare(items: list[SpanItem], tokenizer: Tokenizer, *, max_tokens: int = 512, overlap: int = 128) -> EvalSet:
    """Items as tokens and windows."""
    questions = encode(items, tokenizer)
    return EvalSet(questions, windows_of(questions, tokenizer, max_tokens=max_tokens, overlap=overlap))


def windows_of(questions: list[TokenizedQuestion], tokenizer: Tokenizer, *, max_tokens: int, overlap: int) -> Windows:
    """The windows of questions, with the special tokens of the tokenizer's vocabulary."""
    cls, sep = (special_row(tokenizer, token) for token in (CLS, SEP))
    if cls is None or sep is None:
        raise ValueError(f"the vocabulary has no {CLS} or {SEP}")
    return cut(questions, bert_frame(cls, sep), max_tokens=max_tokens, overlap=overlap)


def is_held(passage: str, share: float) -> bool:
    """Whether a passage is held out: by itself alone, so that it is so in every run and file."""
    return Random(f"held out|{passage}").random() < share


def placed(gold: Gold) -> bool:
    """Whether a gold says where it stands."""
    return bool(gold.text) and gold.start is not None and gold.start >= 0


# Passages kept apart: none is trained on that shares much with what is measured or chosen by.


def apart(items: list[SpanItem], seen: set[int]) -> list[SpanItem]:
    """The items whose passage has at most 30 % of its 25-character pieces in `seen`."""
    shares = {}
    for passage in {item.passage for item in items}:
        found = shingles(passage)
        shares[passage] = len(found & seen) / len(found) if found else 0.0
    return [item for item in items if shares[item.passage] <= SHARED]
