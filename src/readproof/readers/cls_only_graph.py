"""A model of which only [CLS] is asked: the same graph, whose last layer mixes and bends that one token alone.

An option's truth and relevance are read at [CLS]; what the last layer makes of all other tokens would be thrown away,
and it is an eighth of the work. The graph is changed in its bytes, so that no `onnx` package is needed and no second
file: the last attention is given one query, and what is added to it is cut to the same token.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from readproof.readers.onnxweights import varint

_GRAPH, _NODE, _WEIGHT = 7, 1, 5
_INPUT, _OUTPUT, _NAME, _KIND, _ATTRIBUTE = 1, 2, 3, 4, 5
_BYTES = 2
_MIXED = ".mixed"
_INDEX = "first.token"


def first_only(model: Any) -> bytes | None:
    """The bytes of the changed model; None where the graph is not one that `readproof export` writes, or is damaged."""
    try:
        fields = list(_fields(memoryview(model)))
        at = next((at for at, (number, _, _) in enumerate(fields) if number == _GRAPH), None)
        graph = None if at is None else _cut(fields[at][2])
    except (IndexError, KeyError, UnicodeDecodeError):
        return None  # whoever loads it will tell what is wrong with it
    if graph is None:
        return None
    return b"".join(_field(_GRAPH, graph) if place == at else bytes(raw) for place, (_, raw, _) in enumerate(fields))


def _cut(graph: Any) -> bytes | None:
    parts = list(_fields(graph))
    nodes = {_text(value, _OUTPUT): value for number, _, value in parts if number == _NODE}
    mixed = max((name for name in nodes if name.endswith(_MIXED)), key=_layer, default="")
    layer = mixed.removesuffix(_MIXED)
    normal = f"{layer}.attention.output.LayerNorm.out"
    if not mixed or normal not in nodes:
        return None
    query, hidden = _inputs(nodes[mixed])[0], _inputs(nodes[normal])[1]
    changed = {
        mixed: _renamed(nodes[mixed], query, f"{query}.first"),
        normal: _renamed(nodes[normal], hidden, f"{hidden}.first"),
    }
    out: list[bytes] = []
    for number, raw, value in parts:
        name = _text(value, _OUTPUT) if number == _NODE else ""
        if name == mixed:
            # nodes stand in the order in which they can be worked out
            out += [_field(_NODE, _gather(one)) for one in (query, hidden)]
        out.append(_field(_NODE, changed[name]) if name in changed else bytes(raw))
    return b"".join([*out, _field(_WEIGHT, _index())])


def _layer(name: str) -> int:
    digits = [part for part in name.split(".") if part.isdecimal()]
    return int(digits[-1]) if digits else -1


def _gather(name: str) -> bytes:
    """A node that takes the first token of [1, n, width] and leaves it as [1, 1, width]."""
    axis = _field(1, b"axis") + b"\x18\x01" + b"\xa0\x01\x02"  # its whole number 1; its kind: a whole number
    made = f"{name}.first".encode()
    words = ((_INPUT, name.encode()), (_INPUT, _INDEX.encode()), (_OUTPUT, made), (_NAME, made), (_KIND, b"Gather"))
    return b"".join(_field(number, word) for number, word in words) + _field(_ATTRIBUTE, axis)


def _index() -> bytes:
    """The weight [0] of 64-bit whole numbers."""
    return b"\x08\x01\x10\x07" + _field(8, _INDEX.encode()) + _field(9, bytes(8))


def _renamed(node: Any, old: str, new: str) -> bytes:
    """A node with another name for one input."""
    out = []
    for number, raw, value in _fields(node):
        hit = number == _INPUT and bytes(value) == old.encode()
        out.append(_field(_INPUT, new.encode()) if hit else bytes(raw))
    return b"".join(out)


def _inputs(node: Any) -> list[str]:
    return [bytes(value).decode() for number, _, value in _fields(node) if number == _INPUT]


def _text(node: Any, wanted: int) -> str:
    return next((bytes(value).decode() for number, _, value in _fields(node) if number == wanted), "")


def _field(number: int, value: bytes) -> bytes:
    return _number(number << 3 | _BYTES) + _number(len(value)) + value


def _number(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _fields(record: Any) -> Iterator[tuple[int, Any, Any]]:
    """Each field: its number, all its bytes, and the bytes of its value where it has a length."""
    at = 0
    while at < len(record):
        begin = at
        key, at = varint(record, at)
        kind = key & 7
        value: Any = b""
        if kind == 0:
            _, at = varint(record, at)
        elif kind == _BYTES:
            size, at = varint(record, at)
            value = record[at : at + size]
            at += size
        else:
            at += {1: 8, 5: 4}[kind]
        yield key >> 3, record[begin:at], value
