"""GCRC_advRobust.json: every row looked at, ids held against the test file, letters against the options."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from readproof.errors import InputError
from readproof.items import LETTERS, Triple
from readproof.reports.labels import Label
from readproof.submit.archive import decoded
from readproof.submit.problems import Problems, UnreadableError, picture, word
from readproof.tasks import gcrc
from readproof.tasks.metrics.triples import KEYS

# The rows of a prediction file {"data": [ … ]} with the line each starts in: messages must lead to the place.

MOST_ROWS = 5000
_MOST_REPEATED = 20
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class PackageRow:
    """One record of the list, its number, its line, and its own text."""

    number: int
    line: int
    record: Any
    text: str

    def place(self, key: str = "") -> str:
        """The line of the row, or of one of its keys."""
        line = self.line
        if key:
            found = re.search(rf'"{re.escape(key)}"\s*:', self.text)
            line += self.text.count("\n", 0, found.start()) if found else 0
        return f"line {line}, data[{self.number}]{'.' + key if key else ''}"


def read_rows(text: str, label: str, problems: Problems) -> Iterator[PackageRow]:
    """The rows in order; refused where the text is no JSON or has another layout."""
    scan = _Scan(text)
    if scan.peek() != "{":
        scan.value()
        what = word("list" if scan.first == "[" else "no-object")
        raise UnreadableError("G214", "line 1", what=what)
    seen = False
    for key in scan.names():
        if key != "data" or scan.peek() != "[":
            value = scan.value()
            if key == "data":
                raise UnreadableError("G214", f"line {scan.line}", what=word("data-is", value=picture(value)))
            continue
        seen = True
        for row in scan.elements():
            if row.number >= MOST_ROWS:
                raise UnreadableError("G229", f"line {row.line}", most=MOST_ROWS)
            for repeated in scan.repeated:
                problems.add("G228", label, row.place(repeated), key=repeated)
            scan.repeated.clear()
            yield row
    for repeated in scan.repeated:
        problems.add("G228", label, "line 1", key=repeated)
    if scan.peek():
        scan.fail(word("more-text"))
    if not seen:
        raise UnreadableError("G214", "line 1", what=word("no-data"))


class _Scan:
    """The text read value by value."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counted = 0
        self.line = 1
        self.first = text.lstrip(" \t\r\n")[:1]
        self.repeated: list[str] = []
        self._decoder = json.JSONDecoder(object_pairs_hook=self._pairs, parse_constant=self._constant)

    def peek(self) -> str:
        match = _SPACE.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return self._text[self._at : self._at + 1]

    def names(self) -> Iterator[str]:
        """The keys of an object; after each the value must be taken."""
        self._at += 1
        if self.peek() == "}":
            self._at += 1
            return
        met: set[str] = set()
        while True:
            if self.peek() != '"':
                self.fail(word("no-key"))
            key = self.value()
            if key in met and len(self.repeated) < _MOST_REPEATED:
                self.repeated.append(key)
            met.add(key)
            if self.peek() != ":":
                self.fail(word("no-colon"))
            self._at += 1
            self.peek()
            yield key
            if not self._goes_on("}"):
                return

    def elements(self) -> Iterator[PackageRow]:
        """The elements of a list."""
        self._at += 1
        if self.peek() == "]":
            self._at += 1
            return
        number = 0
        while True:
            self.peek()
            self._move()
            line, start = self.line, self._at
            record = self.value()
            yield PackageRow(number, line, record, self._text[start : self._at])
            number += 1
            if not self._goes_on("]"):
                return

    def value(self) -> Any:
        self.peek()
        try:
            value, self._at = self._decoder.raw_decode(self._text, self._at)
        except json.JSONDecodeError as error:
            self._at = error.pos
            self.fail(error.msg)
        except StopIteration as error:
            self._at = int(error.value)
            self.fail(word("no-end"))
        except RecursionError:
            self.fail(word("too-deep"))
        except ValueError as error:
            self.fail(str(error))
        self._move()
        return value

    def fail(self, reason: Label | str) -> NoReturn:
        at = min(self._at, len(self._text))
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        raise UnreadableError("G213", f"line {line}, column {column}", reason=reason)

    def _goes_on(self, close: str) -> bool:
        sign = self.peek()
        if sign not in (",", close) or not sign:
            self.fail(word("no-comma" if sign else "no-end"))
        self._at += 1
        return sign == ","

    def _move(self) -> None:
        self.line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at

    def _pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            met: set[str] = set()
            for key, _ in pairs:
                if key in met and key not in self.repeated and len(self.repeated) < _MOST_REPEATED:
                    self.repeated.append(key)
                met.add(key)
        return found

    def _constant(self, name: str) -> NoReturn:
        raise ValueError(f"{name} is no JSON")


