"""How many parameters an ONNX model has, read from its fields as they pass by: weights themselves are jumped over."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field

from readproof.submit.archive import size_of
from readproof.submit.problems import Refused
from readproof.submit.shapes import elements
from readproof.submit.views import Seekable

# numbers of fields in the ONNX format
_GRAPH = 7
_NODE, _INITIALIZER, _SPARSE = 1, 5, 15
_ATTRIBUTE = 5
_TENSOR, _SUBGRAPH, _TENSORS, _SUBGRAPHS = 5, 6, 10, 11
_DIMENSIONS, _TYPE, _NAME, _EXTERNAL, _LOCATION = 1, 2, 8, 13, 14
_VALUES = 1
_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5

# positions, shapes and masks are whole numbers, weights are not, or are bytes
_NO_WEIGHTS = frozenset((0, 5, 6, 7, 8, 9, 12, 13))
_LARGE = 1 << 16
_MOST_FIELDS = 300_000
_MOST_DEPTH = 8
_MOST_RANK = 32


@dataclass(slots=True)
class Onnx:
    """The parameters of a model, and which of its weights lie in other files."""

    parameters: int = 0
    outside: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Fields:
    """A file as a row of fields; reading is buffered and only ever goes forward."""

    file: Seekable
    steps: int = 0
    at: int = 0
    _buffer: bytes = b""
    _from: int = 0

    def take(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Field number, and the range of its bytes; a number's value stands where the range would start."""
        self.at = start
        while self.at < end:
            self.steps += 1
            if self.steps > _MOST_FIELDS:
                raise Refused("M306", reason="ONNX: too many fields")
            key = self.number(end)
            kind = key & 7
            if kind == _VARINT:
                yield key >> 3, self.number(end), -1
                continue
            size = {_EIGHT: 8, _FOUR: 4}.get(kind, 0)
            if kind == _BYTES:
                size = self.number(end)
            elif not size:
                raise Refused("M306", reason=f"ONNX: field kind {kind}")
            first = self.at
            if first + size > end:
                raise Refused("M306", reason="ONNX: a field that ends after the file")
            yield key >> 3, first, first + size
            self.at = first + size

    def number(self, end: int) -> int:
        value = shift = 0
        while shift < 70 and self.at < end:
            byte = self._byte()
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
        raise Refused("M306", reason="ONNX: a number without end")

    def bytes(self, start: int, end: int) -> bytes:
        self.file.seek(start)
        return self.file.read(min(end - start, _LARGE))

    def _byte(self) -> int:
        if not self._from <= self.at < self._from + len(self._buffer):
            self.file.seek(self.at)
            self._from, self._buffer = self.at, self.file.read(4096)
            if not self._buffer:
                raise Refused("M306", reason="ONNX: the end of the file")
        return self._buffer[self.at - self._from]


def count_onnx(file: Seekable) -> Onnx:
    """Count the weights of a model: initialisers and constants, those of subgraphs too."""
    found = Onnx()
    fields = _Fields(file)
    graphs = 0
    for number, start, end in fields.take(0, size_of(file)):
        if number == _GRAPH and end >= 0:
            graphs += 1
            _graph(fields, start, end, found, 0)
    if not graphs:
        raise Refused("M306", reason="ONNX: no graph")
    return found


def _graph(fields: _Fields, start: int, end: int, found: Onnx, depth: int) -> None:
    if depth > _MOST_DEPTH:
        raise Refused("M306", reason="ONNX: graphs within graphs")
    for number, first, last in fields.take(start, end):
        if last < 0:
            continue
        if number == _INITIALIZER:
            _tensor(fields, first, last, found)
        elif number == _SPARSE:
            _sparse(fields, first, last, found)
        elif number == _NODE:
            _node(fields, first, last, found, depth)


def _sparse(fields: _Fields, start: int, end: int, found: Onnx) -> None:
    for number, first, last in fields.take(start, end):
        if number == _VALUES and last >= 0:
            _tensor(fields, first, last, found)


def _node(fields: _Fields, start: int, end: int, found: Onnx, depth: int) -> None:
    for number, first, last in fields.take(start, end):
        if number != _ATTRIBUTE or last < 0:
            continue
        for inner, begin, finish in fields.take(first, last):
            if inner in (_TENSOR, _TENSORS) and finish >= 0:
                _tensor(fields, begin, finish, found)
            elif inner in (_SUBGRAPH, _SUBGRAPHS) and finish >= 0:
                _graph(fields, begin, finish, found, depth + 1)


def _tensor(fields: _Fields, start: int, end: int, found: Onnx) -> None:
    shape: list[int] = []
    kind, name, outside = 0, "", ""
    for number, first, last in fields.take(start, end):
        if number == _DIMENSIONS and last < 0:
            shape.append(first)
        elif number == _DIMENSIONS:
            # one number more than any shape has is enough to refuse it
            while fields.at < last and len(shape) <= _MOST_RANK:
                shape.append(fields.number(last))
        elif number == _TYPE and last < 0:
            kind = first
        elif number == _NAME and last >= 0:
            name = fields.bytes(first, last).decode(errors="replace")
        elif number == _EXTERNAL and last >= 0:
            outside = _location(fields.bytes(first, last)) or outside
    if outside:
        found.outside[name] = outside
    if kind not in _NO_WEIGHTS:
        found.parameters += elements(shape)


def _location(entry: bytes) -> str:
    """The file that a pair of texts {location: file} names."""
    pair = _Fields(io.BytesIO(entry))
    ranges = [(first, last) for _, first, last in pair.take(0, len(entry)) if last >= 0]
    texts = [entry[first:last].decode(errors="replace") for first, last in ranges]
    return texts[1] if len(texts) == 2 and texts[0] == "location" else ""
