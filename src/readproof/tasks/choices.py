"""Questions with options in plain rows: a passage, a question, options and a label, as JSON lines, a JSON list or CSV.

LogiQA 2.0 (`text`, `answer` as a number) and AGIEval ("(A)…" options, `label` as a letter) have this layout; so has
whatever a user makes in a table. A label is a letter, a number from 0, or an option's text; without one the answer is
not known.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from readproof.errors import InputError, shown
from readproof.items import ChoiceItem, Item, letter
from readproof.jsonstream import records
from readproof.lang.api import detect
from readproof.tasks.base import Peek, Task
from readproof.tasks.fields import identifier, need, option_letter, refuse, texts
from readproof.tasks.layouts import closed
from readproof.tasks.layouts.lines import once, passage_name, rows, whole_lines
from readproof.tasks.metrics.accuracy import accuracy_metrics

_PASSAGES = ("passage", "text", "context")
_LABELS = ("label", "answer")
_NAMES = ("id", "example_id")
_LETTERS = "ABCDEFGH"
# "(A)" or "A." before an option: AGIEval writes it, and it says nothing
_LETTERED = re.compile(r"\s*[(（]?([A-H])[)）.．、]\s*")


def _recognise(peek: Peek) -> bool:
    if peek.layout == "text":
        lines = whole_lines(peek)
        return bool(lines) and _is_header(lines[0].removeprefix("\ufeff").split(","))
    first = peek.first
    if not isinstance(first, dict) or "kind" in first or not isinstance(first.get("question"), str):
        return False
    options = first.get("options")
    listed = isinstance(options, list) and len(options) > 1 and all(isinstance(one, str) for one in options)
    return listed and isinstance(first.get(_key(first, _PASSAGES)), str)


def _is_header(names: list[str]) -> bool:
    held = {name.strip().strip('"') for name in names}
    return bool(held & set(_PASSAGES)) and "question" in held and ("options" in held or {"A", "B"} <= held)


def load(path: Path) -> Iterator[ChoiceItem]:
    """Every question; one without an id is numbered from 0."""
    seen: set[str] = set()
    names: dict[int, str] = {}
    for index, (place, record) in enumerate(_rows(path)):
        passage = need(record, _key(record, _PASSAGES), str, path, place)
        options = _plain(texts(need(record, "options", list, path, place), path, f"{place}.options"))
        name = _key(record, _NAMES)
        identity = identifier(record[name], path, f"{place}.{name}") if name in record else str(index)
        label = _key(record, _LABELS)
        yield ChoiceItem(
            id=once(identity, seen, path, place),
            passage=passage,
            question=need(record, "question", str, path, place),
            options=options,
            answer=_answer(record.get(label), options, path, f"{place}.{label}"),
            language=detect(passage + "".join(options)),
            passage_id=passage_name(passage, names, identity),
        )


def _key(record: Any, names: tuple[str, ...]) -> str:
    """The first of the names that a record has."""
    return next((name for name in names if name in record), names[0])


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    from readproof.tasks import peek

    if peek(path)[0].layout != "text":
        for place, record in records(path):
            if not isinstance(record, dict):
                refuse(path, place, shown(record), "an object with passage, question, options and label")
            yield place, record
        return
    header: list[str] = []
    for place, fields in rows(path, ","):
        if not header:
            header = [field.strip().removeprefix("\ufeff") for field in fields]
            continue
        if len(fields) != len(header):
            refuse(path, place, f"{len(fields)} columns", f"{len(header)}, as in the header")
        yield place, _from_columns(dict(zip(header, fields, strict=True)), path, place)


def _from_columns(row: dict[str, str], path: Path, place: str) -> dict[str, Any]:
    """A row of a table: the options are one column with a JSON list, or columns A, B, C …"""
    record: dict[str, Any] = {name: value for name, value in row.items() if value or name not in _LABELS}
    if "options" in row:
        try:
            record["options"] = json.loads(row["options"])
        except ValueError:
            refuse(path, f"{place}.options", shown(row["options"]), 'a JSON list of texts, or columns "A", "B", …')
    else:
        record["options"] = [row[name] for name in _LETTERS if row.get(name)]
    return record


def _plain(options: tuple[str, ...]) -> tuple[str, ...]:
    """The options without the letters before them, where each has its own."""
    found = [_LETTERED.match(option) for option in options]
    if all(match is not None and match[1] == letter(at) for at, match in enumerate(found)):
        return tuple(option[match.end() :] for option, match in zip(options, found, strict=True) if match is not None)
    return options


def _answer(value: Any, options: tuple[str, ...], path: Path, place: str) -> int | None:
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value < len(options):
            refuse(path, place, shown(value), f"a number from 0 to {len(options) - 1}, a letter or an option's text")
        return value
    if value in options:
        return options.index(value)
    return option_letter(value.strip() if isinstance(value, str) else value, options, path, place)


def write_like(path: Path, items: Iterable[Item], file: TextIO) -> int:
    """Items in the layout of a file: its names for the columns, its way to write a label."""
    from readproof.tasks import peek

    seen = peek(path)[0]
    if seen.layout == "text":
        return _write_table([name.strip().removeprefix("\ufeff") for name in next(rows(path, ","))[1]], items, file)
    first: Mapping[str, Any] = seen.first if isinstance(seen.first, dict) else {}
    count = 0
    for item in map(_choice, items):
        file.write(json.dumps(_record(item, first), ensure_ascii=False) + "\n")
        count += 1
    return count


def _record(item: ChoiceItem, like: Mapping[str, Any]) -> dict[str, Any]:
    lettered = all(_LETTERED.match(option) for option in like.get("options", ()))
    options = [f"({letter(at)}){option}" if lettered else option for at, option in enumerate(item.options)]
    record: dict[str, Any] = {_key(like, _NAMES): item.id, _key(like, _PASSAGES): item.passage}
    record |= {"question": item.question, "options": options}
    if item.answer is not None:
        label = _key(like, _LABELS)
        record[label] = item.answer if isinstance(like.get(label), int) else letter(item.answer)
    return record


def _write_table(header: list[str], items: Iterable[Item], file: TextIO) -> int:
    """Rows of a table; line breaks become blanks, since a row is a line."""
    names = header if set(header) & set(_NAMES) else ["id", *header]
    table = csv.writer(file, lineterminator="\n")
    table.writerow(names)
    count = 0
    for item in map(_choice, items):
        row = dict(zip(_LETTERS, item.options, strict=False)) | {"question": item.question}
        row |= dict.fromkeys(_NAMES, item.id) | dict.fromkeys(_PASSAGES, item.passage)
        row |= dict.fromkeys(_LABELS, "" if item.answer is None else letter(item.answer))
        row["options"] = json.dumps(item.options, ensure_ascii=False)
        table.writerow([row.get(name, "").replace("\n", " ") for name in names])
        count += 1
    return count


def _choice(item: Item) -> ChoiceItem:
    if isinstance(item, ChoiceItem):
        return item
    raise InputError(found=f"a {type(item).__name__} ({item.id})", expected="questions with options in this format")


TASK = Task(
    name="choices",
    title="Questions with options in rows: LogiQA 2.0, AGIEval, or your own (passage, question, options, label)",
    kind="choice",
    languages=("zh", "en"),
    recognise=_recognise,
    load=load,
    read_predictions=closed.read_predictions,
    write_predictions=partial(closed.write_flat, closed.letter_of),
    metrics=accuracy_metrics("choices"),
)
