"""The rows of a prediction file {"data": [ … ]} with the line each starts in: messages must lead to the place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from readproof.report.labels import Label
from readproof.submit.problems import Problems, Refused, picture, word

MOST_ROWS = 5000
_MOST_REPEATED = 20
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Row:
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


def read_rows(text: str, label: str, problems: Problems) -> Iterator[Row]:
    """The rows in order; refused where the text is no JSON or has another layout."""
    scan = _Scan(text)
    if scan.peek() != "{":
        scan.value()
        what = word("list" if scan.first == "[" else "no-object")
        raise Refused("G214", "line 1", what=what)
    seen = False
    for key in scan.names():
        if key != "data" or scan.peek() != "[":
            value = scan.value()
            if key == "data":
                raise Refused("G214", f"line {scan.line}", what=word("data-is", value=picture(value)))
            continue
        seen = True
        for row in scan.elements():
            if row.number >= MOST_ROWS:
                raise Refused("G229", f"line {row.line}", most=MOST_ROWS)
            for repeated in scan.repeated:
                problems.add("G228", label, row.place(repeated), key=repeated)
            scan.repeated.clear()
            yield row
    for repeated in scan.repeated:
        problems.add("G228", label, "line 1", key=repeated)
    if scan.peek():
        scan.fail(word("more-text"))
    if not seen:
        raise Refused("G214", "line 1", what=word("no-data"))


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

    def elements(self) -> Iterator[Row]:
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
            yield Row(number, line, record, self._text[start : self._at])
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
        raise Refused("G213", f"line {line}, column {column}", reason=reason)

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
