"""Broken files of every kind give one message and status 2, or are read; never a traceback.

Real (or made) files are cut, mixed, re-encoded and damaged at random, then go through every command.
"""

from __future__ import annotations

import copy
import gzip
import json
import lzma
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from readproof.errors import ReadproofError
from readproof.files import open_binary
from readproof.tasks import TASKS, find, load
from readproof.tasks.audit import audit
from readproof.tasks.convert import WRITERS
from readproof.tasks.scoring import score
from tests.made_data import MADE
from tests.shared_data import SHARED

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    2**70,
    1.5,
    "",
    "x",
    "\x00",
    "\u200e",
    [],
    [[]],
    {},
    {"a": 1},
    "Z" * 300,
    ["x"] * 3,
]


def _heads() -> dict[str, bytes]:
    """The beginning of every real file, and made files for a clone that has none."""
    found = dict(MADE)
    if SHARED.is_dir():
        for path in sorted((SHARED / "data").rglob("*")):
            if path.is_file() and not any(part.startswith(("lex_", "word_freq")) for part in path.parts):
                with open_binary(path) as file:
                    found[str(path.relative_to(SHARED / "data"))] = file.read(6000)
    return found


HEADS = _heads()


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _flip(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 8)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _splice(data: bytes, chance: random.Random) -> bytes:
    other = HEADS[chance.choice(list(HEADS))]
    at, start = chance.randrange(len(data)), chance.randrange(len(other))
    return data[:at] + other[start : start + 200] + data[at:]


def _delete(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + data[at + chance.randrange(1, 60) :]


def _wrap(data: bytes, chance: random.Random) -> bytes:
    kind = chance.choice(["bom", "crlf", "utf16", "gzip", "xz", "torn gzip", "torn xz", "gb"])
    return {
        "bom": lambda: b"\xef\xbb\xbf" + data,
        "crlf": lambda: data.replace(b"\n", b"\r\n"),
        "utf16": lambda: data.decode("utf-8", "ignore").encode("utf-16"),
        "gb": lambda: data.decode("utf-8", "ignore").encode("gb18030"),
        "gzip": lambda: gzip.compress(data),
        "xz": lambda: lzma.compress(data),
        "torn gzip": lambda: _cut(gzip.compress(data), chance),
        "torn xz": lambda: _cut(lzma.compress(data), chance),
    }[kind]()


def _reshape(data: bytes, chance: random.Random) -> bytes:
    """Damage a JSON file where it hurts most: whole JSON, a wrong type or a missing key somewhere inside."""
    try:
        value = json.loads(data)
    except ValueError:
        text = data.decode("utf-8", "ignore").strip().split("\n")[0]
        try:
            value = json.JSONDecoder().raw_decode(text)[0]
        except ValueError:
            return _flip(data, chance)
    value = copy.deepcopy(value)
    _damage(value, chance)
    return json.dumps(value).encode()


def _damage(value: Any, chance: random.Random) -> None:
    while isinstance(value, (dict, list)) and value:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = chance.choice(keys)
        inner = value[key]
        if not isinstance(inner, (dict, list)) or not inner or chance.random() < 0.3:
            if chance.random() < 0.3:
                del value[key]
            else:
                value[key] = chance.choice(ODD)
            return
        value = inner


DAMAGES: list[Callable[[bytes, random.Random], bytes]] = [
    _cut,
    _flip,
    _splice,
    _delete,
    _wrap,
    _reshape,
    _reshape,
    _reshape,
]


def _go_through(path: Path, task: str | None, folder: Path) -> None:
    """Everything a command does with a data file."""
    try:
        items = list(load(f"{task}:{path}" if task else path))
    except ReadproofError as error:
        assert str(error)
        assert "Traceback" not in str(error)
        return
    audit(items)
    for name, write in WRITERS.items():
        try:
            with (folder / f"{name}.out").open("w", encoding="utf-8") as file:
                write(items, file)
        except ReadproofError:
            continue


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(HEADS)), seed=st.integers(0, 2**32), times=st.integers(1, 3), named=st.booleans())
def test_damaged_data_files(name: str, seed: int, times: int, named: bool, tmp_path: Path) -> None:
    chance = random.Random(seed)
    data = HEADS[name]
    for _ in range(times):
        data = chance.choice(DAMAGES)(data, chance) or b"x"
    path = tmp_path / "damaged"
    path.write_bytes(data)
    _go_through(path, chance.choice(TASKS.names()) if named else None, tmp_path)


PREDICTIONS = {
    "span": b'{"1": "\xe7\x94\xb2", "2": "x", "3": ""}',
    "triple": json.dumps(
        {"data": [{"id": "t1", "answer": "A", "positive_answer": "B", "negative_answer": "C"}] * 2}
    ).encode(),
    "lines": b'{"id": "1", "label": "x", "answer": 0, "ans": "a b", "entities": [], "span_list": []}\n' * 3,
    "list": b'["a", "b"]',
}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.sampled_from(sorted(PREDICTIONS)), gold=st.sampled_from(sorted(MADE)), seed=st.integers(0, 2**32))
def test_damaged_predictions(kind: str, gold: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    data = PREDICTIONS[kind]
    for _ in range(chance.randrange(3)):
        data = chance.choice(DAMAGES)(data, chance) or b"x"
    path, data_path = tmp_path / "predictions", tmp_path / "gold"
    path.write_bytes(data)
    data_path.write_bytes(MADE[gold])
    task, _ = find(data_path)
    for metric in task.metrics:
        try:
            score(task, path, data_path, metric=metric)
        except ReadproofError as error:
            assert str(error)


@pytest.mark.parametrize(
    "garbage", [b"\x00" * 1000, b"{" * 100000, b"[" * 100000, b'"' * 1000, bytes(range(256)) * 50, b"\n" * 1000]
)
def test_plain_garbage(garbage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "garbage"
    path.write_bytes(garbage)
    _go_through(path, None, tmp_path)
    for task in TASKS.names():
        _go_through(path, task, tmp_path)
