"""A whole data file answered: in the task's own prediction format, and never twice what was answered before."""

from __future__ import annotations

import json
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from readproof.efficiency.predictions import ANSWER_KEYS
from readproof.engine import Engine, choose, shards
from readproof.engine.base import size as shard_size
from readproof.errors import InputError
from readproof.files import check_apart, check_place, digest, writing
from readproof.items import Answer, Item, LabelItem, Mark, TagItem, Triple, without_gold
from readproof.journal import Journal, part_of
from readproof.readers.api import TRIPLES, Reader, StreamingReader, TracksModules, need, questions_of
from readproof.readers.exits.trace import beside, check_model_file, with_modules
from readproof.readers.reader_ref import ReaderRef, check_engine, reader_ref
from readproof.tasks import Task, find
from readproof.tasks.sources import plain_file
from readproof.text import encodable

# Answers as records of a journal: one line per answer, in the order of the questions.


def answers_so_far(journal: Journal) -> Iterator[Answer]:
    """The answers so far, in order; a damaged one is refused."""
    for number, record in enumerate(journal.records()):
        if record.pop("at", None) != number or "id" not in record:
            raise journal.damaged(number, record, "an answer")
        try:
            answer = _answer(record)
        except TypeError:
            raise journal.damaged(number, record, "an answer") from None
        yield answer


def records(number: int, given: Sequence[Answer]) -> list[Mapping[str, Any]]:
    """The records of more answers; the first is to the question of that number."""
    return [{"at": at, **_record(answer)} for at, answer in enumerate(given, start=number)]


def _record(answer: Answer) -> dict[str, Any]:
    record = {one.name: getattr(answer, one.name) for one in fields(Answer) if getattr(answer, one.name) != one.default}
    record["marks"] = [[mark.start, mark.end, mark.type] for mark in answer.marks]
    return record


def _answer(record: dict[str, Any]) -> Answer:
    marks = tuple(Mark(*mark) for mark in record.pop("marks", []))
    scores = tuple(record.pop("scores", []))
    return Answer(**record, marks=marks, scores=scores)


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
    repeated: int = 0  # questions whose id is that of one before: the predictions have one answer for both
    exits: tuple[tuple[int, int], ...] = ()  # of a multi-exit reader: layers, and how many answers stopped after each


def prompts_of(out: Path) -> Path:
    """Where the prompts that led to the predictions are written."""
    return out.with_name(out.name + ".prompts.jsonl")


def answer_file(
    data: str,
    reader: Reader | ReaderRef,
    out: Path,
    *,
    limit: int | None = None,
    engine: str | Engine = "",
    workers: int = 0,
    fresh: bool = False,
    progress: Progress | None = None,
    before: Callable[[Sequence[Sequence[Item]], Reader], None] | None = None,
) -> Answered:
    """Answer every question of a data file and write the predictions.

    Questions are answered in the order of the file, and answers go to OUT.part.jsonl as they come, which is removed
    when the predictions are written; of a task that says so (`streams`) no more than a few items are in memory at a
    time. A reader that streams keeps its answers itself; it is asked for all of them, so that its figures are those of
    the whole job, and the prompts it used go to OUT.prompts.jsonl. Of a multi-exit reader the modules of each answer
    are written too, and the model file that they are counted by. BEFORE is called with what such a reader will be
    asked, or with nothing, before anything is asked.
    """
    tell = progress or _silent
    task, path = find(data)
    check_place(out)
    check_apart(out, plain_file(path))
    place = choose(engine, workers=workers)
    who = reader_ref(reader)
    check_engine(place, who)
    opened = who.open()

    def items() -> Iterator[Item]:
        return islice(task.load(path), None if limit is None else min(limit, sys.maxsize))

    if isinstance(opened, StreamingReader):
        return _answered_at_once(task, _some(list(items()), path), opened, opened, out, tell, before)
    if before is not None:
        before((), opened)
    model = opened.model_file() if isinstance(opened, TracksModules) else ""
    if model:
        check_model_file(model, out)
    count, total, repeats = _counted(items(), opened)
    if not count:
        raise _nothing_in(path)
    exits: Counter[int] = Counter()
    header = {"task": task.name, "data": digest(plain_file(path)), "reader": opened.name, "weights": opened.fingerprint}
    with Journal(part_of(out), header=header, fresh=fresh) as journal:
        for _ in answers_so_far(journal):
            pass  # damage is told before any time is spent
        resumed = min(journal.count, total)
        tell(resumed, total)
        with place.start(Answering(who)) as mapped:
            questions = islice((question for item in items() for question in questions_of(item)), resumed, None)
            done = resumed
            for answers in mapped(shards(questions, shard_size(place, total - resumed))):
                journal.add(records(done, answers))
                done += len(answers)
                tell(done, total)
        if task.streams and not model and not repeats:
            current: dict[str, Answer] = {}
            _write(task.write_predictions, _in_step(items(), answers_so_far(journal), current), current, out)
        else:
            listed = list(items())
            given = {answer.id: _safe(answer) for answer in islice(answers_so_far(journal), total)}
            lines = bool(model) and task.name in ANSWER_KEYS
            # of an id that repeats, the first place and the last answer
            once = list({item.id: item for item in listed}.values()) if task.streams else listed
            _write(with_modules(task.write_predictions) if lines else task.write_predictions, once, given, out)
            if model:
                beside(listed, given, out, task.name, model)
                exits.update(one.exit for one in given.values() if one.exit is not None)
    journal.path.unlink()
    return Answered(task.name, count, total, resumed, out, repeated=repeats, exits=tuple(sorted(exits.items())))


