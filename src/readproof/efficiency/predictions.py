"""A prediction file of CELUE with its modules: what was answered, and what each answer cost, read in one pass.

All malformed lines are found and told together. Equal modules texts are parsed once; a file has some hundred of them
for its tens of thousands of lines.
"""

from __future__ import annotations

import codecs
import json
import re
from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from readproof.efficiency.modules import GrammarError, ModuleUse, Trace, parse, placed
from readproof.errors import InputError, shown
from readproof.files import open_binary, read_bytes
from readproof.tasks.fields import of_type
from readproof.tasks.layouts import marks
from readproof.tasks.layouts.closed import ClosedPredictions
from readproof.tasks.layouts.marks import ENTITIES, SPANS, MarkPredictions

# Everything that is wrong with prediction files, found in one pass and told at once.


_PRINTED = 20


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """One fault, at a line and a column of a file (both from 1; 0 where the whole file is meant)."""

    file: str
    line: int
    column: int
    found: str
    expected: str

    def sentence(self) -> str:
        place = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.file}{place}: found {self.found}; expected {self.expected}"


class ProblemsError(InputError):
    """Input with one or more problems; the message has the first ones, `problems` all of them."""

    def __init__(self, problems: Sequence[SourceProblem], do: str = "") -> None:
        self.problems = tuple(problems)
        files = list(dict.fromkeys(problem.file for problem in problems))
        count = len(self.problems)
        super().__init__(
            file=files[0] if len(files) == 1 else "",
            found=f"{count} problem{'s' * (count != 1)}{f' in {len(files)} files' * (len(files) > 1)}",
            expected="none",
            do=do,
        )

    def __str__(self) -> str:
        lines = [f"  {problem.sentence()}" for problem in self.problems[:_PRINTED]]
        left = len(self.problems) - _PRINTED
        if left > 0:
            lines.append(f"  … and {left} more; --json lists all of them.")
        return "\n".join([self._sentence(), *lines])


def record_of(problems: Sequence[SourceProblem]) -> list[dict[str, Any]]:
    """All problems, for a program."""
    return [asdict(problem) for problem in problems]


def whole_file(path: Path | str, found: str, expected: str) -> SourceProblem:
    """A problem of a file as a whole."""
    return SourceProblem(str(path), 0, 0, found, expected)


# The two layouts of ELUE prediction files, line by line: JSON lines with `modules`, and a table `index pred modules`.
#
# Each line gives a record as the CELUE guide has it, or a problem; a bad line never hides the ones after it.


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


def read_lines(path: Path, answer_key: str) -> Iterator[Line | SourceProblem]:
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


def _objects(path: Path, rows: list[bytes]) -> Iterator[Line | SourceProblem]:
    loads = orjson.loads
    for number, raw in enumerate(rows, 1):
        try:
            record = loads(raw)
        except orjson.JSONDecodeError as error:
            yield _no_json(path, number, raw, error)
            continue
        if type(record) is not dict:
            yield SourceProblem(str(path), number, 1, shown(record), "an object on each line")
            continue
        if raw.count(b'"modules"') > 1 and _repeated(raw):
            yield SourceProblem(str(path), number, 1, "the key 'modules' twice", "each key once")
            continue
        yield Line(number, raw, record)


def _no_json(path: Path, number: int, raw: bytes, error: orjson.JSONDecodeError) -> SourceProblem:
    if not raw.strip():
        return SourceProblem(
            str(path), number, 1, "an empty line", "an object on each line: their order says which is which"
        )
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as wrong:
        column = len(raw[: wrong.start].decode("utf-8")) + 1
        return SourceProblem(str(path), number, column, f"the byte {raw[wrong.start]:02x}", "UTF-8 text")
    return SourceProblem(str(path), number, error.colno, f"no JSON ({error.msg})", "an object on each line")


def _repeated(raw: bytes) -> bool:
    top: list[str] = []
    # the outermost object is told last
    json.loads(raw, object_pairs_hook=lambda pairs: top.__setitem__(slice(None), [key for key, _ in pairs]))
    return top.count(MODULES) > 1


def _table(path: Path, rows: list[bytes], answer_key: str) -> Iterator[Line | SourceProblem]:
    head = tuple(rows[0].decode("utf-8", "replace").strip("\r").split("\t"))
    if head != HEADER:
        yield SourceProblem(
            str(path), 1, 1, f"the header {shown(' '.join(head))}", "index, pred and modules between tabs"
        )
    for number, raw in enumerate(rows[1:], 2):
        raw = raw.removesuffix(b"\r")
        try:
            fields = raw.decode("utf-8").split("\t")
        except UnicodeDecodeError as wrong:
            yield SourceProblem(str(path), number, wrong.start + 1, f"the byte {raw[wrong.start]:02x}", "UTF-8 text")
            continue
        if len(fields) != len(HEADER):
            yield SourceProblem(
                str(path), number, 1, f"{len(fields)} columns", "three: index, pred and modules between tabs"
            )
            continue
        if fields[0] != str(number - 2):
            yield SourceProblem(
                str(path), number, 1, f"the index {shown(fields[0])}", f"{number - 2}: indices count from 0"
            )
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


