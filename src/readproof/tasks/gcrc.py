"""GCRC_advRobust: Gaokao questions, each with a positive and a negative form, and the official score over triples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from readproof.items import Answer, ChoiceItem, Item, Triple, letter
from readproof.jsonstream import records
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import identifier, need, option_letter, texts
from readproof.tasks.layouts.squad import need_any
from readproof.tasks.metrics import triples

_FORMS = (
    # name, question key, options key, answer key
    ("original", "question", "options", "answer"),
    ("positive", "question", "positive_options", "positive_answer"),
    ("negative", "negative_question", "negative_options", "negative_answer"),
)


def _recognise(peek: Peek) -> bool:
    first = peek.first
    keys = {"id", "passage", "question", "options"}
    own = peek.layout in ("data", "list") and isinstance(first, dict) and keys <= first.keys()
    return own and not isinstance(first.get("answer"), int) and "label" not in first


def load(path: Path) -> Iterator[Item]:
    """Triples; a question without adversarial fields (the training file) comes as it is."""
    for place, record in records(path):
        forms = [_question(record, form, path, place) for form in _FORMS if form[2] in _mapping(record, path, place)]
        if len(forms) == len(_FORMS):
            original, positive, negative = forms
            yield Triple(id=triple_id(original), original=original, positive=positive, negative=negative)
        elif len(forms) == 1:
            yield forms[0]
        else:
            missing = next(form[2] for form in _FORMS if form[2] not in record)
            need(record, missing, list, path, place)


def triple_id(question: ChoiceItem) -> str:
    """The id that the three questions of a triple share."""
    return question.id.rpartition("#")[0]


def _mapping(record: Any, path: Path, place: str) -> dict[str, Any]:
    need(record, "passage", str, path, place)
    need(record, "options", list, path, place)
    return dict(record)


def _question(record: dict[str, Any], form: tuple[str, str, str, str], path: Path, place: str) -> ChoiceItem:
    name, question_key, options_key, answer_key = form
    options = texts(record[options_key], path, f"{place}.{options_key}")
    answer = record.get(answer_key)
    title = record.get("title")
    number = identifier(need_any(record, "id", path, place), path, f"{place}.id")
    return ChoiceItem(
        id=f"{number}#{name}" if "positive_options" in record else number,
        passage=need(record, "passage", str, path, place),
        question=need(record, question_key, str, path, place),
        options=options,
        answer=None if answer is None else option_letter(answer, options, path, f"{place}.{answer_key}"),
        title=title if isinstance(title, str) else "",
    )


def write_predictions(items: Any, answers: Mapping[str, Answer], file: TextIO) -> None:
    """The dev file's own format with the predicted letters; "" where there is no prediction."""
    _write([_row(item, answers, "") for item in items], file)


def write_data(items: Any, file: TextIO) -> int:
    """The dev file's own format with the gold letters; without them where they are not known, as in the test file."""
    rows = []
    for item in items:
        asked = item.questions if isinstance(item, Triple) else (item,)
        rows.append(_row(item, {one.id: Answer(id=one.id, choice=one.answer) for one in asked}, None))
    _write(rows, file)
    return len(rows)


def _write(rows: list[dict[str, Any]], file: TextIO) -> None:
    json.dump({"data": rows}, file, ensure_ascii=False, indent=1)
    file.write("\n")


def _row(item: Item, answers: Mapping[str, Answer], unknown: str | None) -> dict[str, Any]:
    questions = item.questions if isinstance(item, Triple) else (item,)
    first = questions[0]
    if not isinstance(first, ChoiceItem):
        raise TypeError(f"{type(item).__name__} where a Triple was expected")
    row: dict[str, Any] = {"id": item.id, "title": first.title, "passage": first.passage}
    for question, (_, question_key, options_key, answer_key) in zip(questions, _FORMS, strict=False):
        if isinstance(question, ChoiceItem):
            row[question_key] = question.question
            row[options_key] = list(question.options)
            choice = answers[question.id].choice if question.id in answers else None
            given = unknown if choice is None else letter(choice)
            if given is not None:
                row[answer_key] = given
    return row


TASK = Task(
    name="gcrc",
    title="GCRC_advRobust: Gaokao reading under attack (CCL23-Eval task 9)",
    kind="triple",
    languages=("zh",),
    recognise=_recognise,
    load=load,
    read_predictions=triples.read_predictions,
    write_predictions=write_predictions,
    metrics={"official": partial(triples.official, "gcrc"), "strict": partial(triples.strict, "gcrc")},
    licence="non-profit research; not to be passed on",
    citation=(
        "Tan et al. 2021. GCRC: A New Challenging MRC Dataset from Gaokao Chinese for Explainable Evaluation. "
        "Findings of ACL 2021; CCL23-Eval task 9 (GCRC_advRobust)."
    ),
)
