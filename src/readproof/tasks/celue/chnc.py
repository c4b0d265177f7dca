"""CHNC: Chinese news headlines in 18 categories, a table of category and headline; the headline is cut into words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from readproof.files import chunks
from readproof.items import LabelItem
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import refuse
from readproof.tasks.layouts import closed
from readproof.tasks.layouts.lines import HAN, rows
from readproof.tasks.metrics.accuracy import accuracy_metrics

LABELS = (
    "baby",
    "car",
    "discovery",
    "entertainment",
    "essay",
    "fashion",
    "finance",
    "food",
    "game",
    "history",
    "military",
    "regimen",
    "society",
    "sports",
    "story",
    "tech",
    "travel",
    "world",
)
_CATEGORY, _NEWS = "category", "news"
_HEADERS = ([_CATEGORY, _NEWS], [_NEWS])


def _recognise(peek: Peek) -> bool:
    first = peek.head.partition("\n")[0].strip()
    fields = first.split(_delimiter(first))
    known = fields in _HEADERS or (len(fields) > 1 and fields[0] in LABELS)
    return peek.layout == "text" and known and bool(HAN.search(peek.head))


def load(path: Path) -> Iterator[LabelItem]:
    """Every headline, numbered from 0, the blanks between its words kept.

    CELUE's tables have a header and commas, NLPCC's own files tabs and no header; a test file has no categories.
    """
    delimiter = _delimiter(next(chunks(path), "").lstrip().partition("\n")[0])
    columns = [_CATEGORY, _NEWS]
    index = 0
    for place, fields in rows(path, delimiter):
        if place == "line 1" and fields in _HEADERS:
            columns = fields
            continue
        if len(fields) != len(columns):
            refuse(path, place, f"{len(fields)} columns", f"{len(columns)}: {', '.join(columns)}")
        label = fields[0] if _CATEGORY in columns else ""
        if label and label not in LABELS:
            refuse(path, place, f"the category {label!r}", f"one of {', '.join(LABELS)}")
        yield LabelItem(id=str(index), text=fields[-1], label=label or None)
        index += 1


def _delimiter(line: str) -> str:
    return "\t" if "\t" in line else ","


TASK = Task(
    name="chnc",
    title="CHNC (CELUE): Chinese news headlines in 18 categories",
    kind="label",
    languages=("zh",),
    recognise=_recognise,
    load=load,
    read_predictions=closed.read_predictions,
    write_predictions=partial(closed.write_lines, "label", closed.label_of),
    metrics=accuracy_metrics("chnc", LABELS),
    citation="Qiu, Gong and Huang 2017. Overview of the NLPCC 2017 Shared Task: Chinese News Headline "
    "Categorization. NLPCC 2017.",
    labels=LABELS,
)
