"""The two layouts of ELUE prediction files, line by line: JSON lines with `modules`, and a table `index pred modules`.

Each line gives a record as the CELUE guide has it, or a problem; a bad line never hides the ones after it.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from readproof.efficiency.problems import Problem, whole_file
from readproof.errors import InputError, shown
from readproof.files import open_binary, read_bytes

HEADER = ("index", "pred", "modules")
LARGEST = 256 << 20
MODULES = "modules"
_KEY = '"modules"'
_INTEGER = re.compile(r"-?[0-9]{1,9}")
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)


class Line(NamedTuple):
    """A line of predictions: its number, its raw text, and the record in it."""

    number: int
    raw: bytes
    record: dict[str, Any]
    table: bool = False

    def column(self, key: str) -> int:
        """Where a key's value is spoken of, from 1."""
        text = self.raw.decode("utf-8", "replace")
        if self.table:
            return 1 + (text.rfind("\t") + 1 if key == MODULES else text.find("\t") + 1)
        return 1 + max(text.find(f'"{key}"'), 0)

    def column_within(self, text: str, offset: int) -> int:
        """The column of a character of the `modules` text, whatever escapes stand before it."""
        raw = self.raw.decode("utf-8", "replace")
        if self.table:
            return raw.rfind("\t") + 2 + offset
        start = re.search(rf"{_KEY}\s*:\s*\"", raw)
        at = start.end() if start else 0
        for _ in range(min(offset, len(text))):
            escape = _ESCAPE.match(raw, at)
            at = escape.end() if escape else at + 1
        return at + 1


def read_lines(path: Path, answer_key: str) -> Iterator[Line | Problem]:
    """The lines of a prediction file; `answer_key` is where a table's `pred` belongs in a record."""
    rows = _content(path).split(b"\n")
    while rows and not rows[-1].strip():
        rows.pop()
    if not rows:
        yield whole_file(path, "an empty file", "a line for each item")
        return
    if path.name.removesuffix(".gz").removesuffix(".xz").endswith(".tsv"):
        yield from _table(path, rows, answer_key)
    else:
        yield from _objects(path, rows)


def _content(path: Path) -> bytes:
    parts = []
    total = 0
    with open_binary(path) as file:
        while part := read_bytes(file, path, seen=total):
            parts.append(part)
            total += len(part)
            if total > LARGEST:
                raise InputError(
                    file=path,
                    found=f"a file of over {LARGEST >> 20} MB",
                    expected="a prediction file",
                )
    return b"".join(parts).removeprefix(codecs.BOM_UTF8)


def _objects(path: Path, rows: list[bytes]) -> Iterator[Line | Problem]:
    loads = orjson.loads
    for number, raw in enumerate(rows, 1):
        try:
            record = loads(raw)
        except orjson.JSONDecodeError as error:
            yield _no_json(path, number, raw, error)
            continue
        if type(record) is not dict:
            yield Problem(str(path), number, 1, shown(record), "an object on each line")
            continue
        if raw.count(b'"modules"') > 1 and _repeated(raw):
            yield Problem(str(path), number, 1, "the key 'modules' twice", "each key once")
            continue
        yield Line(number, raw, record)


def _no_json(path: Path, number: int, raw: bytes, error: orjson.JSONDecodeError) -> Problem:
    if not raw.strip():
        return Problem(str(path), number, 1, "an empty line", "an object on each line: their order says which is which")
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        column = len(raw[: wrong.start].decode("utf-8")) + 1
        return Problem(str(path), number, column, f"the byte {raw[wrong.start]:02x}", "UTF-8 text")
    return Problem(str(path), number, error.colno, f"no JSON ({error.msg})", "an object on each line")


def _repeated(raw: bytes) -> bool:
    top: list[str] = []
    # the outermost object is told last
    json.loads(raw, object_pairs_hook=lambda pairs: top.__setitem__(slice(None), [key for key, _ in pairs]))
    return top.count(MODULES) > 1


def _table(path: Path, rows: list[bytes], answer_key: str) -> Iterator[Line | Problem]:
    head = tuple(rows[0].decode("utf-8", "replace").strip("\r").split("\t"))
    if head != HEADER:
        yield Problem(str(path), 1, 1, f"the header {shown(' '.join(head))}", "index, pred and modules between tabs")
    for number, raw in enumerate(rows[1:], 2):
        raw = raw.removesuffix(b"\r")
        try:
            fields = raw.decode("utf-8").split("\t")
        except UnicodeDecodeError as wrong:
            yield Problem(str(path), number, wrong.start + 1, f"the byte {raw[wrong.start]:02x}", "UTF-8 text")
            continue
        if len(fields) != len(HEADER):
            yield Problem(str(path), number, 1, f"{len(fields)} columns", "three: index, pred and modules between tabs")
            continue
        if fields[0] != str(number - 2):
            yield Problem(str(path), number, 1, f"the index {shown(fields[0])}", f"{number - 2}: indices count from 0")
            continue
        yield Line(number, raw, {answer_key: _said(fields[1]), MODULES: fields[2]}, table=True)


def _said(text: str) -> Any:
    """A number, a list in JSON (marks), or a text."""
    if _INTEGER.fullmatch(text):
        return int(text)
    if text.startswith("["):
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            return text
    return text
