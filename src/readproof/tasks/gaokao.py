"""Older Gaokao questions, as the first GCRC release has them: a passage in paragraphs, the options under `opt`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from readproof.items import ChoiceItem
from readproof.jsonstream import records
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import identifier, need, option_letter, texts
from readproof.tasks.layouts import closed
from readproof.tasks.layouts.lines import once, passage_name
from readproof.tasks.layouts.squad import need_any
from readproof.tasks.metrics.accuracy import accuracy_metrics

_NO_TITLE = "null"


def _recognise(peek: Peek) -> bool:
    record = peek.first
    return isinstance(record, dict) and "opt" in record and isinstance(record.get("passage"), list)


def load(path: Path) -> Iterator[ChoiceItem]:
    """Every question. `source` names an exam, not a passage: a passage goes by the id of its first question."""
    seen: set[str] = set()
    names: dict[int, str] = {}
    for place, record in records(path):
        paragraphs = texts(need(record, "passage", list, path, place), path, f"{place}.passage")
        options = texts(need(record, "opt", list, path, place), path, f"{place}.opt")
        answer = record.get("answer")
        title = record.get("title")
        identity = identifier(need_any(record, "id", path, place), path, f"{place}.id")
        passage = "\n".join(paragraphs)
        yield ChoiceItem(
            id=once(identity, seen, path, f"{place}.id"),
            passage=passage,
            question=need(record, "question", str, path, place),
            options=options,
            answer=None if answer is None else option_letter(answer, options, path, f"{place}.answer"),
            title=title if isinstance(title, str) and title != _NO_TITLE else "",
            passage_id=passage_name(passage, names, identity),
        )


TASK = Task(
    name="gaokao",
    title="Gaokao: older college entrance questions",
    kind="choice",
    languages=("zh",),
    recognise=_recognise,
    load=load,
    read_predictions=closed.read_predictions,
    write_predictions=partial(closed.write_flat, closed.letter_of),
    metrics=accuracy_metrics("gaokao"),
)
