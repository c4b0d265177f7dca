"""`readproof doctor` tells what is there and what is not."""

from __future__ import annotations

import json
from importlib import metadata

import pytest
from typer.testing import CliRunner

from readproof.cli import doctor
from readproof.cli.main import app
from readproof.readers import READERS


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app(), ["doctor", *arguments])
    return done.exit_code, done.stdout


def test_all_that_is_needed_is_there() -> None:
    status, told = run("--json")
    record = json.loads(told)
    parts = {one["part"]: one for one in record["parts"]}
    assert status == 0 and record["fine"] is True
    assert parts["packages"]["state"] == "fine" and "onnxruntime" in parts["packages"]["found"]
    for reader in READERS.names():
        assert parts[f"reader {reader}"]["state"] == "fine", reader
    assert "extra [test]" not in parts and "extra [train]" in parts
    assert "sandbox" in parts["sandbox"]["found"]


def test_what_is_missing_comes_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = metadata.version

    def version(name: str) -> str:
        if name in ("httpx", "numpy"):
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(doctor.metadata, "version", version)
    monkeypatch.setattr(doctor, "_readers", list)
    status, told = run()
    assert status == 1
    assert 'pip install "readproof[llm]"' in told and "without numpy" in told


def test_a_reader_that_answers_wrongly_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_QUESTIONS", {"zh": ("故宫位于北京。", "故宫在哪里？", "上海")})
    (finding,) = doctor._readers()
    assert finding.state == "broken" and "北京" in finding.found
