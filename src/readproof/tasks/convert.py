"""Writing items in a public layout: SQuAD's, CMRC's original one, flat rows, GCRC triples, or our own lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any, TextIO

from readproof.errors import InputError
from readproof.items import ChoiceItem, Gold, Item, SpanItem, Triple
from readproof.tasks.gcrc import write_data
from readproof.tasks.itemlines import write_items
from readproof.text import Text

Write = Callable[[Iterable[Item], TextIO], int]
Step = Callable[[str], Text]


def write_squad(items: Iterable[Item], file: TextIO) -> int:
    """SQuAD's nested layout, a passage a paragraph."""
    return write_list(map(squad_record, _by_passage(items, "squad")), file, '{"version": "readproof", "data": [', "]}")


def write_cmrc(items: Iterable[Item], file: TextIO) -> int:
    """CMRC's original list, answers without offsets."""
    return write_list(map(_cmrc_record, _by_passage(items, "cmrc")), file, "[", "]")


def write_rows(items: Iterable[Item], file: TextIO) -> int:
    """One question a line, `answers` as parallel lists, as Hugging Face writes it."""
    count = 0
    for item in items:
        row = _row(_span(item, "rows"))
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
        count += 1
    return count


def write_gcrc(items: Iterable[Item], file: TextIO) -> int:
    """The GCRC_advRobust layout with gold letters."""
    return write_data([item for item in items if _is_choice(item)], file)


WRITERS: dict[str, Write] = {
    "squad": write_squad,
    "cmrc": write_cmrc,
    "rows": write_rows,
    "gcrc": write_gcrc,
    "items": write_items,
}


def mapped(item: Item, step: Step) -> Item:
    """A span or option item with its texts after a cleaning or converting step, gold offsets moved along."""
    if isinstance(item, SpanItem):
        text = step(item.passage)
        golds = tuple(moved(gold, text) or Gold(step(gold.text).clean) for gold in item.golds)
        return replace(
            item, passage=text.clean, question=step(item.question).clean, title=step(item.title).clean, golds=golds
        )
    if isinstance(item, ChoiceItem):
        return _mapped_choice(item, step)
    if isinstance(item, Triple):
        original, positive, negative = (_mapped_choice(question, step) for question in item.questions)
        return replace(item, original=original, positive=positive, negative=negative)
    raise InputError(
        found=f"a {type(item).__name__}", expected="span or option items for --script, --width or --sanitise"
    )


def _mapped_choice(item: ChoiceItem, step: Step) -> ChoiceItem:
    return replace(
        item,
        passage=step(item.passage).clean,
        question=step(item.question).clean,
        title=step(item.title).clean,
        options=tuple(step(option).clean for option in item.options),
    )


def moved(gold: Gold, text: Text) -> Gold | None:
    """A gold of the raw passage cut from the changed one; None where it does not stand in the passage."""
    if gold.start is None or gold.start < 0 or not text.raw.startswith(gold.text, gold.start):
        return None
    start, end = text.to_clean(gold.start, gold.start + len(gold.text))
    return Gold(text.clean[start:end], start)


def _span(item: Item, layout: str) -> SpanItem:
    if not isinstance(item, SpanItem):
        raise InputError(
            found=f"a {type(item).__name__} ({item.id})",
            expected=f"span items for the layout {layout!r}",
            do="Use --to items, which takes every kind.",
        )
    return item


def _is_choice(item: Item) -> bool:
    if isinstance(item, ChoiceItem | Triple):
        return True
    raise InputError(found=f"a {type(item).__name__} ({item.id})", expected="option items for the layout 'gcrc'")


def _by_passage(items: Iterable[Item], layout: str) -> Iterator[list[SpanItem]]:
    spans = (_span(item, layout) for item in items)
    for _, group in groupby(spans, key=lambda item: (item.passage_id, item.title, item.passage)):
        yield list(group)


def squad_record(questions: list[SpanItem], flagged: bool = False) -> dict[str, Any]:
    """The questions of one passage in SQuAD's nested layout; `flagged` says of each whether it has an answer."""
    first = questions[0]
    flagged = flagged or any(item.impossible for item in questions)
    qas = [
        {"id": item.id, "question": item.question, "answers": [_answer(gold) for gold in item.golds]}
        | ({"is_impossible": item.impossible} if flagged else {})
        for item in questions
    ]
    return {"title": first.title, "paragraphs": [{"context": first.passage, "qas": qas}]}


def _answer(gold: Gold) -> dict[str, Any]:
    return {"text": gold.text, "answer_start": -1 if gold.start is None else gold.start}


def _cmrc_record(questions: list[SpanItem]) -> dict[str, Any]:
    first = questions[0]
    qas = [
        {"query_id": item.id, "query_text": item.question, "answers": [gold.text for gold in item.golds]}
        for item in questions
    ]
    name = first.id.rpartition("_QUERY")[0] or first.passage_id or first.id
    return {"context_id": name, "context_text": first.passage, "title": first.title, "qas": qas}


def _row(item: SpanItem) -> dict[str, Any]:
    answers = [_answer(gold) for gold in item.golds]
    flag = {"is_impossible": True} if item.impossible else {}
    return {
        "id": item.id,
        "title": item.title,
        "context": item.passage,
        "question": item.question,
        "answers": {
            "text": [answer["text"] for answer in answers],
            "answer_start": [answer["answer_start"] for answer in answers],
        },
    } | flag


def write_list(records: Iterable[dict[str, Any]], file: TextIO, opening: str, closing: str) -> int:
    """A JSON list written record by record, so that a large file needs no memory; returns the number of questions."""
    count = 0
    file.write(opening)
    separator = "\n"
    for record in records:
        file.write(separator + json.dumps(record, ensure_ascii=False))
        separator = ",\n"
        count += sum(len(one["qas"]) for one in record.get("paragraphs", [record]))
    file.write("\n" + closing + "\n")
    return count
