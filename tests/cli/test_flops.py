"""`readproof flops` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from readproof.cli.main import app
from readproof.efficiency.predictions import ProblemsError
from readproof.errors import InputError
from tests.efficiency.made import BERT, TINY_FILE, trace


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    path = tmp_path / "bert.json"
    path.write_text(json.dumps(BERT), encoding="utf-8")
    return path


def run(*arguments: str | Path) -> str:
    found = CliRunner().invoke(app(), ["flops", *map(str, arguments)], catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.stdout


def test_for_a_person(bert: Path) -> None:
    lines = run("(128),emb; (128,768),layer_1", "--model", bert).splitlines()
    assert lines[1].split() == ["emb", "(128)", "196,608", "0.39", "16,622,592"]
    assert lines[2].split() == ["layer_1", "(128,768)", "931,921,920", "1,863.84", "7,087,872"]
    assert lines[3].split() == ["together", "932,118,528", "1,864.24"]
    assert "entire model: 102,269,186 parameters" in lines


def test_for_a_program(bert: Path) -> None:
    record = json.loads(run(trace("chnc", 8, 2), "--model", bert, "--json"))
    assert record["macs"] == 12288 + 2 * 56747520 + 589824 + 1536
    assert record["flops"] == 2 * record["macs"]
    assert [one["module"] for one in record["modules"]] == ["emb", "layer_1", "layer_2", "pooler", "classifier"]
    assert record["estimated_macs"] == 0


def test_wrong_modules(bert: Path) -> None:
    with pytest.raises(InputError) as caught:
        run("(128)emb", "--model", bert)
    assert caught.value.place == "column 6"
    with pytest.raises(ProblemsError) as several:
        run("(8),no;(8),emb;(8),neither", "--model", bert)
    assert len(several.value.problems) == 2


def test_a_shape_with_a_batch(bert: Path, tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="a shape has no batch dimension"):
        run("(8,22,768),layer_1", "--model", bert)
    pytest.importorskip("torch", reason="needs the extra [elue]")
    path = tmp_path / "model_to_eval.py"
    path.write_text(TINY_FILE, encoding="utf-8")
    record = json.loads(run("(22),emb;(8,22,768),layer_1", "--model", path, "--trust", "--json"))
    assert "begin with 8: a shape has no batch dimension" in record["notes"][0]
    assert json.loads(run("(22,768),layer_1", "--model", path, "--trust", "--json"))["notes"] == []


def test_a_model_file(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra [elue]")
    path = tmp_path / "model_to_eval.py"
    path.write_text(TINY_FILE, encoding="utf-8")
    record = json.loads(run("(4,768),layer_1", "--model", path, "--trust", "--json"))
    assert record["macs"] == 4 * 768 * 768 + 2 * 4 * 768
    assert record["parameters"] == 21128 * 768 + 13 * 769 * 768 + 12 * 2 * 768 + 769 * 2
