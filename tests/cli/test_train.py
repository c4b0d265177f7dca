"""`readproof train span` and `readproof distil` on a tiny encoder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

from readproof.readers.vocabulary import SPECIAL, whole
from readproof.training.encoder import Encoder, Shape
from readproof.training.prepare import write_set
from readproof.training.weights import packed, write_pieces
from tests.cli.running import run
from tests.training.made import FACTS, PASSAGE, made_items


@pytest.fixture
def start(tmp_path: Path) -> Path:
    vocabulary = whole([*SPECIAL, *sorted(set(PASSAGE + "".join(FACTS)) | set("0123456789"))])
    shape = Shape(rows=len(vocabulary), hidden=64, layers=4, heads=1, inner=64, positions=64)
    write_pieces(packed(Encoder(shape).state_dict()), tmp_path / "start", "part", limit=10**6)
    vocabulary.save(tmp_path / "start")
    return tmp_path / "start"


def test_train_then_distil(start: Path, tmp_path: Path) -> None:
    data, tall, small = tmp_path / "train.json", tmp_path / "tall", tmp_path / "small"
    write_set(data, made_items(8))
    found = run(
        "train", "span", "--data", data, "--data", f"squad:{data}", "--start", start, "-o", tall, "--lr", "1e-3",
        "--epochs", "1", "--batch", "8", "--rdrop", "1", "--fgm", "1", "--ema", "0.9", "--layer-decay", "0.9",
        "--held-out", "0.3", "--max-tokens", "48", "--json",
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    record = json.loads(found.stdout)
    assert record["reader"] == str(tall)
    assert set(record["held"]["held_out"]) >= {"exact", "f1"}
    assert "left" in found.stderr and "held out" in found.stderr
    notes = json.loads((tall / "notes.json").read_text(encoding="utf-8"))
    assert notes["plan"]["teachers"]["stages"][0]["fit"]["fgm"] == 1.0
    found = run(
        "distil", "--teacher", tall, "--teacher", tall, "--data", data, "--layers", "1,3", "-o", small,
        "--epochs", "1", "--max-tokens", "48", "--held-out", "0",
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert found.stdout.strip() == str(small)
    assert json.loads((small / "config.json").read_text(encoding="utf-8"))["num_hidden_layers"] == 2


def test_an_encoder_of_another_family(tmp_path: Path) -> None:
    """XLM-R from its folder to answers; its students are refused at once."""
    pytest.importorskip("transformers")
    from tests.training.folders import texts, xlm_roberta

    items = made_items(8)
    (tmp_path / "xlmr").mkdir()
    folder, data, out = xlm_roberta(tmp_path / "xlmr", texts(items)), tmp_path / "train.json", tmp_path / "out"
    write_set(data, items)
    found = run(
        "train", "span", "--data", data, "--start", folder, "-o", out, "--lr", "1e-3", "--epochs", "1", "--rdrop", "1",
        "--fgm", "1", "--ema", "0.9", "--layer-decay", "0.9", "--held-out", "0.3", "--max-tokens", "64", "--json",
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["held"]["held_out"]
    read = run("answer", f"squad:{data}", "--reader", out, "-o", tmp_path / "predictions.json")
    assert read.returncode == 0, read.stderr
    assert len(json.loads((tmp_path / "predictions.json").read_text(encoding="utf-8"))) == len(items)
    before = sorted(tmp_path.iterdir())
    refused = [
        run("distil", "--teacher", out, "--data", data, "--layers", "1", "-o", tmp_path / "small"),
        run("train", "span", "--plan", "zh", "--data", tmp_path, "--start", folder, "-o", tmp_path / "zh"),
        run("export", out, "-o", tmp_path / "onnx"),
    ]
    for one in refused:
        assert (one.returncode, "neither distilled nor exported" in one.stderr) == (2, True), one.stderr
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["train", "span", "--data", "a", "--start", "b"], "-o FOLDER"),
        (["train", "span", "--data", "a", "--start", "b", "-o", "c", "--plan", "zh", "--lr", "1"], "--plan with --lr"),
        (["train", "span", "--data", "a", "--data", "b", "--start", "b", "-o", "c", "--plan", "zh"], "one folder"),
        (["train", "span", "--data", "a", "--start", "b", "-o", "c", "--plan", "zhh"], "zh, zh-free"),
        (["distil", "--data", "a", "--teacher", "b", "-o", "c", "--layers", "1;3"], "--layers"),
    ],
)
def test_faults_are_told(arguments: list[str], told: str, tmp_path: Path) -> None:
    found = run(*arguments, cwd=tmp_path)
    assert (found.returncode, told in found.stderr) == (2, True), found.stderr
    assert not list(tmp_path.iterdir())


def test_an_empty_file_is_told(start: Path, tmp_path: Path) -> None:
    write_set(tmp_path / "none.json", [])
    found = run("train", "span", "--data", f"squad:{tmp_path / 'none.json'}", "--start", start, "-o", tmp_path / "out")
    assert found.returncode == 2
    assert "0 span questions" in found.stderr


def test_without_torch_the_extra_is_named(tmp_path: Path) -> None:
    code = (
        "import sys, importlib.util as util; find = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name == 'torch' else find(name, *more)\n"
        "sys.argv = ['readproof', 'train', 'span', '--data', 'a', '--start', 'b', '-o', 'c']\n"
        "from readproof.cli.main import main; main()\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert found.returncode == 2
    assert 'pip install "readproof[train]"' in found.stderr
