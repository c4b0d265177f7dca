"""Tables with a row a line, fields separated by commas or tabs and quoted where needed."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from readproof.files import lines
from readproof.tasks.fields import refuse


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
