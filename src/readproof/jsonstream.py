"""JSON read record by record: a list, an object with a `data` list, JSON lines, or objects one after another.

A file of a million questions takes two gigabytes; only one record of it is in memory at a time.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NoReturn

import orjson

from readproof.errors import InputError, shown
from readproof.files import chunks, open_binary, read_bytes

Layout = Literal["data", "list", "objects", "empty"]

RECORD_LIMIT = 256 << 20
SMALL = 16 << 20
_SPACE = re.compile(r"[ \t\r\n]*")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_CUT_SHORT = 16
_MORE = "more text after the end of the JSON value"
_TRUNCATED = "The file may be truncated: fetch or write it again."


class _ConstantError(ValueError):
    """NaN or an infinity, which JSON does not have."""


def _refuse_constant(name: str) -> NoReturn:
    raise _ConstantError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


@dataclass(slots=True)
class Records:
    """What a JSON file holds: its layout, the keys beside `data`, and its records in order.

    `header` is complete only when the records have been read to the end.
    """

    path: Path
    layout: Layout = "empty"
    header: dict[str, Any] = field(default_factory=dict)
    _stream: Iterator[tuple[str, Any]] = field(default_factory=lambda: iter(()))

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Pairs of place and record; the place names the record in messages."""
        return self._stream


def records(path: Path, *, constants: bool = False) -> Records:
    """Open a JSON file for reading record by record; NaN and infinities are refused unless `constants` is on."""
    found = Records(path)
    if not constants and _read_small(path, found):
        return found
    scanner = _Scanner(path, chunks(path), json.JSONDecoder() if constants else _DECODER)
    first = scanner.peek()
    if first == "[":
        found.layout = "list"
        found._stream = _elements(scanner, "")
        return found
    if first == "{":
        _read_object(scanner, found)
        return found
    if first:
        scanner.fail(f"the character {first!r}", "JSON: an object or a list", do="Check that this is the right file.")
    return found


def _read_small(path: Path, found: Records) -> bool:
    """Read a small file at once, which is several times as fast; large or odd files are left to the scanner."""
    with open_binary(path) as file:
        data = read_bytes(file, path, SMALL + 1)
    if len(data) > SMALL:
        return False
    try:
        value = orjson.loads(data.removeprefix(codecs.BOM_UTF8))
    except orjson.JSONDecodeError:
        return False
    if isinstance(value, list):
        found.layout = "list"
        found._stream = ((f"[{index}]", one) for index, one in enumerate(value))
    elif isinstance(value, dict) and isinstance(value.get("data"), list):
        found.layout = "data"
        found._stream = ((f"data[{index}]", one) for index, one in enumerate(value.pop("data")))
        found.header = value
    elif isinstance(value, dict):
        found.layout = "objects"
        found.header = value
        found._stream = iter((("line 1", value),))
    else:
        return False
    return True


def load_json(path: Path, pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """The one JSON value in a file, whole."""
    decoder = _DECODER
    if pairs_hook is not None:
        decoder = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=pairs_hook)
    scanner = _Scanner(path, iter(("".join(chunks(path)),)), decoder)
    if not scanner.peek():
        scanner.fail("an empty file", "JSON")
    value = scanner.value()
    if scanner.peek():
        scanner.fail(_MORE, "one JSON value")
    return value


def members(path: Path) -> Iterator[tuple[str, Any]]:
    """The keys and values of the one object in a file, one by one; nothing where it holds something else."""
    scanner = _Scanner(path, chunks(path))
    if scanner.peek() != "{":
        return
    scanner.take("{")
    if scanner.peek() == "}":
        scanner.take("}")
    else:
        while True:
            key = _key(scanner)
            yield key, scanner.value()
            if scanner.take(",", "}") == "}":
                break
    if scanner.peek():
        scanner.fail(_MORE, "one JSON value")


def _read_object(scanner: _Scanner, found: Records) -> None:
    """An object is a file with a `data` list, one record of several in a row, or a single mapping."""
    scanner.take("{")
    found.layout = "objects"
    if _members(scanner, found.header, stop_at="data"):
        found.layout = "data"
        found._stream = _data_then_rest(scanner, found)
    else:
        found._stream = _objects(scanner, found.header)


def _members(scanner: _Scanner, into: dict[str, Any], stop_at: str = "") -> bool:
    """Read members of an object into a mapping up to its end; True if stopped before the list under `stop_at`."""
    if scanner.peek() == "}":
        scanner.take("}")
        return False
    while True:
        key = _key(scanner)
        if stop_at and key == stop_at and scanner.peek() == "[":
            return True
        into[key] = scanner.value()
        if scanner.take(",", "}") == "}":
            return False


def _key(scanner: _Scanner) -> str:
    """The next key of an object, and the colon behind it."""
    if scanner.peek() != '"':
        scanner.fail(scanner.found(), "a key in double quotes")
    key: str = scanner.value()
    scanner.take(":")
    return key


def _data_then_rest(scanner: _Scanner, found: Records) -> Iterator[tuple[str, Any]]:
    yield from _elements(scanner, "data")
    if scanner.take(",", "}") == ",":
        _members(scanner, found.header)
    if scanner.peek():
        scanner.fail(f"{scanner.found()} after the end of the object", "the end of the file")


