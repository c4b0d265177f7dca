"""VGaokao: Chinese college entrance questions, each option marked true or false of its passage."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from readproof.errors import shown
from readproof.items import ChoiceItem
from readproof.jsonstream import records
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import identifier, need, of_type, option_letter, refuse, texts
from readproof.tasks.layouts import closed
from readproof.tasks.layouts.lines import once
from readproof.tasks.metrics.accuracy import accuracy_metrics


def _recognise(peek: Peek) -> bool:
    record = peek.first
    if not isinstance(record, dict) or "context" not in record or not isinstance(record.get("qas"), list):
        return False
    return all(isinstance(question, dict) and "options" in question for question in record["qas"])


def load(path: Path) -> Iterator[ChoiceItem]:
    """Every question; its id is the passage's and its own."""
    seen: set[str] = set()
    for place, record in records(path):
        passage = need(record, "context", str, path, place)
        passage_id = identifier(record.get("cid", place), path, f"{place}.cid")
        for index, question in enumerate(need(record, "qas", list, path, place)):
            here = f"{place}.qas[{index}]"
            options = texts(need(question, "options", list, path, here), path, f"{here}.options")
            own = identifier(question.get("qid", index), path, f"{here}.qid")
            answer = question.get("answer")
            yield ChoiceItem(
                id=once(f"{passage_id}-{own}", seen, path, f"{here}.qid"),
                passage=passage,
                question=need(question, "question", str, path, here),
                options=options,
                answer=None if answer is None else option_letter(answer, options, path, f"{here}.answer"),
                truths=_truths(question.get("correctness"), len(options), path, f"{here}.correctness"),
                passage_id=passage_id,
            )


def _truths(value: Any, count: int, path: Path, place: str) -> tuple[bool, ...]:
    if value is None:
        return ()
    marks = of_type(value, list, path, place)
    if len(marks) != count:
        refuse(path, place, f"{len(marks)} marks", f"{count}, one an option")
    for index, mark in enumerate(marks):
        if mark not in (0, 1):
            refuse(path, f"{place}[{index}]", shown(mark), "1 (the option is true) or 0 (it is not)")
    return tuple(bool(mark) for mark in marks)


TASK = Task(
    name="vgaokao",
    title="VGaokao: college entrance questions with a truth for every option",
    kind="choice",
    languages=("zh",),
    recognise=_recognise,
    load=load,
    read_predictions=closed.read_predictions,
    write_predictions=partial(closed.write_flat, closed.letter_of),
    metrics=accuracy_metrics("vgaokao"),
    licence="Apache-2.0",
    citation="Zhang et al. 2021. Extract, Integrate, Compete: Towards Verification Style Reading Comprehension. "
    "Findings of EMNLP 2021.",
)
