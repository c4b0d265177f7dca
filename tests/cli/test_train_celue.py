"""`readproof train celue`, `answer --exit` and `elue`, one after another, on tiny data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

from typer.testing import CliRunner

from readproof.cli.main import app
from tests.training.multi_exit.made import save_data, save_start


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Tiny tensors are faster on one thread."""
    import torch

    torch.set_num_threads(1)


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app(), [str(one) for one in arguments])
    assert result.exit_code == code, result.output
    return result.stdout


def test_from_data_to_the_score_of_a_package(tmp_path: Path) -> None:
    data, start = save_data(tmp_path / "data", "chnc", 160), save_start(tmp_path / "start")
    common = ("--data", data, "--start", start, "--epochs", 1, "--lr", 1e-3, "--json")
    found = json.loads(run("train", "celue", "chnc", "-o", tmp_path / "reader", *common))
    assert list(found["measured"]) == ["1", "2", "3"]
    gold = tmp_path / "reader.work" / "gold"
    out = tmp_path / "package" / "chnc"
    for rule in ("layer:1", "entropy:0.9"):
        where = out / f"{rule.replace(':', '-')}.jsonl"
        out.mkdir(parents=True, exist_ok=True)
        asked = ("answer", f"celue/chnc:{gold / 'chnc.csv'}", "--reader", tmp_path / "reader", "--exit", rule)
        told = run(*asked, "-o", where)
        assert "answers that stopped after each layer: " in told
        assert "1.0 layers on average" in told or rule != "layer:1"
    lines = [json.loads(line) for line in (out / "layer-1.jsonl").read_text(encoding="utf-8").splitlines()]
    assert set(lines[0]) == {"label", "modules"}
    assert lines[0]["modules"].endswith("(128),exit_1")
    scored = json.loads(run("elue", tmp_path / "package", "--trust", "--json"))
    points = scored["submissions"][0]["tasks"]["chnc"]["points"]
    flops = {point["file"]: point["flops"] for point in points}
    assert flops["layer-1.jsonl"] == pytest.approx(found["measured"]["1"]["flops"])


def test_one_depth_alone_has_one_exit(tmp_path: Path) -> None:
    data, start = save_data(tmp_path / "data", "chnc", 80), save_start(tmp_path / "start")
    options = ("--depth", 2, "--alone", "--seeds", "0,1", "--epochs", 1, "--json")
    found = json.loads(
        run("train", "celue", "chnc", "--data", data, "--start", start, "-o", tmp_path / "out", *options)
    )
    assert list(found["measured"]) == ["2"]
    assert set(found["jobs"]) == {"exits-0", "exits-1"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("squad", "-o", "out"), "ccpm or chnc"),
        (("chnc",), "-o FOLDER"),
        (("chnc", "-o", "out", "--precision", "int4"), "int8 or fp32"),
        (("chnc", "-o", "out", "--seeds", "a"), "--seeds"),
        (("ccpm", "-o", "out", "--plan", "celue-chnc"), "expected ccpm"),
    ],
)
def test_wrong_options_are_told(arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app(), ["train", "celue", *arguments, "--data", "x", "--start", str(tmp_path)])
    assert told in str(result.output) + str(result.exception)
