"""Frozen dataclasses as JSON and back, by their own type hints, so that no field is spelt twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from readproof.errors import InputError, shown
from readproof.files import read_text, writing

Value = TypeVar("Value")


def to_plain(value: Any) -> Any:
    """A value as JSON values; floats to nine digits, which hides where a machine rounds the last one."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: to_plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {name: to_plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(one) for one in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def from_plain(kind: type[Value], record: Any, place: str = "") -> Value:
    """The value that `to_plain` made of one of this kind; keys that the kind does not have are ignored."""
    value: Value = _built(kind, record, place)
    return value


def write_json(path: Path, value: Any) -> None:
    """A value as a file, whole or not at all."""
    with writing(path) as file:
        json.dump(to_plain(value), file, ensure_ascii=False, indent=1)
        file.write("\n")


def read_json(path: Path, kind: type[Value], *, format: int, expected: str, do: str) -> Value:
    """The value in a file; a file of another format, or none at all, is refused with what to do about it."""
    try:
        record = json.loads(read_text(path))
    except ValueError as error:
        raise InputError(file=path, found=f"no JSON ({error})", expected=expected) from None
    if not isinstance(record, dict) or record.get("format") != format:
        found = f"format {record.get('format')!r}" if isinstance(record, dict) else shown(record)
        raise InputError(file=path, found=found, expected=f"format {format}", do=do)
    try:
        return from_plain(kind, record)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(file=path, found=str(error), expected=expected, do=do) from None


@lru_cache(maxsize=64)
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _built(kind: Any, record: Any, place: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _either(arguments, record, place)
    if origin is Literal:
        return _checked(record in arguments, record, place)
    if origin is tuple:
        _checked(isinstance(record, list), record, place)
        return tuple(_built(arguments[0], one, f"{place}[{at}]") for at, one in enumerate(record))
    if origin is not None and issubclass(origin, Mapping):
        _checked(isinstance(record, dict), record, place)
        return {name: _built(arguments[1], one, f"{place}.{name}") for name, one in record.items()}
    if is_dataclass(kind):
        _checked(isinstance(record, dict), record, place)
        hints = _hints(kind)  # type: ignore[arg-type]
        known = [one.name for one in fields(kind) if one.name in record]
        made: Any = kind
        return made(**{name: _built(hints[name], record[name], f"{place}.{name}") for name in known})
    if kind is float:
        _checked(isinstance(record, int | float) and not isinstance(record, bool), record, place)
        return float(record)
    return _checked(isinstance(record, kind) and (kind is bool or not isinstance(record, bool)), record, place)


def _either(kinds: tuple[Any, ...], record: Any, place: str) -> Any:
    if record is None and NoneType in kinds:
        return None
    wanted = [kind for kind in kinds if kind is not NoneType]
    if len(wanted) == 1:
        return _built(wanted[0], record, place)
    return _checked(type(record) in wanted, record, place)


def _checked(fits: bool, record: Any, place: str) -> Any:
    if not fits:
        raise ValueError(f"{shown(record)} at {place.lstrip('.') or 'the top'}")
    return record
