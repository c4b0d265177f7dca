"""`readproof train options` on a tiny encoder: files of one's own, both heads, a plan changed on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from readproof.readers.vocabulary import SPECIAL, whole
from readproof.tasks.itemlines import write_items
from readproof.training.encoder import Encoder, Shape
from readproof.training.options.start import folder_manner
from readproof.training.weights import packed, write_pieces
from tests.cli.running import run
from tests.shared_data import SHARED, needs_shared
from tests.training.options.made import choice_items


@pytest.fixture
def start(tmp_path: Path) -> Path:
    texts = [text for item in choice_items(3) for text in (item.passage, item.question, *item.options)]
    vocabulary = whole([*SPECIAL, *sorted(set("".join(texts)) | set("0123456789"))])
    shape = Shape(rows=len(vocabulary), hidden=64, layers=2, heads=1, inner=64, positions=64)
    write_pieces(packed(Encoder(shape).state_dict()), tmp_path / "start", "part", limit=10**6)
    vocabulary.save(tmp_path / "start")
    return tmp_path / "start"


def test_a_file_of_ones_own(start: Path, tmp_path: Path) -> None:
    data, out = tmp_path / "mine.jsonl", tmp_path / "out"
    with data.open("w", encoding="utf-8") as file:
        write_items(choice_items(12), file)
    found = run(
        "train", "options", "--data", f"items:{data}", "--start", start, "-o", out, "--head", "choice", "--epochs", "1",
        "--held-out", "0.3", "--max-tokens", "64", "--lr", "1e-3", "--batch", "4000", "--json",
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    record = json.loads(found.stdout)
    assert record["reader"] == str(out) and record["held"]["held_out"]["questions"] > 0
    manner = folder_manner(out)
    assert manner is not None and manner.head == "choice"


@needs_shared
def test_a_plan_changed_on_the_command_line(start: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    whole_file = (SHARED / "data" / "logiqa_zh" / "zh_eval.txt").read_text(encoding="utf-8")
    (data / "zh_eval.txt").write_text("\n".join(whole_file.split("\n")[: 8 * 12]), encoding="utf-8")
    plan = tmp_path / "mine.toml"
    plan.write_text(
        'name = "mine"\n[manner]\nmax_tokens = 64\nstatement = 24\nsegment = 40\noverlap = 8\nfine = 30\n[held]\n'
        'held_gaokao = 1.0\n[teachers]\nseeds = [0, 1]\n[[teachers.stages]]\nsets = ["logiqa", "c3"]\n'
        "fit = { epochs = 1 }\n",
        encoding="utf-8",
    )
    found = run(
        "train", "options", "--plan", plan, "--data", data, "--start", start, "--work", tmp_path / "work",
        "--without", "c3", "--seeds", "4", "--overlap", "0", "--passes", "coarse",
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    notes = json.loads((tmp_path / "work" / "reader" / "notes.json").read_text(encoding="utf-8"))
    assert list(notes["jobs"]) == ["teacher-4"]
    stage, manner = notes["plan"]["teachers"]["stages"][0], notes["plan"]["manner"]
    assert (stage["sets"], stage["coarse"], manner["overlap"], manner["fine_share"]) == (["logiqa"], 1.0, 0, 0.0)
    assert "c3" not in found.stderr.replace(str(tmp_path), "") and "clean.json is not in" in found.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--data", "a", "--start", "b"], "-o FOLDER"),
        (["--data", "a", "--start", "b", "-o", "c", "--plan", "options-zh", "--lr", "1"], "--plan with --lr"),
        (["--data", "a", "--start", "b", "-o", "c", "--without", "c3"], "--without without --plan"),
        (["--data", "a", "--start", "b", "-o", "c", "--head", "best"], "verify or choice"),
        (["--data", "a", "--start", "b", "-o", "c", "--plan", "options-zh", "--passes", "half"], "fine or coarse"),
        (["--data", "a", "--start", "b", "-o", "c", "--plan", "zh"], "options-zh"),
        (["--data", "a", "--start", "b", "-o", "c", "--plan", "options-zh", "--without", "made"], "--without"),
        (["--data", "a", "--start", "b", "-o", "c", "--plan", "options-zh", "--also", "made"], "made_options"),
        (["--data", "a", "--start", "b", "-o", "c", "--plan", "options-zh", "--seeds", "x"], "--seeds"),
    ],
)
def test_faults_are_told(arguments: list[str], told: str, tmp_path: Path) -> None:
    found = run("train", "options", *arguments, cwd=tmp_path)
    assert (found.returncode, told in found.stderr) == (2, True), found.stderr
    assert not list(tmp_path.iterdir())