@dataclass(frozen=True, slots=True)
class Answering:
    """The work of answering: a shard is some questions, and comes back as their answers."""

    reader: ReaderRef

    def open(self) -> Callable[[list[Item]], list[Answer]]:
        """What answers, one question at a time: no answer hangs on what else is in the shard."""
        reader = self.reader.open()

        def answered(questions: list[Item]) -> list[Answer]:
            found = {at: reader.answer([without_gold(questions[at])])[0] for at in _by_passage(questions)}
            return [found[at] for at in range(len(questions))]

        return answered

    def names(self, shard: list[Item]) -> list[str]:
        """The ids of the questions."""
        return [question.id for question in shard]


def _some(items: list[Item], path: Path) -> list[Item]:
    if not items:
        raise _nothing_in(path)
    return items


def _nothing_in(path: Path) -> InputError:
    return InputError(file=path, found="no items", expected="questions to answer")


def _counted(items: Iterator[Item], reader: Reader) -> tuple[int, int, int]:
    """How many items and questions there are, all of which the reader can answer, and how many ids come again."""
    whole = TRIPLES in reader.capabilities
    count = total = 0
    marks = array("q")  # eight bytes a question, where the ids themselves would be a hundred
    for item in items:
        count += 1
        for question in questions_of(item):
            total += 1
            marks.append(hash(question.id))
        for asked in (item,) if whole else questions_of(item):
            need(reader, asked)
    marked = np.sort(np.frombuffer(marks, dtype=np.int64))
    return count, total, int((marked[1:] == marked[:-1]).sum())


def _in_step(items: Iterator[Item], answers: Iterator[Answer], current: dict[str, Answer]) -> Iterator[Item]:
    """The items, the answers to the last one given in `current`."""
    for item in items:
        current.clear()
        for question in questions_of(item):
            current[question.id] = _safe(next(answers))
        yield item


def _answered_at_once(
    task: Task,
    items: list[Item],
    reader: Reader,
    streaming: StreamingReader,
    out: Path,
    tell: Progress,
    before: Callable[[Sequence[Sequence[Item]], Reader], None] | None,
) -> Answered:
    """By a reader that works on many questions at a time."""
    questions = [question for item in items for question in questions_of(item)]
    for asked in items if TRIPLES in reader.capabilities else questions:
        need(reader, asked)
    groups = _groups_of(reader, items)
    if before is not None:
        before(groups, reader)
    answers = _streamed(streaming, groups, tell)
    _write(task.write_predictions, items, {answer.id: _safe(answer) for answer in answers}, out)
    _write_prompts(streaming, prompts_of(out))
    repeated = len(questions) - len({question.id for question in questions})
    return Answered(task.name, len(items), len(questions), 0, out, prompts_of(out), repeated)


def _groups_of(reader: Reader, items: list[Item]) -> list[tuple[Item, ...]]:
    """What is asked together: a question alone, a triple where the reader takes only triples."""
    whole = TRIPLES in reader.capabilities
    groups: list[tuple[Item, ...]] = []
    for item in items:
        questions = tuple(map(without_gold, questions_of(item)))
        groups += [questions] if whole else [(question,) for question in questions]
    return groups


def _streamed(reader: StreamingReader, groups: Sequence[Sequence[Item]], tell: Progress) -> list[Answer]:
    """All answers, in order; several questions at a time."""
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


def _write_prompts(reader: StreamingReader, path: Path) -> None:
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


def _write(write: Callable[..., None], items: Iterable[Item], answers: dict[str, Answer], out: Path) -> None:
    try:
        with writing(out) as file:
            write(items, answers, file)
    except UnicodeEncodeError as error:
        found = f"a text that UTF-8 cannot hold ({error.object[error.start : error.end]!a})"
        raise InputError(file=out, found=found, expected="data without lone surrogates") from None
