"""`readproof report`: a page beside the run, tables on standard output, one JSON object, clear errors."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from readproof.proof.run import prove_reader
from tests.cli import running
from tests.reports.made_runs import Made, sample_items


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "made"
    items = sample_items()[:12]
    prove_reader(Made(items), items, attacks=["typo"], out=folder)
    return folder


def called(*arguments: str | Path) -> CompletedProcess[str]:
    return running.run("report", *arguments)


def test_the_page_lies_in_the_run_folder(run: Path) -> None:
    done = called(run)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert str(run / "report.html") in done.stderr
    assert (run / "report.html").read_text(encoding="utf-8").lstrip().startswith("<!doctype html>")


def test_json(run: Path, tmp_path: Path) -> None:
    told = json.loads(called(run, "-o", tmp_path / "page.html", "--failures", "3", "--json").stdout)
    assert told["file"] == str(tmp_path / "page.html")
    assert told["bytes"] == (tmp_path / "page.html").stat().st_size
    assert told["shown"] == 3 < told["failures"]


@pytest.mark.parametrize(("form", "sign"), [("markdown", "| typo |"), ("latex", r"\toprule")])
def test_tables_go_to_standard_output_or_a_file(run: Path, tmp_path: Path, form: str, sign: str) -> None:
    done = called(run, "--format", form)
    assert done.returncode == 0, done.stderr
    assert sign in done.stdout
    called(run, "--format", form, "-o", tmp_path / "tables")
    assert (tmp_path / "tables").read_text(encoding="utf-8") == done.stdout


def test_chinese_labels(run: Path) -> None:
    assert "# tests" not in called(run, "-f", "markdown", "--language", "zh").stdout
    assert "如何复现" in called(run, "-f", "markdown", "--language", "zh").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--format", "pdf"), "one of html, markdown, latex"),
        (("--language", "fr"), "one of auto, en, zh"),
        (("-o", "no/such/folder/page.html"), "an existing folder"),
    ],
)
def test_what_cannot_be_done_is_told(run: Path, arguments: tuple[str, ...], words: str) -> None:
    done = called(run, *arguments)
    assert done.returncode == 2
    assert words in done.stderr


def test_no_run(tmp_path: Path) -> None:
    done = called(tmp_path / "nothing")
    assert done.returncode == 2
    assert "the folder of a run" in done.stderr
