"""The answers given so far, on disk, as `partfile` keeps them: one line an answer, in the order of the questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from io import FileIO
from pathlib import Path
from typing import Any

from readproof import partfile
from readproof.errors import InputError
from readproof.items import Answer, Mark
from readproof.partfile import appending, part_of

__all__ = ["add", "answers", "appending", "part_of", "whole"]


def whole(path: Path, header: Mapping[str, Any]) -> tuple[int, int]:
    """How many answers the file has, and how many of its bytes are whole; damage or another job's file is refused."""
    count, size = partfile.whole_bytes(path, header)
    if count:
        for _ in answers(path):
            pass
    return count, size


def answers(path: Path) -> Iterator[Answer]:
    """The answers, in order."""
    for number, record in enumerate(partfile.results(path)):
        if not isinstance(record, dict) or record.pop("at", None) != number or "id" not in record:
            raise _no_answer(path, number + 2, record)
        try:
            answer = _answer(record)
        except TypeError:
            raise _no_answer(path, number + 2, record) from None
        yield answer


def add(file: FileIO, number: int, given: Sequence[Answer]) -> None:
    """More answers, in one write; the first is to the question of that number."""
    partfile.add_all(file, [{"at": at, **_record(answer)} for at, answer in enumerate(given, start=number)])


def _record(answer: Answer) -> dict[str, Any]:
    record = {one.name: getattr(answer, one.name) for one in fields(Answer) if getattr(answer, one.name) != one.default}
    record["marks"] = [[mark.start, mark.end, mark.type] for mark in answer.marks]
    return record


def _no_answer(path: Path, number: int, record: Any) -> InputError:
    expected, do = "an answer", "Add --fresh to begin again."
    return InputError(file=path, place=f"line {number}", found=str(record)[:60], expected=expected, do=do)


def _answer(record: dict[str, Any]) -> Answer:
    marks = tuple(Mark(*mark) for mark in record.pop("marks", []))
    scores = tuple(record.pop("scores", []))
    return Answer(**record, marks=marks, scores=scores)
