"""A whole data file answered: in the task's own prediction format, and never twice what was answered before."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from readproof.efficiency.predictions import ANSWER_KEYS
from readproof.errors import InputError
from readproof.files import check_place, digest, writing
from readproof.items import Answer, Item, LabelItem, TagItem, Triple
from readproof.readers.base import TRIPLES, Reader, Streams, Traces, need, questions_of
from readproof.readers.exits.predictions import beside, check_model_file, with_modules
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
    prompts: Path | None = None


def prompts_of(out: Path) -> Path:
    """Where the prompts that led to the predictions are written."""
    return out.with_name(out.name + ".prompts.jsonl")


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
    removed when the predictions are written. A reader that streams keeps its answers itself; it is asked for all of
    them, so that its figures are those of the whole job, and the prompts it used go to OUT.prompts.jsonl. Of a
    multi-exit reader the modules of each answer are written too, and the model file that they are counted by.
    """
    tell = progress or _silent
    task, path = find(data)
    check_place(out)
    items = list(islice(task.load(path), None if limit is None else min(limit, sys.maxsize)))
    questions = [question for item in items for question in questions_of(item)]
    for asked in items if TRIPLES in reader.capabilities else questions:
        need(reader, asked)
    if isinstance(reader, Streams):
        answers = _streamed(reader, items, tell)
        _write(task.write_predictions, items, {answer.id: _safe(answer) for answer in answers}, out)
        _write_prompts(reader, prompts_of(out))
        return Answered(task.name, len(items), len(questions), 0, out, prompts_of(out))
    model = reader.model_file() if isinstance(reader, Traces) else ""
    if model:
        check_model_file(model, out)
    part = part_of(out)
    header = {"task": task.name, "data": digest(path), "reader": reader.name, "weights": reader.fingerprint}
    if fresh:
        part.unlink(missing_ok=True)
    found, whole = read_part(part, header)
    answered = {number: answer for number, answer in found.items() if number < len(questions)}
    resumed = len(answered)
    tell(resumed, len(questions))
    with appending(part, header, whole) as file:
        for number in _by_passage(questions):
            if number in answered:
                continue
            answered[number] = reader.answer([questions[number]])[0]
            add(file, number, answered[number])
            tell(len(answered), len(questions))
    given = {answer.id: _safe(answer) for _, answer in sorted(answered.items())}
    lines = bool(model) and task.name in ANSWER_KEYS
    _write(with_modules(task.write_predictions) if lines else task.write_predictions, items, given, out)
    if model:
        beside(items, given, out, task.name, model)
    part.unlink()
    return Answered(task.name, len(items), len(questions), resumed, out)


def _streamed(reader: Streams, items: list[Item], tell: Progress) -> list[Answer]:
    """All answers, in order; several questions at a time, a triple as one where the reader takes only triples."""
    whole = TRIPLES in reader.capabilities
    groups: list[tuple[Item, ...]] = []
    for item in items:
        groups += [questions_of(item)] if whole else [(question,) for question in questions_of(item)]
    total = sum(map(len, groups))
    found: dict[int, list[Answer]] = {}
    done = 0
    tell(0, total)
    with closing(reader.stream(groups)) as stream:
        for at, answers in stream:
            found[at] = answers
            done += len(answers)
            tell(done, total)
    return [answer for _, answers in sorted(found.items()) for answer in answers]


def _write_prompts(reader: Streams, path: Path) -> None:
    with writing(path) as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in reader.prompts())


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
