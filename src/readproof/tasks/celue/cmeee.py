"""CMeEE: Chinese medical entities, as flat tags (one character a line) or as CBLUE's JSON, where they may nest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from readproof.errors import shown
from readproof.items import Mark, TagItem
from readproof.jsonstream import records
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import need, of_type, refuse
from readproof.tasks.layouts.lines import HAN, once
from readproof.tasks.layouts.marks import (
    ENTITIES,
    HEADER,
    is_json,
    is_tagged,
    marked,
    read_marks,
    sentences,
    types_seen,
    write_marks,
)
from readproof.tasks.metrics.tagging import tagging_metrics

TYPES = ("dis", "sym", "dru", "equ", "pro", "bod", "ite", "mic", "dep")


def _recognise(peek: Peek) -> bool:
    record = peek.first
    if isinstance(record, dict):
        entities = record.get("entities")
        return (
            isinstance(entities, list)
            and "text" in record
            and all(isinstance(entity, dict) and "start_idx" in entity for entity in entities)
        )
    types = types_seen(peek)
    marked_so = bool(types) or peek.head.startswith(HEADER)
    return is_tagged(peek) and marked_so and types <= set(TYPES) and bool(HAN.search(peek.head))


def load(path: Path) -> Iterator[TagItem]:
    """Every sentence, by the name in its header or its number from 0."""
    return _from_json(path) if is_json(path) else _from_tags(path)


def _from_tags(path: Path) -> Iterator[TagItem]:
    seen: set[str] = set()
    for index, sentence in enumerate(sentences(path, TYPES)):
        text, marks = marked(sentence, "")
        identity = sentence.name.removesuffix(".jpg") or str(index)
        yield TagItem(id=once(identity, seen, path, sentence.place), text=text, marks=marks)


def _from_json(path: Path) -> Iterator[TagItem]:
    for index, (place, record) in enumerate(records(path)):
        text = need(record, "text", str, path, place)
        listed = record.get("entities")
        marks = None
        if listed is not None:
            where = f"{place}.entities"
            entries = enumerate(of_type(listed, list, path, where))
            marks = tuple(_mark(entry, text, path, f"{where}[{number}]") for number, entry in entries)
        yield TagItem(id=str(index), text=text, marks=marks)


def _mark(entry: Any, text: str, path: Path, place: str) -> Mark:
    """CBLUE's first version gives the last character, its second the one after it: the entity's text tells which."""
    start = need(entry, "start_idx", int, path, place)
    last = need(entry, "end_idx", int, path, place)
    kind = need(entry, "type", str, path, place)
    if kind not in TYPES:
        refuse(path, f"{place}.type", shown(kind), f"one of {', '.join(TYPES)}")
    said = entry.get("entity")
    ends = [end for end in (last + 1, last) if 0 <= start < end <= len(text) and said in (None, text[start:end])]
    if not ends:
        refuse(path, place, f"{shown(said)} at {start} to {last}", "the entity's text at its place in the sentence")
    return Mark(start, ends[0], kind)


TASK = Task(
    name="cmeee",
    title="CMeEE (CELUE): Chinese medical entities",
    kind="tags",
    languages=("zh",),
    recognise=_recognise,
    load=load,
    read_predictions=partial(read_marks, ENTITIES),
    write_predictions=partial(write_marks, ENTITIES),
    metrics=tagging_metrics("cmeee", TYPES),
    licence="not stated; CBLUE has its own terms",
    citation="Zhang et al. 2022. CBLUE: A Chinese Biomedical Language Understanding Evaluation Benchmark. ACL 2022.",
    labels=TYPES,
)
