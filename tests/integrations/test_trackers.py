"""MLflow and Weights & Biases, written to by the real libraries and read back, without a server or a network."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from readproof.api import open_run
from readproof.proof.run import RunResults, prove_reader
from readproof.reports.tracking import figures_of, settings_of
from tests.cli.running import run

SAMPLE = Path(__file__).parents[2] / "examples/cmrc2018.sample.json"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> RunResults:
    out = tmp_path_factory.mktemp("tracked") / "run"
    return prove_reader("baseline:overlap", SAMPLE, attacks=["typo"], limit=8, fail_under="f1=99", out=out)


@pytest.fixture
def folder(sample: RunResults, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample.folder, tmp_path / "run"))


def test_figures_have_names_and_are_those_of_the_run(sample: RunResults) -> None:
    figures = figures_of(sample)
    part = sample.scores.parts[0]
    assert figures["spans/f1"] == part.clean["f1"].value
    attack = next(one for one in sample.scores.attacks if one.attack == "typo")
    assert figures["spans/attack/typo/f1"] == attack.attacked["f1"].value
    assert figures["spans/attack/typo/kept"] == attack.kept
    assert all(isinstance(one, float | int) for one in figures.values())
    assert settings_of(sample)["passed"] == "False"


def test_mlflow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow", reason="needs the extra [mlflow]")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{folder.parent}/ml.db")
    monkeypatch.chdir(folder.parent)
    named = open_run(folder).track("mlflow")
    told = mlflow.MlflowClient().get_run(named)
    assert told.data.metrics["spans/f1"] == pytest.approx(figures_of(open_run(folder))["spans/f1"])
    assert told.data.params["seed"] == "0"
    assert told.data.tags["verdict"] == open_run(folder).scores.verdict.headline
    files = mlflow.MlflowClient().list_artifacts(named, "readproof")
    assert {Path(one.path).name for one in files} >= {"scores.json"}


def test_wandb(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wandb = pytest.importorskip("wandb", reason="needs the extra [wandb]")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    monkeypatch.setenv("WANDB_DIR", str(folder.parent))
    done = run("rescore", folder, "--track", "wandb")
    assert "wandb: " in done.stderr, done.stderr
    name = done.stderr.rpartition("wandb: ")[2].split()[0]
    (place,) = folder.parent.glob(f"wandb/offline-run-*-{name}")
    assert {one.name for one in (place / "files").iterdir()} >= {"scores.json", "report.html"}
    (record,) = place.glob("*.wandb")
    # the library's own file of what was logged, which a process of its own writes
    end = time.monotonic() + 60
    while b"spans/f1" not in record.read_bytes() and time.monotonic() < end:
        time.sleep(0.2)
    assert b"spans/f1" in record.read_bytes()
    assert json.loads((place / "files/scores.json").read_text("utf-8"))["verdict"]
    assert wandb.run is None, "the run that was opened is closed"


def test_a_tracker_that_is_none() -> None:
    done = run("rescore", "nowhere", "--track", "notebook")
    assert done.returncode == 2
