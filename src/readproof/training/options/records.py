"""Statements to learn from: some about one passage, with what is known of their truth; a file of them is JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from readproof.errors import InputError
from readproof.files import lines, writing
from readproof.text import encodable

# one: exactly one statement is right, as among the options of a question; each: every one is true or false by itself
Kind = Literal["one", "each"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Statements about one passage; `labels` are 1 (true) or 0.

    `place` says where in the passage the evidence stands, where that is known: (start, end), else None.
    """

    id: str
    passage: str
    statements: tuple[str, ...]
    labels: tuple[int, ...]
    kind: Kind = "each"
    place: tuple[int, int] | None = None


def write_groups(path: Path, groups: Iterable[Group]) -> int:
    """Write a set; gives how many groups it has."""
    count = 0
    with writing(path) as file:
        for group in groups:
            file.write(_line(group))
            count += 1
    return count


def _line(group: Group) -> str:
    line = json.dumps(asdict(group), ensure_ascii=False)
    # a lone surrogate cannot be written as UTF-8; escaped it survives
    return f"{line if encodable(line) == line else json.dumps(asdict(group))}\n"


def read_groups(path: Path) -> Iterator[Group]:
    """The groups of a set."""
    for number, line in lines(path):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            yield Group(
                id=record["id"],
                passage=record["passage"],
                statements=tuple(record["statements"]),
                labels=tuple(record["labels"]),
                kind=record["kind"],
                place=tuple(record["place"]) if record.get("place") else None,
            )
        except (ValueError, KeyError, TypeError):
            expected = "a group of statements as `readproof train options` prepares them"
            raise InputError(file=path, place=f"line {number}", found="something else", expected=expected) from None
