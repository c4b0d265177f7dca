"""`readproof train encoder`, and `train span` by a plan that makes its own encoder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from tests.cli.running import run
from tests.training.pretrain.texts import write_plan, write_text


def test_an_encoder_from_text(tmp_path: Path) -> None:
    plan, text = write_plan(tmp_path / "plan.toml", steps=3), write_text(tmp_path / "text.txt", 40)
    out = tmp_path / "encoder"
    found = run("train", "encoder", text, text, "--plan", plan, "-o", out, "--json")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == {"encoder": str(out), "plan": "tiny"}
    config = json.loads((out / "config.json").read_text(encoding="utf-8"))
    assert (config["model_type"], config["embedding_size"], config["hidden_size"]) == ("electra", 32, 64)
    other = run("train", "encoder", text, "--plan", plan, "-o", out)
    assert other.returncode == 2
    assert "another training" in other.stderr


def test_what_does_not_go_together(tmp_path: Path) -> None:
    text = write_text(tmp_path / "text.txt", 4)
    both = run(
        "train", "span", "--data", tmp_path, "--plan", "fa", "--text", text, "--start", tmp_path, "-o", tmp_path / "o"
    )
    neither = run("train", "span", "--data", tmp_path, "--plan", "fa", "-o", tmp_path / "o")
    time = run("train", "span", "--data", tmp_path, "--start", tmp_path, "--seconds", "9", "-o", tmp_path / "o")
    for found in (both, neither, time):
        assert found.returncode == 2
        assert "--text" in found.stderr
