"""LogiQA: logic questions in blocks of text: the answer's letter, the text, the question, four options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from readproof.errors import shown
from readproof.files import lines
from readproof.items import LETTERS, ChoiceItem
from readproof.lang.api import detect
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import refuse
from readproof.tasks.layouts import closed
from readproof.tasks.layouts.lines import passage_name, whole_lines
from readproof.tasks.metrics.accuracy import accuracy_metrics

_OPTIONS = 4
_BLOCK = 3 + _OPTIONS
_LETTERS = LETTERS[:_OPTIONS]
# "A." is the rule; the files also have "A．", "A，", "A:", "B。" and "A " alone
_OPTION = re.compile(r"([A-Da-d])(?:\s*[.．,，:：、。]\s*|\s+)(.*)")


def _recognise(peek: Peek) -> bool:
    block = whole_lines(peek)[:_BLOCK]
    return (
        peek.layout == "text"
        and len(block) >= _BLOCK - 1
        and block[0].strip().upper() in tuple(_LETTERS)
        and all(map(_OPTION.match, block[3:]))
    )


def load(path: Path) -> Iterator[ChoiceItem]:
    """Every question, numbered from 0."""
    names: dict[int, str] = {}
    for index, block in enumerate(_blocks(path)):
        (first, letter), (_, text), (_, question) = block[:3]
        answer = _LETTERS.find(letter.strip().upper())
        if answer < 0 or len(letter.strip()) != 1:
            refuse(path, f"line {first}", shown(letter), "the answer's letter: a, b, c or d")
        yield ChoiceItem(
            id=str(index),
            passage=text,
            question=question,
            options=_options(block[3:], path),
            answer=answer,
            language=detect(text),
            passage_id=passage_name(text, names, str(index)),
        )


def _blocks(path: Path) -> Iterator[list[tuple[int, str]]]:
    """Runs of lines between blank ones."""
    block: list[tuple[int, str]] = []
    for number, line in lines(path):
        if line.strip():
            block.append((number, line))
        elif block:
            yield _checked(block, path)
            block = []
    if block:
        yield _checked(block, path)


def _checked(block: list[tuple[int, str]], path: Path) -> list[tuple[int, str]]:
    if len(block) != _BLOCK:
        refuse(
            path,
            f"line {block[0][0]}",
            f"a block of {len(block)} lines",
            f"{_BLOCK}: the answer's letter, the text, the question, four options",
            "Put a blank line between questions and none inside.",
        )
    return block


def _options(block: list[tuple[int, str]], path: Path) -> tuple[str, ...]:
    """The options by their letters: 19 questions of the Chinese test file list them as A, C, B, D."""
    found: dict[str, str] = {}
    for number, line in block:
        match = _OPTION.fullmatch(line)
        if match is None or match[1].upper() in found:
            left = ", ".join(letter for letter in _LETTERS if letter not in found)
            refuse(path, f"line {number}", shown(line), f"an option that starts with its letter ({left}) and a dot")
        found[match[1].upper()] = match[2]
    return tuple(found[letter] for letter in _LETTERS)


TASK = Task(
    name="logiqa",
    title="LogiQA: logic questions of civil service examinations",
    kind="choice",
    languages=("zh", "en"),
    recognise=_recognise,
    load=load,
    read_predictions=closed.read_predictions,
    write_predictions=partial(closed.write_flat, closed.letter_of),
    metrics=accuracy_metrics("logiqa"),
    citation="Liu et al. 2020. LogiQA: A Challenge Dataset for Machine Reading Comprehension with Logical Reasoning. "
    "IJCAI 2020.",
)
