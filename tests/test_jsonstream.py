"""JSON record by record gives what `json` gives, and says where a file is broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from readproof import jsonstream
from readproof.errors import InputError
from readproof.jsonstream import load_json, records

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), VALUES, max_size=5)


@pytest.fixture(params=["scanned", "whole"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to read: small files at once, large ones scanned; scanning in pieces of a few characters."""
    if request.param == "scanned":
        monkeypatch.setattr(jsonstream, "SMALL", -1)
        monkeypatch.setattr("readproof.files.read_bytes.__defaults__", (11, 0))
    return request.param


def _read(path: Path) -> list[Any]:
    return [record for _, record in records(path)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(data=st.data())
def test_reads_what_json_reads(way: str, tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "x.json"
    items = data.draw(st.lists(VALUES, max_size=5))
    indent = data.draw(st.sampled_from([None, 2]))
    ascii_only = data.draw(st.booleans())
    path.write_text(json.dumps(items, indent=indent, ensure_ascii=ascii_only), encoding="utf-8")
    assert _read(path) == items
    path.write_text(json.dumps({"version": 1, "data": items, "after": [2]}, ensure_ascii=ascii_only), encoding="utf-8")
    found = records(path)
    assert found.layout == "data"
    assert [record for _, record in found] == items
    assert found.header == {"version": 1, "after": [2]}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    items=st.lists(OBJECTS.filter(lambda one: not isinstance(one.get("data"), list)), min_size=1, max_size=5),
    glue=st.sampled_from(["", "\n", "\r\n", " "]),
)
def test_objects_in_a_row(way: str, tmp_path: Path, items: list[dict[str, Any]], glue: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(glue.join(json.dumps(one, ensure_ascii=False) for one in items), encoding="utf-8")
    assert _read(path) == items


BROKEN = [
    ('[{"a": 1}, {"b": ', "line 1", "end of the file"),
    ('{"data": [{"a": 1}', "line 1", "end of the file"),
    ('{"data": [{"a": "trunc', "line 1", "end of the file"),
    ('[\n{"a": 1},\n{"b": x}]', "line 3, column 7", "'x'"),
    ('[\n{"a": NaN}]', "line 2, column 7", "NaN"),
    ('[{"a": -Infinity}]', "line 1", "Infinity"),
    ('[{"a": "\\ud800"}]', "line 1", "surrogate"),
    ('{"a": 1}{"b": 1} x', "line 1", "'x'"),
    ("[1] 2", "line 1", "'2'"),
    ("[" * 100000, "line 1", "deep"),
    ("<html>", "line 1, column 1", "'<'"),
    ("[1 2]", "line 1, column 4", "'2'"),
    ("[" + "9" * 5000 + "]", "line 1", "cannot be read"),
    ("{'a': 1}", "line 1, column 2", '"\'"'),
]


@pytest.mark.parametrize(("text", "place", "found"), BROKEN)
def test_broken(text: str, place: str, found: str, way: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        _read(path)
    assert caught.value.place.startswith(place)
    assert found in caught.value.found


def test_duplicate_keys_can_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"a": 1, "a": 2}', encoding="utf-8")
    assert load_json(path, lambda pairs: pairs) == [("a", 1), ("a", 2)]


@pytest.mark.parametrize("text", ["", "{} {}", '{"a": NaN}', "\x00"])
def test_one_value_or_an_error(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        load_json(path)


def test_a_long_string_is_read_in_linear_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonstream, "SMALL", -1)
    path = tmp_path / "x.json"
    long = "字" * 3_000_000
    path.write_text(json.dumps([long], ensure_ascii=False), encoding="utf-8")
    assert _read(path) == [long]
