"""`readproof harden` on a tiny reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from readproof.training.prepare import write_set
from tests.cli.running import run
from tests.training.adversarial.conftest import write_tiny
from tests.training.made import made_items

COMMON = (
    "--max-tokens", "112", "--epochs", "1", "--batch", "8", "--held-out", "0.3", "--look", "4", "--questions", "4",
    "--lr", "1e-3", "--workers", "0",
)  # fmt: skip


@pytest.fixture
def reader(tmp_path: Path) -> Path:
    return write_tiny(tmp_path / "reader")


@pytest.fixture
def data(tmp_path: Path) -> str:
    write_set(tmp_path / "data.json", made_items(8))
    return f"squad:{tmp_path / 'data.json'}"


def test_a_reader_is_hardened_exported_and_read(reader: Path, data: str, tmp_path: Path) -> None:
    out = tmp_path / "hard"
    attacks = ("--attack", "addsent:0.5:4", "--attack", "typo:0.3", "--set", "addsent.place=random")
    found = run("harden", reader, data, "-o", out, *attacks, "--embeddings", "pgd:1.0,0.5,2", "--lost", "100", *COMMON)
    assert found.returncode == 0, found.stderr
    assert "addsent place=random" in found.stdout and "F1 before" in found.stdout and str(out) in found.stdout
    assert "epoch 1/1 step" in found.stderr and "left" in found.stderr
    record = json.loads((out / "hardening.json").read_text(encoding="utf-8"))
    assert record["recipe"]["push"] == {"method": "pgd", "size": 1.0, "step": 0.5, "steps": 2}
    assert [dose["rate"] for dose in record["recipe"]["doses"]] == [0.5, 0.3]
    again = run("harden", reader, data, "-o", out, *attacks, "--embeddings", "pgd:1.0,0.5,2", "--lost", "100", *COMMON,
                "--json")  # fmt: skip
    assert json.loads(again.stdout)["table"] == record["table"]
    exported = run("export", out, "-o", tmp_path / "onnx")
    assert exported.returncode == 0, exported.stderr
    read = run("answer", data, "--reader", tmp_path / "onnx", "-o", tmp_path / "predictions.json")
    assert read.returncode == 0, read.stderr


def test_a_reader_that_lost_too_much_is_a_failed_verdict(reader: Path, data: str, tmp_path: Path) -> None:
    found = run("harden", reader, data, "-o", tmp_path / "hard", "--attack", "typo:0.3", "--lost", "0", *COMMON,
                "--embeddings", "none", "--gold", "0", "--distil", "0", "--carried", "1", "--lr", "0.1")  # fmt: skip
    record = json.loads((tmp_path / "hard" / "hardening.json").read_text(encoding="utf-8"))
    assert found.returncode == (0 if record["kept_clean"] else 3), found.stderr
    assert ("no epoch kept the clean F1" in found.stderr) is not record["kept_clean"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--attack", "adsent:0.3"), "Did you mean 'addsent'"),
        (("--attack", "addsent:much"), "NAME:RATE"),
        (("--attack", "triples:0.3"), "an attack on span questions"),
        (("--embeddings", "fgm:none"), "--embeddings"),
        (("--set", "addsent.place=end"), "--attack"),
        (("--attack", "typo:0.2", "--set", "addsent.place=end"), "one of the names of --attacks"),
        (("--recipe", "harden-fr"), "harden-zh"),
        (("--held-out", "0"), "between 0 and 1"),
        ((), "at most 128"),
    ],
)
def test_faults_are_told(reader: Path, data: str, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    found = run("harden", reader, data, "-o", tmp_path / "out", *arguments)
    assert (found.returncode, told in found.stderr) == (2, True), found.stderr
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.work").exists()


def test_an_onnx_reader_has_no_gradients(tmp_path: Path) -> None:
    write_set(tmp_path / "data.json", made_items(1))
    found = run("attack", "hotflip", f"squad:{tmp_path / 'data.json'}", "--reader", "zh", "-o", tmp_path / "o.json")
    assert found.returncode == 2
    assert "gives gradients" in found.stderr and "ONNX readers have none" in found.stderr
