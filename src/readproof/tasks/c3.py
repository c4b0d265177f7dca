"""C3: Chinese multiple choice over dialogues and mixed texts; the answer is given as the text of an option."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from readproof.errors import shown
from readproof.items import ChoiceItem
from readproof.jsonstream import records
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import identifier, need, of_type, refuse, texts
from readproof.tasks.layouts import closed
from readproof.tasks.layouts.lines import once
from readproof.tasks.metrics.accuracy import accuracy_metrics

_SHAPE = "a list of paragraphs, questions and an id"


def _recognise(peek: Peek) -> bool:
    record = peek.first
    if not isinstance(record, list) or len(record) < 2 or not all(isinstance(part, list) for part in record[:2]):
        return False
    return bool(record[1]) and all(isinstance(question, dict) and "choice" in question for question in record[1])


def load(path: Path) -> Iterator[ChoiceItem]:
    """Every question; its id is the passage's and its number there, or its own where the file gives one."""
    seen: set[str] = set()
    for place, record in records(path):
        if not isinstance(record, list) or not 2 <= len(record) <= 3:
            refuse(path, place, shown(record), _SHAPE, "Is this the right file or task?")
        passage = "\n".join(texts(record[0], path, f"{place}[0]"))
        passage_id = identifier(record[2], path, f"{place}[2]") if len(record) == 3 else place
        for index, question in enumerate(of_type(record[1], list, path, f"{place}[1]")):
            here = f"{place}[1][{index}]"
            options = texts(need(question, "choice", list, path, here), path, f"{here}.choice")
            own = question.get("id")
            identity = f"{passage_id}-{index}" if own is None else identifier(own, path, f"{here}.id")
            yield ChoiceItem(
                id=once(identity, seen, path, here),
                passage=passage,
                question=need(question, "question", str, path, here),
                options=options,
                answer=_answer(question.get("answer"), options, path, f"{here}.answer"),
                passage_id=passage_id,
            )


def _answer(value: Any, options: tuple[str, ...], path: Path, place: str) -> int | None:
    """Where two options have the same text the first is the gold one."""
    if value is None:
        return None
    if value not in options:
        refuse(path, place, shown(value), f"the text of one of the {len(options)} options")
    return options.index(value)


TASK = Task(
    name="c3",
    title="C3: Chinese multiple choice over dialogues and mixed texts",
    kind="choice",
    languages=("zh",),
    recognise=_recognise,
    load=load,
    read_predictions=closed.read_predictions,
    write_predictions=partial(closed.write_numbered, closed.choice_of),
    metrics=accuracy_metrics("c3"),
    licence="non-commercial research",
    citation="Sun et al. 2020. Investigating Prior Knowledge for Challenging Chinese Machine Reading Comprehension. "
    "TACL 8.",
)
