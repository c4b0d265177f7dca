"""Predictions out of a closed set (an option, a label), by id or in line order, and how each is written.

Three forms are read, whichever the task writes: a flat object {"id": value}, JSON lines with an id (as CLUE wants
them), and JSON lines without one, where the order of the lines is the id (as CELUE wants them).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TextIO

from readproof.errors import shown
from readproof.items import Answer, Item, letter
from readproof.jsonstream import load_json, records
from readproof.tasks.fields import identifier, refuse

Say = Callable[[Answer], Any]

_VALUES = ("label", "answer")
_NUMBER = re.compile("0|[1-9][0-9]{0,17}")
_FORMS = 'an object {"id": value} or lines {"id": …, "label": …} or {"answer": …}'


@dataclass(frozen=True, slots=True)
class ClosedPredictions:
    """Predicted values as the file has them (null: no prediction), and how they are matched with the items."""

    path: Path
    values: Mapping[str, Any]
    duplicates: tuple[str, ...] = ()
    by: Literal["id", "number", "order"] = "id"

    def key(self, identity: str, index: int) -> str:
        """Under which key the item's prediction stands; CLUE numbers the questions of a file that have no number."""
        unnamed = self.by == "order" or (self.by == "number" and not _NUMBER.fullmatch(identity))
        return str(index) if unnamed else identity


def read_predictions(path: Path) -> ClosedPredictions:
    """Predictions in any of the three forms."""
    found = records(path)
    rows = iter(found)
    first = next(rows, None)
    if first is None:
        refuse(path, "", "no predictions", _FORMS)
    if found.layout == "objects" and not any(key in first[1] for key in _VALUES):
        return _flat(path)
    if isinstance(first[1], dict) and "id" in first[1]:
        return _with_ids(path, _chained(first, rows))
    values = {str(index): _value(record, path, place) for index, (place, record) in enumerate(_chained(first, rows))}
    return ClosedPredictions(path, values, by="order")


def letter_of(answer: Answer) -> str | None:
    """The letter of the chosen option."""
    return None if answer.choice is None else letter(answer.choice)


def choice_of(answer: Answer) -> int | None:
    """The number of the chosen option."""
    return answer.choice


def label_of(answer: Answer) -> str | None:
    """The chosen label."""
    return answer.label


def write_flat(say: Say, items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO) -> None:
    """One object {"id": value}."""
    values = {item.id: say(answers[item.id]) for item in items if item.id in answers}
    json.dump({key: value for key, value in values.items() if value is not None}, file, ensure_ascii=False, indent=1)
    file.write("\n")


def write_numbered(say: Say, items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO) -> None:
    """CLUE's lines {"id": number, "label": value}; the number is the item's own where its id is one."""
    for index, item in enumerate(items):
        if item.id in answers:
            number = int(item.id) if _NUMBER.fullmatch(item.id) else index
            _write_line({"id": number, "label": say(answers[item.id])}, file)


def write_lines(key: str, say: Say, items: Iterable[Item], answers: Mapping[str, Answer], file: TextIO) -> None:
    """CELUE's lines {key: value}; an item without an answer keeps its line, with null."""
    for item in items:
        _write_line({key: say(answers[item.id]) if item.id in answers else None}, file)


def _write_line(record: dict[str, Any], file: TextIO) -> None:
    file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _flat(path: Path) -> ClosedPredictions:
    duplicates: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values = dict(pairs)
        if len(values) < len(pairs):
            duplicates.extend(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        return values

    return ClosedPredictions(path, load_json(path, collect), tuple(duplicates))


def _with_ids(path: Path, rows: Iterator[tuple[str, Any]]) -> ClosedPredictions:
    values: dict[str, Any] = {}
    duplicates: list[str] = []
    numbered = True
    for place, record in rows:
        value = _value(record, path, place)
        if "id" not in record:
            refuse(path, place, f"{shown(record)} without 'id'", "the key 'id', as in the lines before it")
        numbered = numbered and not isinstance(record["id"], str)
        identity = identifier(record["id"], path, f"{place}.id")
        if identity in values:
            duplicates.append(identity)
        values[identity] = value
    return ClosedPredictions(path, values, tuple(duplicates), "number" if numbered else "id")


def _value(record: Any, path: Path, place: str) -> Any:
    keys = [key for key in _VALUES if key in record] if isinstance(record, dict) else []
    if not keys:
        refuse(path, place, shown(record), "an object with the key 'label' or 'answer'")
    return record[keys[0]]


def _chained(first: tuple[str, Any], rows: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    yield first
    yield from rows
