"""The answers given so far, on disk: a job that is killed goes on where it was.

One line an answer, written before the next one is begun. The first line says which data and which reader they belong
to, so that answers of two readers never end up in one file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from io import FileIO
from pathlib import Path
from typing import Any

from readproof.errors import InputError
from readproof.files import check_place
from readproof.items import Answer, Mark

_FORMAT = 1


def part_of(out: Path) -> Path:
    """Where the answers wait until the predictions can be written."""
    return out.with_name(out.name + ".part.jsonl")


def read_part(path: Path, header: Mapping[str, Any]) -> tuple[dict[int, Answer], int]:
    """The answers by their number, and how many bytes of the file are whole; another job's file is refused."""
    if not path.exists():
        return {}, 0
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if not lines:
        return {}, 0
    found = _parsed(lines[0])
    expected = {"readproof": _FORMAT, **header}
    if found != expected:
        differs = [name for name in expected if not isinstance(found, dict) or found.get(name) != expected[name]]
        raise InputError(
            file=path,
            place="line 1",
            found=f"answers to another job (its {' and '.join(differs) or 'form'} differs)",
            expected="answers by the same reader to the same data",
            do="Add --fresh to throw them away and begin again, or choose another output.",
        )
    answers: dict[int, Answer] = {}
    for number, line in enumerate(lines[1:], start=2):
        record = _parsed(line)
        if not isinstance(record, dict) or not isinstance(record.get("at"), int) or "id" not in record:
            raise _no_answer(path, number, line)
        at = record.pop("at")
        try:
            answers[at] = _answer(record)
        except TypeError:
            raise _no_answer(path, number, line) from None
    return answers, whole


@contextmanager
def appending(path: Path, header: Mapping[str, Any], whole: int) -> Iterator[FileIO]:
    """The file, cut to its whole lines, open at its end; unbuffered, so that what is written survives the process."""
    check_place(path)
    with path.open("r+b" if path.exists() else "x+b", buffering=0) as file:
        file.truncate(whole)
        file.seek(whole)
        if not whole:
            file.write(_line({"readproof": _FORMAT, **header}))
        yield file


def add(file: FileIO, number: int, answer: Answer) -> None:
    """One more answer, in one write."""
    record = {one.name: getattr(answer, one.name) for one in fields(Answer) if getattr(answer, one.name) != one.default}
    record["marks"] = [[mark.start, mark.end, mark.type] for mark in answer.marks]
    file.write(_line({"at": number, **record}))


def _line(record: Mapping[str, Any]) -> bytes:
    # ASCII: a lone surrogate survives, and a line is never cut inside a character
    return (json.dumps(record) + "\n").encode("ascii")


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _no_answer(path: Path, number: int, line: bytes) -> InputError:
    found = line[:60].decode("utf-8", "replace")
    return InputError(
        file=path, place=f"line {number}", found=found, expected="an answer", do="Add --fresh to begin again."
    )


def _answer(record: dict[str, Any]) -> Answer:
    marks = tuple(Mark(*mark) for mark in record.pop("marks", []))
    scores = tuple(record.pop("scores", []))
    return Answer(**record, marks=marks, scores=scores)
