"""CCPM: which of four classical verses says what the modern translation says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from readproof.errors import shown
from readproof.items import ChoiceItem
from readproof.jsonstream import records
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import need, of_type, refuse, texts
from readproof.tasks.layouts import closed
from readproof.tasks.metrics.accuracy import accuracy_metrics


def _recognise(peek: Peek) -> bool:
    return isinstance(peek.first, dict) and "translation" in peek.first and "choices" in peek.first


def load(path: Path) -> Iterator[ChoiceItem]:
    """Every line, numbered from 0; the translation is the question, and there is no passage."""
    for index, (place, record) in enumerate(records(path)):
        question = need(record, "translation", str, path, place)
        options = texts(need(record, "choices", list, path, place), path, f"{place}.choices")
        answer = _answer(record.get("answer"), len(options), path, f"{place}.answer")
        yield ChoiceItem(id=str(index), passage="", question=question, options=options, answer=answer)


def _answer(value: Any, count: int, path: Path, place: str) -> int | None:
    """The public test file has no answers."""
    if value is None:
        return None
    index = of_type(value, int, path, place)
    if not 0 <= index < count:
        refuse(path, place, shown(value), f"the number of a choice, from 0 to {count - 1}")
    return index


TASK = Task(
    name="ccpm",
    title="CCPM (CELUE): match a modern translation with a classical verse",
    kind="choice",
    languages=("zh",),
    recognise=_recognise,
    load=load,
    read_predictions=closed.read_predictions,
    write_predictions=partial(closed.write_lines, "answer", closed.choice_of),
    metrics=accuracy_metrics("ccpm"),
    citation="Li et al. 2021. CCPM: A Chinese Classical Poetry Matching Dataset. arXiv:2106.01979.",
)
