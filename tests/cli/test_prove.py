"""`readproof prove`, `rescore`, `compare` and `suite`, as a person types them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.proof import made_readers

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "examples/cmrc2018.sample.json"
WHOLE = made_readers.SAMPLE
PERFECT, WEAK = "tests.proof.made_readers:perfect", "tests.proof.made_readers:last_sentence"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cli") / "weak"
    done = run("prove", WEAK, WHOLE, "--attacks", "addsent,typo", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "Verdict: Reads, but falls for addsent." in done.stdout
    assert f"Run folder: {out}" in done.stdout
    assert f"Page:       {out / 'report.html'}" in done.stdout
    assert "going on" not in done.stderr
    return out


def test_a_limit_that_is_not_kept_is_status_3(tmp_path: Path) -> None:
    limits = "f1=90,addsent.kept=0.9"
    done = run("prove", WEAK, WHOLE, "--attacks", "addsent", "--out", tmp_path / "run", "--fail-under", limits)
    assert done.returncode == 3
    assert "met     f1 is" in done.stdout
    assert "MISSED  addsent.kept is" in done.stdout


def test_json_is_alone_on_standard_output(tmp_path: Path) -> None:
    done = run("prove", PERFECT, SAMPLE, "--attacks", "typo", "--limit", "5", "--out", tmp_path / "run", "--json")
    told = json.loads(done.stdout)
    assert told["passed"] is True
    (one,) = told["runs"]
    assert one["folder"] == str(tmp_path / "run")
    assert one["scores"]["run"]["data"]["task"] == "cmrc2018"
    assert one["scores"]["parts"][0]["questions"] == 5
    assert one["timings"]["sessions"] == 1
    assert one["page"] == str(tmp_path / "run/report.html")


def test_scored_again_with_other_limits(folder: Path) -> None:
    assert run("rescore", folder).returncode == 0
    done = run("rescore", folder, "--fail-under", "reads,stands", "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["passed"] is False
    assert run("rescore", folder, "--fail-under", "").returncode == 0


def test_the_page_is_made_of_the_files_whenever_it_is_missing_or_old(folder: Path) -> None:
    page = folder / "report.html"
    whole = page.read_text(encoding="utf-8")
    page.unlink()
    again = run("prove", WEAK, WHOLE, "--attacks", "addsent,typo", "--out", folder)
    assert again.returncode == 0, again.stderr
    assert page.stat().st_size == pytest.approx(len(whole.encode()), rel=0.01)
    assert "f1=99" not in page.read_text(encoding="utf-8")
    assert run("rescore", folder, "--fail-under", "f1=99").returncode == 3
    assert "f1=99" in page.read_text(encoding="utf-8"), "also where a limit is not kept"
    run("rescore", folder, "--fail-under", "")
    assert "f1=99" not in page.read_text(encoding="utf-8")


def test_a_closed_pipe_costs_neither_the_page_nor_the_status(folder: Path) -> None:
    (folder / "report.html").unlink()
    command = [sys.executable, "-m", "readproof", "rescore", str(folder), "--fail-under", "f1=99"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout
        process.stdout.close()
        assert process.wait() == 3
    assert (folder / "report.html").is_file()
    run("rescore", folder, "--fail-under", "")


def test_a_page_that_cannot_be_written_costs_nothing_else(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / "report.html").unlink()
    (copy / "report.html").mkdir()
    done = run("rescore", copy)
    assert done.returncode == 0, done.stderr
    assert "Verdict:" in done.stdout and "Page:" not in done.stdout
    assert "No page:" in done.stderr and f"`readproof report {copy}` makes it later" in done.stderr


def test_without_a_page(folder: Path, tmp_path: Path) -> None:
    done = run("prove", PERFECT, SAMPLE, "--attacks", "typo", "--limit", "5", "--out", tmp_path / "run", "--no-page")
    assert done.returncode == 0, done.stderr
    assert "Page:" not in done.stdout
    assert not (tmp_path / "run/report.html").exists()


def test_suites_and_comparisons(folder: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite.jsonl"
    done = run("suite", "build", SAMPLE, "-o", suite, "--attacks", "addonesent,typo", "--limit", "20")
    assert done.returncode == 0, done.stderr
    assert "readproof prove READER --suite" in done.stdout
    for name in ("perfect", "last_sentence"):
        out = tmp_path / name
        assert run("prove", f"tests.proof.made_readers:{name}", "--suite", suite, "--out", out).returncode == 0
    done = run("compare", tmp_path / "last_sentence", tmp_path / "perfect")
    assert done.returncode == 0, done.stderr
    assert "addonesent" in done.stdout
    assert "after Holm's correction" in done.stdout
    told = json.loads(run("compare", tmp_path / "perfect", tmp_path / "last_sentence", "--json").stdout)
    assert {row["attack"] for row in told["differences"]} == {"clean", "addonesent", "typo"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("prove", "zh", "--attacks", "adsent"), "Did you mean 'addsent'"),
        (("prove", "zh", "nowhere.json"), "no such file"),
        (("prove", "zh", "--fail-under", "f2=3"), "--fail-under"),
        (("prove", "zh", "--set", "worst_of=3"), "ATTACK.NAME=VALUE"),
        (("prove", "zh", WHOLE, "--attacks", "typo", "--fail-under", "addsent=3"), "attacks of this run: typo"),
        (("prove", "zh", "--suite", str(SAMPLE)), "readproof suite build"),
        (("rescore", "nowhere"), "no such folder"),
        (("compare", "nowhere", "nowhere"), "no such folder"),
    ],
)
def test_errors_say_what_to_do(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert not list(tmp_path.iterdir()), "nothing is left behind"
