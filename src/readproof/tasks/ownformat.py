"""Items in the very format they were read from, so that whatever reads the original file reads the new one too.

What an item does not hold (crawl dates, court case numbers, annotators' notes) is not written again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

from readproof.errors import InputError
from readproof.items import ChoiceItem, Item, SpanItem, Triple, letter
from readproof.tasks.base import Task
from readproof.tasks.choices import write_like
from readproof.tasks.convert import WRITERS, Write, squad_record, write_list
from readproof.tasks.layouts.squad import is_original, is_row
from readproof.tasks.squad import first_question


def own_writer(task: Task, path: Path) -> Write:
    """What writes a data file of this task in the layout of this file."""
    from readproof.tasks import peek

    if task.name in _OWN:
        return _OWN[task.name]
    if task.name == "choices":
        return partial(write_like, path)
    if task.kind == "span" and task.name != "items":
        first = peek(path)[0].first
        if "is_impossible" in first_question(first) and not is_row(first):
            return _write_squad2
        return WRITERS["cmrc" if is_original(first) else "rows" if is_row(first) else "squad"]
    return WRITERS["items"]


def _write_squad2(items: Iterable[Item], file: TextIO) -> int:
    """SQuAD 2.0's layout: every question says whether it has an answer."""
    made = (squad_record(questions, flagged=True) for questions in _spans_by_passage(items))
    return write_list(made, file, '{"version": "readproof", "data": [', "]}")


def _write_cjrc(items: Iterable[Item], file: TextIO) -> int:
    def record(questions: list[SpanItem]) -> dict[str, Any]:
        made = squad_record(questions)
        made["paragraphs"][0]["caseid"] = made["caseid"] = questions[0].id
        return made

    return write_list(map(record, _spans_by_passage(items)), file, '{"version": "readproof", "data": [', "]}")


def _write_persianqa(items: Iterable[Item], file: TextIO) -> int:
    """SQuAD's layout, each answer with its end."""

    def record(questions: list[SpanItem]) -> dict[str, Any]:
        made = squad_record(questions)
        for question in made["paragraphs"][0]["qas"]:
            for answer in question["answers"]:
                answer["answer_end"] = answer["answer_start"] + len(answer["text"])
            question["is_impossible"] = not question["answers"]
        return made

    return write_list(map(record, _spans_by_passage(items)), file, '{"data": [', "]}")


def _write_parsinlu(items: Iterable[Item], file: TextIO) -> int:
    """JSON lines; the published ones have no ids, ours do."""
    return _lines(
        (
            {
                "id": item.id,
                "question": item.question,
                "passage": item.passage,
                "answers": [[-1 if gold.start is None else gold.start, gold.text] for gold in item.golds],
            }
            for item in map(_span, items)
        ),
        file,
    )


def _write_vgaokao(items: Iterable[Item], file: TextIO) -> int:
    def record(item: ChoiceItem) -> dict[str, Any]:
        # the loader puts the passage's id before the question's
        own = item.id.removeprefix(f"{item.passage_id}-")
        question: dict[str, Any] = {"qid": own, "question": item.question, "options": list(item.options)}
        question |= {"answer": item.letter} if item.answer is not None else {}
        question |= {"correctness": [int(truth) for truth in item.truths]} if item.truths else {}
        return {"cid": item.passage_id or item.id, "context": item.passage, "qas": [question]}

    return _list(map(record, map(_choice, items)), file)


def _write_gaokao(items: Iterable[Item], file: TextIO) -> int:
    def record(item: ChoiceItem) -> dict[str, Any]:
        made: dict[str, Any] = {"id": item.id, "title": item.title, "passage": item.passage.split("\n")}
        made |= {"question": item.question, "opt": list(item.options)}
        return made | ({"answer": item.letter} if item.answer is not None else {})

    return _list(map(record, map(_choice, items)), file)


def _write_c3(items: Iterable[Item], file: TextIO) -> int:
    def record(item: ChoiceItem) -> list[Any]:
        question: dict[str, Any] = {"id": item.id, "question": item.question, "choice": list(item.options)}
        question |= {"answer": item.options[item.answer]} if item.answer is not None else {}
        return [item.passage.split("\n"), [question], item.id]

    return _list(map(record, map(_choice, items)), file)


def _write_logiqa(items: Iterable[Item], file: TextIO) -> int:
    count = 0
    for item in map(_choice, items):
        if item.answer is None or len(item.options) != 4:
            found = (
                f"{item.id!r} with {len(item.options)} options and {'an' if item.answer is not None else 'no'} answer"
            )
            raise InputError(found=found, expected="four options and an answer, as LogiQA's format needs")
        lines = [letter(item.answer).lower(), item.passage, item.question]
        lines += [f"{letter(number)}.{option}" for number, option in enumerate(item.options)]
        file.write("\n" + "\n".join(line.replace("\n", " ") for line in lines) + "\n")
        count += 1
    return count


_OWN: dict[str, Callable[[Iterable[Item], TextIO], int]] = {
    "gcrc": WRITERS["gcrc"],
    "cjrc": _write_cjrc,
    "persianqa": _write_persianqa,
    "parsinlu": _write_parsinlu,
    "vgaokao": _write_vgaokao,
    "gaokao": _write_gaokao,
    "c3": _write_c3,
    "logiqa": _write_logiqa,
}


def _spans_by_passage(items: Iterable[Item]) -> Iterable[list[SpanItem]]:
    return (list(group) for _, group in groupby(map(_span, items), key=lambda item: item.passage))


def _span(item: Item) -> SpanItem:
    if not isinstance(item, SpanItem):
        raise InputError(found=f"a {type(item).__name__} ({item.id})", expected="span items in this format")
    return item


def _choice(item: Item) -> ChoiceItem:
    if isinstance(item, ChoiceItem):
        return item
    if isinstance(item, Triple):
        raise InputError(found=f"the triple {item.id!r}", expected="questions with options", do="Write it as gcrc.")
    raise InputError(found=f"a {type(item).__name__} ({item.id})", expected="questions with options in this format")


def _lines(records: Iterable[Any], file: TextIO) -> int:
    count = 0
    for record in records:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
        count += 1
    return count


def _list(records: Iterable[Any], file: TextIO) -> int:
    """A JSON list, record by record."""
    count = 0
    file.write("[")
    for count, record in enumerate(records, start=1):
        file.write((",\n" if count > 1 else "\n") + json.dumps(record, ensure_ascii=False))
    file.write("\n]\n")
    return count