# the public test file
TEST_ROWS = 288
_OPTIONS = 4
_BOM = b"\xef\xbb\xbf"
_TEXTS = {"answer": "options", "positive_answer": "positive_options", "negative_answer": "negative_options"}


@dataclass(frozen=True, slots=True)
class TestQuestion:
    """An item of the test file: its texts under the keys that a row has them under."""

    texts: Mapping[str, Any]

    def count(self, key: str) -> int:
        return len(self.texts[_TEXTS[key]])


def read_test(path: Path) -> dict[str, TestQuestion]:
    """The items of a test file by their ids."""
    found = {}
    for item in gcrc.load(path):
        if not isinstance(item, Triple):
            raise InputError(file=path, found=f"{item.id!r} without its other forms", expected="the test or dev file")
        forms = (item.original, item.positive, item.negative)
        texts: dict[str, Any] = {key: list(one.options) for key, one in zip(_TEXTS.values(), forms, strict=True)}
        texts |= {"question": item.original.question, "negative_question": item.negative.question}
        found[item.id] = TestQuestion(texts | {"passage": item.original.passage})
    return found


def check_letters(data: bytes, label: str, test: Mapping[str, TestQuestion] | None, problems: Problems) -> int:
    """Look at a whole prediction file; returns how many rows it has."""
    if data.startswith(_BOM):
        problems.add("G212", label, "line 1")
        data = data.removeprefix(_BOM)
    first: dict[str, str] = {}
    bare: Counter[str] = Counter()
    count = 0
    try:
        for row in read_rows(decoded(data, "G211"), label, problems):
            count += 1
            identity = _check_row(row, label, first, test, problems)
            if isinstance(row.record, dict):
                bare.update(key for key in ("passage", "options") if key not in row.record)
                if test and identity in test:
                    _compare(row, test[identity], label, problems)
    except UnreadableError as refused:
        problems.refuse(refused, label)
        return count
    if not count:
        problems.add("G215", label, "data")
        return 0
    if bare:
        problems.add("G227", label, count=max(bare.values()), keys=", ".join(bare))
    _whole(first, count, label, test, problems)
    return count


def _check_row(
    row: PackageRow, label: str, first: dict[str, str], test: Mapping[str, TestQuestion] | None, problems: Problems
) -> str:
    record = row.record
    if not isinstance(record, dict):
        problems.add("G216", label, row.place(), what=picture(record))
        return ""
    identity = _check_id(row, label, first, test, problems)
    for key in KEYS:
        if key not in record:
            problems.add("G217", label, row.place(), key=key)
        else:
            _check_letter(row, key, _options(record, key, test, identity), label, problems)
    return identity


def _check_id(
    row: PackageRow, label: str, first: dict[str, str], test: Mapping[str, TestQuestion] | None, problems: Problems
) -> str:
    if "id" not in row.record:
        problems.add("G217", label, row.place(), key="id")
        return ""
    identity = row.record["id"]
    place = row.place("id")
    if not isinstance(identity, str):
        problems.add("G218", label, place, what=picture(identity))
        return ""
    if identity in first:
        problems.add("G219", label, place, id=identity, first=first[identity])
    else:
        first[identity] = place
        if test is not None and identity not in test:
            problems.add("G220", label, place, id=identity)
    return identity


def _options(record: Mapping[str, Any], key: str, test: Mapping[str, TestQuestion] | None, identity: str) -> int:
    if test and identity in test:
        return test[identity].count(key)
    given = record.get(_TEXTS[key])
    return len(given) if isinstance(given, list) and 0 < len(given) <= len(LETTERS) else _OPTIONS


def _check_letter(row: PackageRow, key: str, count: int, label: str, problems: Problems) -> None:
    value = row.record[key]
    last = LETTERS[count - 1]
    if value is None or value == "":
        problems.add("G224", label, row.place(key), key=key)
    elif not isinstance(value, str) or len(value) != 1 or value not in LETTERS:
        problems.add("G222", label, row.place(key), key=key, what=picture(value), last=last)
    elif value > last:
        problems.add("G223", label, row.place(key), key=key, what=value, count=count, last=last)


def _compare(row: PackageRow, asked: TestQuestion, label: str, problems: Problems) -> None:
    for key, wanted in asked.texts.items():
        if key in row.record and row.record[key] != wanted:
            problems.add("G226", label, row.place(key), key=key)


def _whole(
    first: Iterable[str], count: int, label: str, test: Mapping[str, TestQuestion] | None, problems: Problems
) -> None:
    if test is None:
        if count != TEST_ROWS:
            problems.add("G225", label, count=count, wanted=TEST_ROWS)
        return
    given = set(first)
    for identity in test:
        if identity not in given:
            problems.add("G221", label, identity, id=identity, count=len(test))
