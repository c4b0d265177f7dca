"""What the readers of line-based files share: the beginning of a file for telling formats apart, ids met only once."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from readproof.files import lines
from readproof.tasks.base import Peek
from readproof.tasks.fields import refuse

HAN = re.compile("[\u3400-\u9fff]")


def whole_lines(peek: Peek) -> list[str]:
    """The lines of the beginning that are not blank; the last may be cut short and is left out if there are others."""
    lines = [line.removesuffix("\r") for line in peek.head.split("\n")]
    if len(lines) > 1:
        lines.pop()
    return [line for line in lines if line.strip()]


def once(identity: str, seen: set[str], path: Path, place: str) -> str:
    """The id, if it is new: predictions are looked up by it."""
    if identity in seen:
        refuse(path, place, f"the id {identity!r} a second time", "each id once", "Rename or drop one of the two.")
    seen.add(identity)
    return identity


def passage_name(passage: str, names: dict[int, str], identity: str) -> str:
    """A name that all questions on a passage share where the file gives none: the id of the first of them."""
    return names.setdefault(hash(passage), identity)


# Tables with a row a line, fields separated by commas or tabs and quoted where needed.


def rows(path: Path, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    """Pairs of place and fields. A row never spans lines, so one bad quote cannot swallow the rest of the file."""
    for number, line in lines(path):
        if line.strip():
            yield f"line {number}", _fields(line, delimiter, path, f"line {number}")


def _fields(line: str, delimiter: str, path: Path, place: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except (csv.Error, StopIteration) as error:
        refuse(
            path,
            place,
            f"a row that cannot be split ({error})",
            "fields on one line, a quote inside a quoted field written twice",
            "Mend the quotes of this line.",
        )
