"""The prediction lines of CELUE's five tasks: keys, labels, places and modules of every line, streamed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from readproof.efficiency.modules import GrammarError, parse
from readproof.errors import InputError
from readproof.items import ChoiceItem, LabelItem, TagItem
from readproof.reports.labels import Label
from readproof.submit.archive import decoded
from readproof.submit.problems import Problems, UnreadableError, picture, word
from readproof.tasks import TASKS
from readproof.tasks.celue.segpos import BEYOND

# The labels of CELUE's tasks: those that a task publishes, and those that only its data has.


LABELLED = ("chnc", "cmeee", "pku-segpos")
# a scorer takes them for right where the gold answers have them, so they are no mistake
_BEYOND_OF: Mapping[str, tuple[str, ...]] = {"pku-segpos": BEYOND}


def published(task: str) -> tuple[str, ...]:
    """The labels that the task lists."""
    return TASKS.get(task).labels


def beyond(task: str) -> tuple[str, ...]:
    """The labels that published data has and the task's list has not."""
    return _BEYOND_OF.get(task, ())


FOLDERS = ("ccpm", "chnc", "cmeee", "pku-segpos", "wordseg-weibo")
KEYS = dict(zip(FOLDERS, ("answer", "label", "entities", "span_list", "ans"), strict=True))
# as published; the task's table rounds to hundreds
PUBLISHED = {"ccpm": 2720, "chnc": 36000, "cmeee": 3000, "pku-segpos": 4800, "wordseg-weibo": 8600}
ROUNDED = 50
MOST_LINES = 100_000
_MOST_LINE = 1 << 20
_CHOICES = 4
# a file with so many faults is not read any further; a sentence has fewer words than this
MOST_FAULTS = 20_000
_MOST_MARKS = 5000
_BOM = b"\xef\xbb\xbf"
_UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class TestItem:
    """An item of a test file: its text, or how many choices it has."""

    text: str = ""
    choices: int = 0


@dataclass(slots=True)
class Lines:
    """One file as it is checked."""

    task: str
    label: str
    problems: Problems
    test: Sequence[TestItem] | None = None
    names: frozenset[str] | None = None
    faults: int = 0
    _unknown: set[str] = field(default_factory=set)
    _unlisted: set[str] = field(default_factory=set)
    _strange: dict[int, str] = field(default_factory=dict)

    def tell(self, code: str, place: str, **values: object) -> None:
        self.faults += 1
        self.problems.add(code, self.label, place, **values)

    def no_key(self, number: int, record: Mapping[str, Any]) -> None:
        """The task's key is missing; where another task's stands in its place, the end of the file tells what it is."""
        other = next((task for task in FOLDERS if KEYS[task] in record), None)
        if other is None:
            self._tell_key(number)
        else:
            self._strange[number] = other

    def end(self, count: int) -> None:
        """All of another task is one mistake; some lines of it are a mistake each."""
        others = set(self._strange.values())
        if len(self._strange) == count and len(others) == 1:
            other = others.pop()
            self.tell("C607", "", count=count, key=KEYS[other], other=other, task=self.task, keys=_keys(self.task))
            return
        for number in self._strange:
            self._tell_key(number)

    def _tell_key(self, number: int) -> None:
        self.tell("C614", f"line {number}", key=KEYS[self.task], keys=_keys(self.task))

    def asked(self, number: int) -> TestItem | None:
        return self.test[number - 1] if self.test is not None and number <= len(self.test) else None

    def module(self, name: str, place: str) -> None:
        """Each module that the model file does not have is told once."""
        if self.names is not None and name not in self.names and name not in self._unknown:
            self._unknown.add(name)
            self.tell("C626", place, name=name, names=", ".join(sorted(self.names)))

    def tag(self, name: str, place: str) -> None:
        """A label of the task; one that only its data has is told once."""
        known = published(self.task)
        if name in known:
            return
        # the list is ours and is shown whole
        listed = ", ".join(known)
        labels = Label(listed, listed)
        if name not in beyond(self.task):
            self.tell("C616", place, what=name, labels=labels)
        elif name not in self._unlisted:
            self._unlisted.add(name)
            self.tell("C630", place, what=name, labels=labels)


