"""Readers made for the purpose: each has one habit that a verdict must find out. All know the gold of the sample."""

from __future__ import annotations

import re
import time
from functools import lru_cache

from readproof.items import ChoiceItem, Item, SpanItem, Triple
from readproof.prove.data import sample_path
from readproof.tasks import load

_SENTENCE = re.compile("[^。！？!?]+[。！？!?]?")


@lru_cache(maxsize=1)
def sample() -> tuple[Item, ...]:
    path = sample_path("zh")
    assert path is not None
    return tuple(load(f"items:{path}"))


@lru_cache(maxsize=1)
def _golds() -> dict[str, str]:
    return {item.question: item.golds[0].text for item in sample() if isinstance(item, SpanItem)}


@lru_cache(maxsize=1)
def _choices() -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    for one in _questions():
        assert one.answer is not None
        found[one.question, *one.options] = one.answer
        found[one.options] = one.answer
    return found


def _questions() -> list[ChoiceItem]:
    return [one for item in sample() if isinstance(item, Triple) for one in item.questions]


@lru_cache(maxsize=1)
def _passages() -> dict[tuple[str, ...], str]:
    return {(one.question, *one.options): one.passage for one in _questions()}


def perfect(passage: str, question: str, options: list[str] | None = None) -> str | int:
    """Right wherever the passage holds the answer; of options wherever it is the passage they are about."""
    if options is not None:
        asked = (question, *options)
        return _choices()[asked] if passage and _passages().get(asked) == passage else 0
    gold = _golds().get(question, "")
    return gold if gold in passage else ""


def slow(passage: str, question: str, options: list[str] | None = None) -> str | int:
    """The perfect one, but it takes its time, so that a kill finds it at work."""
    time.sleep(0.004)
    return perfect(passage, question, options)


def ignores(passage: str, question: str, options: list[str] | None = None) -> str | int:
    """Says what it learnt by heart, whatever the passage."""
    if options is not None:
        return _choices().get((question, *options), _choices().get(tuple(options), 0))
    return _golds().get(question, "")


def last_sentence(passage: str, question: str) -> str:
    """Right, unless the last sentence has most of the question's pairs of characters: then it says that sentence."""
    pieces = _SENTENCE.findall(passage)
    pairs = {question[at : at + 2] for at in range(len(question) - 1)}
    shared = sum(pair in pieces[-1] for pair in pairs) if pieces else 0
    if pairs and shared > len(pairs) / 2:
        return pieces[-1]
    return str(perfect(passage, question))


def stumbles(passage: str, question: str) -> str:
    """Cannot read nothing."""
    if not passage:
        raise ZeroDivisionError
    return str(perfect(passage, question))
