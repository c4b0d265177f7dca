"""The answers given so far, on disk, as `partfile` keeps them: one line an answer, by its number in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from io import FileIO
from pathlib import Path
from typing import Any

from readproof import partfile
from readproof.errors import InputError
from readproof.items import Answer, Mark
from readproof.partfile import appending, part_of

__all__ = ["add", "appending", "part_of", "read_part"]


def read_part(path: Path, header: Mapping[str, Any]) -> tuple[dict[int, Answer], int]:
    """The answers by their number, and how many bytes of the file are whole; another job's file is refused."""
    count, whole = partfile.whole_bytes(path, header)
    if not count:
        return {}, whole
    answers: dict[int, Answer] = {}
    for number, record in enumerate(partfile.results(path), start=2):
        if not isinstance(record, dict) or not isinstance(record.get("at"), int) or "id" not in record:
            raise _no_answer(path, number, record)
        at = record.pop("at")
        try:
            answers[at] = _answer(record)
        except TypeError:
            raise _no_answer(path, number, record) from None
    return answers, whole


def add(file: FileIO, number: int, answer: Answer) -> None:
    """One more answer, in one write."""
    record = {one.name: getattr(answer, one.name) for one in fields(Answer) if getattr(answer, one.name) != one.default}
    record["marks"] = [[mark.start, mark.end, mark.type] for mark in answer.marks]
    partfile.add(file, {"at": number, **record})


def _no_answer(path: Path, number: int, record: Any) -> InputError:
    expected, do = "an answer", "Add --fresh to begin again."
    return InputError(file=path, place=f"line {number}", found=str(record)[:60], expected=expected, do=do)


def _answer(record: dict[str, Any]) -> Answer:
    marks = tuple(Mark(*mark) for mark in record.pop("marks", []))
    scores = tuple(record.pop("scores", []))
    return Answer(**record, marks=marks, scores=scores)