def _keys(task: str) -> str:
    return f"{KEYS[task]}, modules"


def read_test(task: str, path: Path) -> list[TestItem]:
    """The items of a test file, in order."""
    found = []
    for item in TASKS.get(task).load(path):
        if isinstance(item, ChoiceItem):
            found.append(TestItem(choices=len(item.options)))
        elif isinstance(item, TagItem | LabelItem):
            found.append(TestItem(item.text))
        else:
            raise InputError(file=path, found=f"items of another kind than {task} has", expected=f"a file of {task}")
    return found


def check_lines(pieces: Iterable[bytes], lines: Lines) -> int:
    """Look at a whole file; returns how many lines it has."""
    count = _count_lines(pieces, lines)
    lines.end(count)
    return count


def _count_lines(pieces: Iterable[bytes], lines: Lines) -> int:
    count = 0
    for number, line in _lines(pieces):
        if number > MOST_LINES:
            lines.tell("C627", f"line {number}", most=MOST_LINES)
            return count
        count = number
        _check_line(number, line, lines)
        if lines.faults > MOST_FAULTS:
            lines.tell("C629", f"line {number}", most=MOST_FAULTS)
            return count
    return count


def _lines(pieces: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Numbered lines; a file may end with a line feed or not."""
    rest = b""
    number = 0
    for piece in pieces:
        found = (rest + piece).split(b"\n")
        rest = found.pop()
        for line in found:
            number += 1
            yield number, line
        if len(rest) > _MOST_LINE:
            raise UnreadableError("C612", f"line {number + 1}", reason=word("long-line"))
    if rest.strip():
        yield number + 1, rest


def _check_line(number: int, line: bytes, lines: Lines) -> None:
    place = f"line {number}"
    if number == 1 and line.startswith(_BOM):
        lines.tell("C611", place, hint=word("bom"))
        line = line.removeprefix(_BOM)
    if not line.strip():
        lines.tell("C613", place)
        return
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        try:
            decoded(line, "C611")
        except UnreadableError as refused:
            lines.tell("C611", place, **refused.values)
            return
        lines.tell("C612", f"{place}, column {error.pos + 1}", reason=error.msg)
        return
    if not isinstance(record, dict):
        lines.tell("C612", place, reason=picture(record))
        return
    key = KEYS[lines.task]
    if key not in record:
        lines.no_key(number, record)
    elif record[key] is None:
        lines.tell("C628", f"{place}, {key}", key=key)
    else:
        _CHECKS[lines.task](record[key], f"{place}, {key}", lines.asked(number), lines)
    if "modules" in record:
        _modules(record["modules"], f"{place}, modules", lines)
    else:
        lines.tell("C614", place, key="modules", keys=_keys(lines.task))


def _modules(value: Any, place: str, lines: Lines) -> None:
    if not isinstance(value, str):
        lines.tell("C615", place, key="modules", what=picture(value), wanted="(21),emb;(21,768),layer_1;…")
        return
    found = _parsed(value)
    if isinstance(found, GrammarError):
        lines.tell(
            "C625",
            f"{place}[{found.offset}]",
            what=word("cannot-parse", found=found.found, text=picture(value[found.offset : found.offset + 30])),
        )
        return
    for name in found:
        lines.module(name, place)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> tuple[str, ...] | GrammarError:
    try:
        return tuple(dict.fromkeys(use.name for use in parse(text)))
    except GrammarError as error:
        return error


def _choice(value: Any, place: str, asked: TestItem | None, lines: Lines) -> None:
    count = asked.choices if asked else _CHOICES
    if type(value) is not int or not 0 <= value < count:
        # a text or 1.0 may mean a choice, a number that no choice has cannot
        what = word("never-right", value=value) if type(value) is int else picture(value)
        lines.tell("C617", place, what=what, last=count - 1)


def _label(value: Any, place: str, _asked: TestItem | None, lines: Lines) -> None:
    if not isinstance(value, str):
        lines.tell("C615", place, key="label", what=picture(value), wanted=word("text"))
    else:
        lines.tag(value, place)


def _words(value: Any, place: str, asked: TestItem | None, lines: Lines) -> None:
    if not isinstance(value, str):
        lines.tell("C615", place, key="ans", what=picture(value), wanted=word("words-between"))
        return
    said = "".join(value.split())
    if asked and said != asked.text:
        at = next((at for at, pair in enumerate(zip(said, asked.text, strict=False)) if pair[0] != pair[1]), None)
        at = min(len(said), len(asked.text)) if at is None else at
        lines.tell("C621", f"{place}[{at}]", said=picture(said[at : at + 12]), has=picture(asked.text[at : at + 12]))


def _spans(
    value: Any, place: str, asked: TestItem | None, lines: Lines, *, start: str, end: str, inclusive: bool, apart: bool
) -> None:
    """A list of typed places; `apart` says that they may not overlap."""
    if not isinstance(value, list) or len(value) > _MOST_MARKS:
        lines.tell("C615", place, key=KEYS[lines.task], what=picture(value), wanted=word("list-of", most=_MOST_MARKS))
        return
    seen: list[tuple[int, int, str]] = []
    for index, entry in enumerate(value):
        here = f"{place}[{index}]"
        span = _span(entry, here, (start, end, "type"), lines)
        if span is None:
            continue
        first, last, kind = span
        lines.tag(kind, here)
        after = last + inclusive
        length = len(asked.text) if asked else None
        if first < 0 or after <= first or (length is not None and after > length):
            lines.tell("C618", here, start=first, end=last, length=_UNKNOWN if length is None else length)
            continue
        said = entry.get("entity")
        if asked and inclusive and said is not None and said != asked.text[first:after]:
            lines.tell("C620", here, said=picture(said), has=picture(asked.text[first:after]))
        seen.append((first, after, kind))
    _repeated(sorted(seen), place, lines, apart=apart, inclusive=inclusive)


def _repeated(seen: Sequence[tuple[int, int, str]], place: str, lines: Lines, *, apart: bool, inclusive: bool) -> None:
    for before, one in pairwise(seen):
        if one == before or (apart and one[0] < before[1]):
            earlier = f"{before[0]}–{before[1] - inclusive}"
            lines.tell("C619", place, start=one[0], end=one[1] - inclusive, before=earlier)


def _span(entry: Any, place: str, keys: tuple[str, str, str], lines: Lines) -> tuple[int, int, str] | None:
    if not isinstance(entry, dict):
        lines.tell(
            "C615", place, key=KEYS[lines.task], what=picture(entry), wanted=word("object-with", keys=", ".join(keys))
        )
        return None
    for key in keys:
        if key not in entry:
            lines.tell("C614", place, key=key, keys=", ".join(keys))
            return None
        kind = str if key == "type" else int
        if type(entry[key]) is not kind:
            wanted = word("text" if kind is str else "number")
            lines.tell("C615", place, key=key, what=picture(entry[key]), wanted=wanted)
            return None
    return entry[keys[0]], entry[keys[1]], entry[keys[2]]


def _entities(value: Any, place: str, asked: TestItem | None, lines: Lines) -> None:
    _spans(value, place, asked, lines, start="start_idx", end="end_idx", inclusive=True, apart=False)


def _tags(value: Any, place: str, asked: TestItem | None, lines: Lines) -> None:
    _spans(value, place, asked, lines, start="start", end="end", inclusive=False, apart=True)


_Check = Callable[[Any, str, TestItem | None, Lines], None]
_CHECKS: Mapping[str, _Check] = dict(zip(FOLDERS, (_choice, _label, _entities, _tags, _words), strict=True))
