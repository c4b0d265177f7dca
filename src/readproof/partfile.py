"""What a long job has done so far, on disk: a job that is killed goes on where it was.

One line a result, written before the next one is begun. The first line says what the results belong to, so that those
of two jobs never end up in one file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.files import check_place, name_full

_FORMAT = 1


def part_of(out: Path) -> Path:
    """Where results wait until all are there."""
    return out.with_name(out.name + ".part.jsonl")


def whole_bytes(path: Path, header: Mapping[str, Any]) -> tuple[int, int]:
    """How many results the file has, and how many bytes of it are whole lines; another job's file is refused."""
    if not path.exists():
        return 0, 0
    first, lines, size = b"", 0, 0
    with path.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            first = first or line
            lines += 1
            size += len(line)
    if lines <= 1:  # nothing was done yet, so there is nothing to lose
        return 0, 0
    _check(parsed(first), header, path)
    return lines - 1, size


def results(path: Path) -> Iterator[Any]:
    """The results, one by one; the line that a kill cut short is left out."""
    with path.open("rb") as file:
        next(file, None)
        for number, line in enumerate(file, start=2):
            if not line.endswith(b"\n"):
                return
            record = parsed(line)
            if record is None:
                found = line[:60].decode("utf-8", "replace")
                do = "Add --fresh to begin again."
                raise InputError(file=path, place=f"line {number}", found=found, expected="a result", do=do)
            yield record


@contextmanager
def appending(path: Path, header: Mapping[str, Any], whole: int) -> Iterator[FileIO]:
    """The file, cut to its whole lines, open at its end; unbuffered, so that what is written survives the process."""
    check_place(path)
    try:
        with path.open("r+b" if path.exists() else "x+b", buffering=0) as file:
            file.truncate(whole)
            file.seek(whole)
            if not whole:
                add(file, {"readproof": _FORMAT, **header})
            yield file
    except OSError as error:
        name_full(path, error)
        raise


def add(file: FileIO, record: Mapping[str, Any]) -> None:
    """One more line."""
    add_all(file, [record])


def add_all(file: FileIO, records: Iterable[Mapping[str, Any]]) -> None:
    """More lines, in one write."""
    # ASCII: a lone surrogate survives, and a line is never cut inside a character
    write_whole(file, "".join(json.dumps(record) + "\n" for record in records).encode("ascii"))


def write_whole(file: FileIO, data: bytes) -> None:
    """All of it at the end of an unbuffered file, or, where the disk is full, nothing."""
    size = file.tell()
    rest = memoryview(data)
    try:
        while rest:  # a disk that is nearly full takes a part, and that is no error yet
            rest = rest[file.write(rest) or 0 :]
    except BaseException:
        # a torn line would be cut off when the job goes on, but nobody else should see one
        file.truncate(size)
        file.seek(size)
        raise


def parsed(line: bytes) -> Any:
    """A line's value; None where it is none."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def _check(found: Any, header: Mapping[str, Any], path: Path) -> None:
    expected = {"readproof": _FORMAT, **header}
    if found == expected:
        return
    differs = [name for name in expected if not isinstance(found, dict) or found.get(name) != expected[name]]
    raise InputError(
        file=path,
        place="line 1",
        found=f"the results of another job (its {' and '.join(differs) or 'form'} differs)",
        expected="results of the same job on the same data",
        do="Add --fresh to throw them away and begin again, or choose another output.",
    )
