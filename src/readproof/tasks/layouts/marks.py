"""Predicted marks (words, tags, entities) as CELUE wants them: JSON lines without ids, in the order of the items."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from readproof.items import Answer, Item, Mark, TagItem
from readproof.jsonstream import records
from readproof.tasks.fields import need, of_type, refuse
from readproof.tasks.layouts.squad import need_any

_WORDS = "ans"


@dataclass(frozen=True, slots=True)
class MarkForm:
    """The keys of a line; `inclusive` says that an end is the last character's place, not the one after it."""

    list: str
    start: str
    end: str
    text: str = ""
    inclusive: bool = False


ENTITIES = MarkForm("entities", "start_idx", "end_idx", "entity", inclusive=True)
SPANS = MarkForm("span_list", "start", "end")


@dataclass(frozen=True, slots=True)
class MarkLine:
    """The marks of one item; `texts` is what the file says stands at each of them, where it says so."""

    marks: tuple[Mark, ...]
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkPredictions:
    """A line for each item in order; None where the file has null."""

    path: Path
    lines: Sequence[MarkLine | None]


def read_marks(form: MarkForm, path: Path) -> MarkPredictions:
    """Lines {"entities": […]} or {"span_list": […]}."""
    return _read(path, partial(mark_record, form))


def write_marks(form: MarkForm, items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO) -> None:
    """The same lines; an item without an answer keeps its line, with null."""
    for item in items:
        marks = answers[item.id].marks if item.id in answers else None
        listed = None if marks is None else [_entry(mark, form, text_of(item)) for mark in marks]
        file.write(json.dumps({form.list: listed}, ensure_ascii=False) + "\n")


def read_words(path: Path) -> MarkPredictions:
    """Lines {"ans": "words between spaces"}."""
    return _read(path, word_record)


def write_words(items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO) -> None:
    """The same lines."""
    for item in items:
        marks = answers[item.id].marks if item.id in answers else None
        words = None if marks is None else " ".join(text_of(item)[mark.start : mark.end] for mark in marks)
        file.write(json.dumps({_WORDS: words}, ensure_ascii=False) + "\n")


def words_line(line: str) -> MarkLine:
    """The words of a segmented line, marked in the text without white space."""
    words = tuple(line.split())
    marks: list[Mark] = []
    at = 0
    for word in words:
        marks.append(Mark(at, at + len(word)))
        at += len(word)
    return MarkLine(tuple(marks), words)


def text_of(item: Item) -> str:
    if not isinstance(item, TagItem):
        raise TypeError(f"{type(item).__name__} where a TagItem was expected")
    return item.text


def _read(path: Path, parse: Callable[[Any, Path, str], MarkLine | None]) -> MarkPredictions:
    lines = [parse(record, path, place) for place, record in records(path)]
    if not lines:
        refuse(path, "", "no predictions", "one JSON object a line, in the order of the sentences")
    return MarkPredictions(path, lines)


def word_record(record: Any, path: Path, place: str) -> MarkLine | None:
    """The marks of a line {"ans": "words between spaces"}; None where there is no answer."""
    value = need_any(record, _WORDS, path, place)
    return None if value is None else words_line(of_type(value, str, path, f"{place}.{_WORDS}"))


def mark_record(form: MarkForm, record: Any, path: Path, place: str) -> MarkLine | None:
    """The marks of a line with a list of them; None where there is no answer."""
    value = need_any(record, form.list, path, place)
    if value is None:
        return None
    marks: list[Mark] = []
    texts: list[str] = []
    where = f"{place}.{form.list}"
    for index, entry in enumerate(of_type(value, list, path, where)):
        here = f"{where}[{index}]"
        start = need(entry, form.start, int, path, here)
        end = need(entry, form.end, int, path, here) + form.inclusive
        marks.append(Mark(start, end, need(entry, "type", str, path, here)))
        if form.text and form.text in entry:
            texts.append(need(entry, form.text, str, path, here))
    if texts and len(texts) < len(marks):
        refuse(path, where, f"{len(texts)} texts for {len(marks)} marks", f"{form.text!r} in all of them or in none")
    return MarkLine(tuple(marks), tuple(texts))


def _entry(mark: Mark, form: MarkForm, text: str) -> dict[str, Any]:
    entry: dict[str, Any] = {form.start: mark.start, form.end: mark.end - form.inclusive, "type": mark.type}
    return entry | {form.text: text[mark.start : mark.end]} if form.text else entry
