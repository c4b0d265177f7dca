"""A whole data file answered: in the task's own prediction format, and never twice what was answered before."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from readproof.errors import InputError
from readproof.files import check_place, digest, writing
from readproof.items import Answer, Item, LabelItem, TagItem, Triple
from readproof.readers.base import Reader, need, questions_of
from readproof.readers.part import add, appending, part_of, read_part
from readproof.tasks import find
from readproof.text import encodable

# how many questions are answered, of how many
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Answered:
    """What was done: the task, how many items and questions, how many of them had been answered before."""

    task: str
    items: int
    questions: int
    resumed: int
    predictions: Path


def answer_file(
    data: str,
    reader: Reader,
    out: Path,
    *,
    limit: int | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Answered:
    """Answer every question of a data file and write the predictions.

    Questions on one passage are answered one after another. Answers go to OUT.part.jsonl as they come, which is
    removed when the predictions are written.
    """
    tell = progress or _silent
    task, path = find(data)
    check_place(out)
    items = list(islice(task.load(path), None if limit is None else min(limit, sys.maxsize)))
    questions = [question for item in items for question in questions_of(item)]
    for question in questions:
        need(reader, question)
    part = part_of(out)
    header = {"task": task.name, "data": digest(path), "reader": reader.name, "weights": reader.fingerprint}
    if fresh:
        part.unlink(missing_ok=True)
    answers, whole = read_part(part, header)
    answers = {number: answer for number, answer in answers.items() if number < len(questions)}
    resumed = len(answers)
    tell(resumed, len(questions))
    with appending(part, header, whole) as file:
        for number in _by_passage(questions):
            if number in answers:
                continue
            answers[number] = reader.answer([questions[number]])[0]
            add(file, number, answers[number])
            tell(len(answers), len(questions))
    given = {answer.id: _safe(answer) for _, answer in sorted(answers.items())}
    _write(task.write_predictions, items, given, out)
    part.unlink()
    return Answered(task.name, len(items), len(questions), resumed, out)


def _silent(_done: int, _total: int) -> None:
    """Nobody asked how far it is."""


def _by_passage(questions: list[Item]) -> list[int]:
    """The questions' numbers, those on one passage together, passages in order of first sight."""
    first: dict[str, int] = {}
    places = [first.setdefault(_passage(question), at) for at, question in enumerate(questions)]
    return sorted(range(len(questions)), key=lambda at: (places[at], at))


def _passage(item: Item) -> str:
    if isinstance(item, LabelItem | TagItem):
        return item.text
    return item.original.passage if isinstance(item, Triple) else item.passage


def _safe(answer: Answer) -> Answer:
    """A lone surrogate, which no UTF-8 file can hold, becomes the replacement character."""
    return replace(answer, text=encodable(answer.text))


def _write(write: Callable[..., None], items: list[Item], answers: dict[str, Answer], out: Path) -> None:
    try:
        with writing(out) as file:
            write(items, answers, file)
    except UnicodeEncodeError as error:
        found = f"a text that UTF-8 cannot hold ({error.object[error.start : error.end]!a})"
        raise InputError(file=out, found=found, expected="data without lone surrogates") from None