def _elements(scanner: _Scanner, name: str) -> Iterator[tuple[str, Any]]:
    scanner.take("[")
    index = 0
    if scanner.peek() == "]":
        scanner.take("]")
    else:
        while True:
            yield f"{name}[{index}]", scanner.value()
            index += 1
            if scanner.take(",", "]") == "]":
                break
    if not name and scanner.peek():
        scanner.fail(f"{scanner.found()} after the end of the list", "the end of the file")


def _objects(scanner: _Scanner, first: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "line 1", first
    while scanner.peek():
        place = f"line {scanner.line}"
        if scanner.peek() != "{":
            scanner.fail(scanner.found(), "an object, as the ones before it")
        yield place, scanner.value()


class _Scanner:
    """A window over the text that grows when a value does not fit and never keeps what is behind it."""

    def __init__(self, path: Path, pieces: Iterator[str], decoder: json.JSONDecoder = _DECODER) -> None:
        self._path = path
        self._pieces = pieces
        self._decoder = decoder
        self._text = ""
        self._at = 0
        self._line = 1
        self._line_here = 1
        self._counted = 0
        self._column_base = 0
        self._ended = False
        self._suspect = False

    @property
    def line(self) -> int:
        """The line of the next value, counted on from where it was asked for last."""
        self._line_here += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line_here

    def peek(self) -> str:
        """The next character that is not white space, or nothing at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take(self, *allowed: str) -> str:
        found = self.peek()
        if found not in allowed or not found:
            self.fail(self.found(), " or ".join(map(repr, allowed)), do="" if found else _TRUNCATED)
        self._at += 1
        return found

    def found(self) -> str:
        character = self.peek()
        return f"the character {character!r}" if character else "the end of the file"

    def value(self) -> Any:
        """The next JSON value, whole."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._incomplete(error) and self._more():
                    continue
                self._broken(error)
            except StopIteration:
                if self._more():
                    continue
                self.fail("the end of the file", "a JSON value", do=_TRUNCATED)
            except _ConstantError as error:
                self._broken_constant(str(error))
            except RecursionError:
                self.fail("JSON nested more deeply than can be read", "a data file")
            except ValueError as error:
                self.fail(f"a value that cannot be read ({error})", "plain JSON")
            if end == len(self._text) and self._more():
                continue
            if self._suspect:
                self._refuse_surrogates(value)
            self._at = end
            return value

    def fail(self, found: str, expected: str, do: str = "", at: int | None = None) -> NoReturn:
        position = self._at if at is None else at
        line = self._line + self._text.count("\n", 0, position)
        start = self._text.rfind("\n", 0, position) + 1
        column = position - start + 1 + (self._column_base if start == 0 else 0)
        raise InputError(file=self._path, place=f"line {line}, column {column}", found=found, expected=expected, do=do)

    def _incomplete(self, error: json.JSONDecodeError) -> bool:
        unclosed = error.msg.startswith("Unterminated string")
        return not self._ended and (unclosed or error.pos >= len(self._text) - _CUT_SHORT)

    def _more(self) -> bool:
        """Read at least as much again as is waiting, so that a long value is tried a logarithmic number of times."""
        if self._ended:
            return False
        waiting = len(self._text) - self._at
        if waiting > RECORD_LIMIT:
            self.fail(f"one value of over {RECORD_LIMIT >> 20} million characters", "records of a data set")
        pieces = [self._text[self._at :]]
        gained = 0
        for piece in self._pieces:
            pieces.append(piece)
            gained += len(piece)
            if gained and gained >= waiting:
                break
        else:
            self._ended = True
        if not gained:
            return False
        self._drop_behind()
        self._text = "".join(pieces)
        self._suspect = self._suspect or bool(_SURROGATE_ESCAPE.search(self._text))
        return True

    def _drop_behind(self) -> None:
        lines = self._text.count("\n", 0, self._at)
        last = self._text.rfind("\n", 0, self._at)
        self._column_base = self._at - last - 1 if lines else self._column_base + self._at
        self._line += lines
        self._line_here = self._line
        self._counted = self._at = 0

    def _broken(self, error: json.JSONDecodeError) -> NoReturn:
        if error.pos >= len(self._text) or error.msg.startswith("Unterminated string"):
            self.fail("the end of the file inside a value", "the rest of the JSON", do=_TRUNCATED, at=error.pos)
        character = self._text[error.pos]
        self.fail(f"the character {character!r}", error.msg.removeprefix("Expecting ") + " (JSON)", at=error.pos)

    def _broken_constant(self, name: str) -> NoReturn:
        at = self._text.find(name, self._at)
        self.fail(name, "a JSON value (JSON has no NaN or infinity)", do="Write null or a number instead.", at=at)

    def _refuse_surrogates(self, value: Any) -> None:
        bad = _surrogate_text(value)
        if bad is not None:
            match = _SURROGATE_ESCAPE.search(self._text, self._at)
            self.fail(
                f"half of a surrogate pair in {shown(bad)}",
                "whole characters",
                do="Write the character whole, or leave the escape out.",
                at=match.start() if match else None,
            )


def _surrogate_text(value: Any) -> str | None:
    if isinstance(value, str):
        return value if any("\ud800" <= character <= "\udfff" for character in value) else None
    children = value if isinstance(value, list) else [*value, *value.values()] if isinstance(value, dict) else ()
    for child in children:
        bad = _surrogate_text(child)
        if bad is not None:
            return bad
    return None