# the five tasks in the order of the guide: the folder's name, and the key of the answer in a line
ANSWER_KEYS = {
    "ccpm": "answer",
    "chnc": "label",
    "cmeee": "entities",
    "pku-segpos": "span_list",
    "wordseg-weibo": "ans",
}


@dataclass(frozen=True, slots=True)
class Predictions:
    """A file that was read: the answers as the task's metric takes them, and the modules of each line.

    `order` has for each line the number of its trace; `first` for each trace its first line.
    """

    path: Path
    answers: ClosedPredictions | MarkPredictions
    traces: Sequence[Trace]
    order: Sequence[int]
    first: Sequence[int]

    def uses(self) -> set[ModuleUse]:
        """The distinct modules and shapes."""
        return {use for trace in self.traces for use in trace}


def read(task: str, path: Path, *, inclusive: bool = False) -> tuple[Predictions | None, list[SourceProblem]]:
    """The predictions, or all problems of the file; `inclusive` says how PKU-SEGPOS counts the ends of words."""
    key = ANSWER_KEYS[task]
    answer_of = _reader(task, inclusive)
    problems: list[SourceProblem] = []
    answers: list[Any] = []
    order = array("q")
    traces = _Traces()
    for line in read_lines(path, key):
        if isinstance(line, SourceProblem):
            problems.append(line)
            continue
        answer, fault = _answer(answer_of, key, line, path)
        number = traces.number(line, path, problems)
        if fault is not None:
            problems.append(fault)
        answers.append(answer)
        order.append(number)
    if problems:
        return None, sorted(problems, key=lambda one: (one.line, one.column))
    if task in ("ccpm", "chnc"):
        closed = ClosedPredictions(path, {str(at): value for at, value in enumerate(answers)}, by="order")
        return Predictions(path, closed, traces.found, order, traces.first), []
    return Predictions(path, MarkPredictions(path, answers), traces.found, order, traces.first), []


def columns(task: str, path: Path, wanted: Collection[tuple[int, ModuleUse]]) -> dict[tuple[int, ModuleUse], int]:
    """The columns of modules in lines of a good file. It is read again: only errors need that, and no text is kept."""
    numbers = {number for number, _ in wanted}
    found: dict[tuple[int, ModuleUse], int] = {}
    for line in read_lines(path, ANSWER_KEYS[task]):
        if isinstance(line, Line) and line.number in numbers:
            text = line.record[MODULES]
            for offset, use in placed(text):
                found.setdefault((line.number, use), line.column_within(text, offset))
    return found


class _Traces:
    """Distinct traces, each parsed once, good or bad."""

    def __init__(self) -> None:
        self.found: list[Trace] = []
        self.first: list[int] = []
        self._known: dict[str, int | GrammarError] = {}

    def number(self, line: Line, path: Path, problems: list[SourceProblem]) -> int:
        text = line.record.get(MODULES)
        if type(text) is not str:
            what = "no key 'modules'" if MODULES not in line.record else f"modules: {shown(text)}"
            problems.append(
                SourceProblem(str(path), line.number, line.column(MODULES), what, "the modules that were passed")
            )
            return -1
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._new(text, line.number)
        if isinstance(known, GrammarError):
            column = line.column_within(text, known.offset)
            problems.append(SourceProblem(str(path), line.number, column, f"{known.found} in modules", known.expected))
            return -1
        return known

    def _new(self, text: str, line: int) -> int | GrammarError:
        try:
            trace = parse(text)
        except GrammarError as error:
            return error
        self.found.append(trace)
        self.first.append(line)
        return len(self.found) - 1


Answer = Callable[[Any, Path, str], Any]


def _answer(read_one: Answer, key: str, line: Line, path: Path) -> tuple[Any, SourceProblem | None]:
    try:
        return read_one(line.record, path, key), None
    except InputError as error:
        place = f" at {error.place}" if error.place not in ("", key, f"{key}.{key}") else ""
        return None, SourceProblem(str(path), line.number, line.column(key), f"{error.found}{place}", error.expected)


def _reader(task: str, inclusive: bool) -> Answer:
    if task == "ccpm":
        return partial(_closed, "answer", int)
    if task == "chnc":
        return partial(_closed, "label", str)
    if task == "wordseg-weibo":
        return marks.word_record
    return partial(marks.mark_record, ENTITIES if task == "cmeee" else replace(SPANS, inclusive=inclusive))


def _closed(key: str, kind: type, record: dict[str, Any], path: Path, place: str) -> Any:
    """An option's number or a label; null is no answer."""
    if key not in record:
        raise InputError(file=path, found=f"no key {key!r}", expected=f"an object with {key!r} and 'modules'")
    value = record[key]
    return value if value is None or type(value) is kind else of_type(value, kind, path, place)
