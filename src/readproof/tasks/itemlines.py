"""Items as JSON lines: what passes between the stages, written to disk and read again without loss."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, TextIO

from readproof.errors import shown
from readproof.items import ChoiceItem, Gold, Item, LabelItem, Mark, SpanItem, TagItem, Triple
from readproof.jsonstream import records
from readproof.tasks.base import Peek
from readproof.tasks.fields import need, refuse
from readproof.tasks.squad import cmrc_metrics, span_task

_KINDS: dict[str, type[Any]] = {
    "span": SpanItem,
    "choice": ChoiceItem,
    "triple": Triple,
    "label": LabelItem,
    "tags": TagItem,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def write_items(items: Iterable[Item], file: TextIO) -> int:
    """One item a line; returns how many."""
    count = 0
    for item in items:
        file.write(json.dumps(to_record(item), ensure_ascii=False) + "\n")
        count += 1
    return count


def to_record(item: Item) -> dict[str, Any]:
    """An item as plain JSON values; what has its default value is left out."""
    record: dict[str, Any] = {"kind": _NAMES[type(item)]}
    for one in fields(item):
        value = getattr(item, one.name)
        if value != one.default:
            record[one.name] = _plain(value)
    return record


def from_record(record: Any, path: Path, place: str) -> Item:
    """The item that `to_record` made."""
    kind = need(record, "kind", str, path, place)
    if kind not in _KINDS:
        refuse(path, f"{place}.kind", shown(kind), f"one of {', '.join(_KINDS)}")
    values = {
        one.name: _value(one.name, record[one.name], path, f"{place}.{one.name}")
        for one in fields(_KINDS[kind])
        if one.name in record
    }
    try:
        item = _KINDS[kind](**values)
    except TypeError as error:
        refuse(path, place, f"an item that does not fit ({error})", f"the fields of a {kind} item")
    return item  # type: ignore[no-any-return]


def _plain(value: Any) -> Any:
    if isinstance(value, Gold):
        return [value.text, value.start]
    if isinstance(value, Mark):
        return [value.start, value.end, value.type]
    if isinstance(value, ChoiceItem):
        return to_record(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


_TEXT_FIELDS = frozenset({"id", "passage", "question", "language", "title", "passage_id", "text", "pair", "label"})
_LIST_FIELDS: dict[str, Callable[[Any], Any]] = {
    "golds": lambda pair: Gold(*_typed(pair, (str, (int, type(None))))),
    "options": lambda text: _typed([text], (str,))[0],
    "truths": lambda flag: _typed([flag], (bool,))[0],
    "marks": lambda mark: Mark(*_typed(mark, (int, int, str))),
}


def _value(name: str, value: Any, path: Path, place: str) -> Any:
    if name in ("original", "positive", "negative"):
        return from_record(value, path, place)
    if name in _TEXT_FIELDS and not isinstance(value, str) and not (name == "label" and value is None):
        refuse(path, place, shown(value), "a text")
    if name in _LIST_FIELDS and value is not None:
        try:
            return tuple(map(_LIST_FIELDS[name], value))
        except (TypeError, ValueError):
            refuse(path, place, shown(value), f"{name} as readproof writes them")
    return value


def _typed(values: Any, kinds: tuple[Any, ...]) -> list[Any]:
    if len(values) != len(kinds) or not all(isinstance(one, kind) for one, kind in zip(values, kinds, strict=True)):
        raise TypeError
    return list(values)


def _load(path: Path) -> Iterator[Item]:
    for place, record in records(path):
        yield from_record(record, path, place)


def _recognise(peek: Peek) -> bool:
    return isinstance(peek.first, dict) and peek.first.get("kind") in _KINDS and "id" in peek.first


TASK = span_task(
    name="items",
    title="Items as readproof writes them: JSON lines of any kind, scored as spans",
    languages=("zh", "fa", "en"),
    recognise=_recognise,
    load=_load,
    metrics=cmrc_metrics("items"),
)
