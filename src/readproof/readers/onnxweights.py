"""The weights inside an ONNX file, read without the `onnx` package: a little of protocol buffers is enough for it.

A file is fields after each other: a key (number and kind), then a number or a length with that many bytes. The graph is
field 7 of the model, its weights are field 5 of the graph, and of a weight only name, shape, type and raw bytes matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readproof.errors import InputError

_GRAPH, _WEIGHTS = 7, 5
_DIMENSIONS, _TYPE, _NAME, _RAW = 1, 2, 8, 9
_TYPES = {1: np.float32, 3: np.int8, 7: np.int64, 10: np.float16}
_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5


def read_weights(path: Path) -> dict[str, NDArray[Any]]:
    """Every weight of a model by its name; they lie in the file's bytes and cannot be changed."""
    whole = memoryview(path.read_bytes())
    try:
        graphs = [value for number, value in _fields(whole) if number == _GRAPH]
        found = [value for graph in graphs for number, value in _fields(graph) if number == _WEIGHTS]
        return dict(_weight(value) for value in found)
    except (IndexError, ValueError, KeyError, TypeError) as error:
        found_ = f"a file whose weights cannot be read ({error})"
        raise InputError(file=path, found=found_, expected="an ONNX model with its weights inside") from None


def _weight(record: Any) -> tuple[str, NDArray[Any]]:
    name, kind, shape = "", 0, []
    raw: Any = b""
    for number, value in _fields(record):
        if number == _NAME:
            name = bytes(value).decode()
        elif number == _TYPE:
            kind = value
        elif number == _DIMENSIONS:
            shape += [value] if isinstance(value, int) else list(_varints(value))
        elif number == _RAW:
            raw = value
    return name, np.frombuffer(raw, dtype=_TYPES[kind]).reshape(shape)


def _fields(record: Any) -> Iterator[tuple[int, Any]]:
    """The fields of a record: a whole number, or a view of the bytes."""
    at = 0
    while at < len(record):
        key, at = varint(record, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = varint(record, at)
            yield key >> 3, value
            continue
        size = {_EIGHT: 8, _FOUR: 4}.get(kind, 0)
        if kind == _BYTES:
            size, at = varint(record, at)
        elif not size:
            raise ValueError(f"a field of kind {kind}")
        if at + size > len(record):
            raise ValueError("a field that ends after the file")
        yield key >> 3, record[at : at + size]
        at += size


def _varints(record: Any) -> Iterator[int]:
    at = 0
    while at < len(record):
        value, at = varint(record, at)
        yield value


def varint(record: Any, at: int) -> tuple[int, int]:
    """A whole number of any length, and where it ends."""
    value = shift = 0
    while True:
        byte = record[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
