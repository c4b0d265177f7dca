"""Taking fields out of records: the right key, the right type, or a message that says where and what."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn, TypeVar

from readproof.errors import InputError, shown
from readproof.items import letter, letter_index

Type = TypeVar("Type")

_KINDS: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    list: "a list",
    dict: "an object",
    bool: "true or false",
    float: "a number",
}


def refuse(path: Path, place: str, found: str, expected: str, do: str = "") -> NoReturn:
    raise InputError(file=path, place=place, found=found, expected=expected, do=do)


def of_type(value: Any, kind: type[Type], path: Path, place: str) -> Type:
    """The value, if it is of the kind."""
    if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
        return value
    refuse(path, place, shown(value), _KINDS.get(kind, kind.__name__))


def need(record: Any, key: str, kind: type[Type], path: Path, place: str) -> Type:
    """The record's field, if it is there and of the kind."""
    if type(record) is not dict:
        refuse(path, place, shown(record), f"an object with the key {key!r}")
    try:
        value = record[key]
    except KeyError:
        refuse(path, place, f"{shown(record)} without {key!r}", f"the key {key!r}", "Is this the right file or task?")
    if type(value) is kind:
        return value
    return of_type(value, kind, path, f"{place}.{key}")


def identifier(value: Any, path: Path, place: str) -> str:
    """An id as text; some files write it as a number."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    refuse(path, place, shown(value), "an id: a text or a whole number")


def texts(value: Any, path: Path, place: str) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(
        of_type(text, str, path, f"{place}[{index}]") for index, text in enumerate(of_type(value, list, path, place))
    )


def option_letter(value: Any, options: tuple[str, ...], path: Path, place: str) -> int:
    """The option that a gold letter names."""
    try:
        index = letter_index(of_type(value, str, path, place))
    except ValueError:
        index = len(options)
    if index >= len(options):
        refuse(path, place, shown(value), f"a letter from A to {letter(max(len(options), 1) - 1)}")
    return index
