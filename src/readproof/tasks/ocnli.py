"""OCNLI: Chinese natural language inference; a pair on which the annotators did not agree has no gold label."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from readproof.errors import shown
from readproof.items import LabelItem
from readproof.jsonstream import records
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import identifier, need, refuse
from readproof.tasks.layouts import closed
from readproof.tasks.layouts.lines import once
from readproof.tasks.metrics.accuracy import accuracy_metrics

LABELS = ("entailment", "neutral", "contradiction")
_NO_GOLD = "-"


def _recognise(peek: Peek) -> bool:
    record = peek.first
    if not isinstance(record, dict) or "sentence1" not in record or "sentence2" not in record:
        return False
    return record.get("label", _NO_GOLD) in (*LABELS, _NO_GOLD)


def load(path: Path) -> Iterator[LabelItem]:
    """Every pair, by its own id or, if it has none, its number from 0."""
    seen: set[str] = set()
    for index, (place, record) in enumerate(records(path)):
        premise = need(record, "sentence1", str, path, place)
        identity = identifier(record.get("id", index), path, f"{place}.id")
        yield LabelItem(
            id=once(identity, seen, path, f"{place}.id"),
            text=premise,
            pair=need(record, "sentence2", str, path, place),
            label=_label(record.get("label"), path, f"{place}.label"),
        )


def _label(value: Any, path: Path, place: str) -> str | None:
    if value is None or value == _NO_GOLD:
        return None
    if value not in LABELS:
        refuse(path, place, shown(value), f"{', '.join(LABELS)} or '-' (no agreement)")
    return str(value)


TASK = Task(
    name="ocnli",
    title="OCNLI: original Chinese natural language inference",
    kind="label",
    languages=("zh",),
    recognise=_recognise,
    load=load,
    read_predictions=closed.read_predictions,
    write_predictions=partial(closed.write_numbered, closed.label_of),
    metrics=accuracy_metrics("ocnli", LABELS),
    licence="CC BY-NC 2.0",
    citation="Hu et al. 2020. OCNLI: Original Chinese Natural Language Inference. Findings of EMNLP 2020.",
    labels=LABELS,
)
