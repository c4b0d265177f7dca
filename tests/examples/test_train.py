"""The training half of the Persian study on a tiny reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from examples.persian_study.__main__ import main

from tests.examples.made import made_file, tiny_persian
from tests.shared_data import SHARED, needs_shared

COMMON = (
    "--epochs", "1", "--batch", "8", "--lr", "1e-3", "--max-tokens", "112", "--look", "2", "--workers", "0",
    "--addany", "2", "--threads", "1",
)  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return made_file(tmp_path / "pqa.json")


def test_two_readers_are_hardened_and_measured(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reader, out = tiny_persian(tmp_path / "reader"), tmp_path / "out"
    command = ["train", "--reader", str(reader), "--data", str(data), "--split", "--out", str(out), *COMMON]
    command += ["--attacks", "addsent,invisible-before"]
    assert main(command) == 0, capsys.readouterr().err
    told = capsys.readouterr().err
    assert "is a reader, taken as it is" in told and "epoch 1/1" in told
    record = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert record["learnt"]["questions"] + record["measured"]["questions"] == 12
    attacks = record["attacks"]
    assert attacks["addsent"]["hardening"]["recipe"]["fit"]["epochs"] == 1
    # this reader removes what is invisible before it reads: attacked is original, before and after
    for side in ("before", "after"):
        hidden = attacks["invisible-before"][side]
        assert hidden["attacked"]["clean"] == hidden["original"]["clean"]
    page = (out / "training.md").read_text(encoding="utf-8")
    assert "| AddSent | 55.3 / 58.3 | 53.2 / 53.7 |" in page
    assert "| back-translation HY | 57.2 / 56.4 | 52.1 / 52.4 | not measured |" in page
    kept = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert main(command) == 0
    again = capsys.readouterr().err
    assert "addsent: done before" in again and "epoch 1/1" not in again
    assert {path: path.read_bytes() for path in kept} == kept
    assert main([*command, "--epochs", "2"]) == 2
    assert "Choose another --out" in capsys.readouterr().err


def test_an_encoder_is_fine_tuned_and_then_evaluated(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    encoder, out = tiny_persian(tmp_path / "my-bert", head=False), tmp_path / "out"
    command = ["all", "--reader", str(encoder), "--data", str(data), "--split", "--out", str(out), *COMMON]
    assert main([*command, "--rows", "invisible-before", "--attacks", "addany"]) == 0, capsys.readouterr().err
    assert "my-bert is an encoder, so it is fine-tuned for 1 epochs" in capsys.readouterr().err
    record = json.loads((out / "evaluation.json").read_text(encoding="utf-8"))
    assert record["split"] and Path(record["reader"]) == out / "readers" / "base"
    assert "my-bert: raw F1" in (out / "evaluation.md").read_text(encoding="utf-8")
    trained = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert set(trained["attacks"]) == {"addany"}
    assert trained["measured"]["digest"] == record["digest"]


def test_faults_are_told(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usual = ["train", "--reader", str(tiny_persian(tmp_path / "reader")), "--out", str(tmp_path / "out"), *COMMON]
    faults = {
        ("--data", str(data), "--split", "--attacks", "backtranslate-hy"): "some of addsent",
        ("--data", str(data), "--train-data", str(data)): "only passages that are measured on",
        ("--data", str(data), "--train-data", str(data), "--split"): "one file, which is split",
        ("--data", str(data), "--split", "--reader", "nowhere"): "no folder 'nowhere'",
    }
    for arguments, expected in faults.items():
        assert main([*usual, *arguments]) == 2
        assert expected in capsys.readouterr().err
    assert not (tmp_path / "out" / "readers").exists()


@needs_shared
def test_the_test_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(SHARED / "data" / "persianqa" / "pqa_test.json")
    reader = str(tiny_persian(tmp_path / "reader"))
    for given in (["--data", path, "--split"], ["--train-data", path, "--data", path]):
        assert main(["train", "--reader", reader, "--out", str(tmp_path / "out"), *given]) == 2
        assert "PersianQA's test file" in capsys.readouterr().err
