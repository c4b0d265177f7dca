"""A prediction file of CELUE with its modules: what was answered, and what each answer cost, read in one pass.

All malformed lines are found and told together. Equal modules texts are parsed once; a file has some hundred of them
for its tens of thousands of lines.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from readproof.efficiency.layouts import MODULES, Line, read_lines
from readproof.efficiency.modules import GrammarError, Trace, Use, parse, placed
from readproof.efficiency.problems import Problem
from readproof.errors import InputError, shown
from readproof.tasks.fields import of_type
from readproof.tasks.layouts import marks
from readproof.tasks.layouts.closed import ClosedPredictions
from readproof.tasks.layouts.marks import ENTITIES, SPANS, MarkPredictions

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

    def uses(self) -> set[Use]:
        """The distinct modules and shapes."""
        return {use for trace in self.traces for use in trace}


def read(task: str, path: Path, *, inclusive: bool = False) -> tuple[Predictions | None, list[Problem]]:
    """The predictions, or all problems of the file; `inclusive` says how PKU-SEGPOS counts the ends of words."""
    key = ANSWER_KEYS[task]
    answer_of = _reader(task, inclusive)
    problems: list[Problem] = []
    answers: list[Any] = []
    order = array("q")
    traces = _Traces()
    for line in read_lines(path, key):
        if isinstance(line, Problem):
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


def columns(task: str, path: Path, wanted: Collection[tuple[int, Use]]) -> dict[tuple[int, Use], int]:
    """The columns of modules in lines of a good file. It is read again: only errors need that, and no text is kept."""
    numbers = {number for number, _ in wanted}
    found: dict[tuple[int, Use], int] = {}
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

    def number(self, line: Line, path: Path, problems: list[Problem]) -> int:
        text = line.record.get(MODULES)
        if type(text) is not str:
            what = "no key 'modules'" if MODULES not in line.record else f"modules: {shown(text)}"
            problems.append(Problem(str(path), line.number, line.column(MODULES), what, "the modules that were passed"))
            return -1
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._new(text, line.number)
        if isinstance(known, GrammarError):
            column = line.column_within(text, known.offset)
            problems.append(Problem(str(path), line.number, column, f"{known.found} in modules", known.expected))
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


def _answer(read_one: Answer, key: str, line: Line, path: Path) -> tuple[Any, Problem | None]:
    try:
        return read_one(line.record, path, key), None
    except InputError as error:
        place = f" at {error.place}" if error.place not in ("", key, f"{key}.{key}") else ""
        return None, Problem(str(path), line.number, line.column(key), f"{error.found}{place}", error.expected)


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
