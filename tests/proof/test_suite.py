"""Frozen suites: the same variants for every reader, hashed, resumable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.proof.records import cases
from readproof.proof.run import RunResults, prove_reader
from readproof.proof.suite import build_suite, read_suite
from readproof.reports.terminal import table
from readproof.tasks.itemlines import write_items
from tests.proof import made_readers
from tests.proof.conftest import SMALL, contents, small


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "small.jsonl"
    with path.open("w", encoding="utf-8") as file:
        write_items(small(), file)
    return path


def test_a_suite_gives_a_reader_the_variants_that_live_attacks_would(data: Path, tmp_path: Path) -> None:
    """Of attacks that do not search; a search asks its own reader."""
    attacks = [name for name in SMALL if name != "addsent"]
    header = build_suite(data, tmp_path / "suite.jsonl", attacks=attacks)
    live = prove_reader(made_readers.perfect, data, attacks=attacks, out=tmp_path / "live")
    frozen = prove_reader(made_readers.perfect, suite=tmp_path / "suite.jsonl", out=tmp_path / "frozen")
    assert contents(live.folder)["variants.jsonl"] == contents(frozen.folder)["variants.jsonl"]
    assert contents(live.folder)["answers.jsonl"] == contents(frozen.folder)["answers.jsonl"]
    assert frozen.scores.run.suite is not None
    assert frozen.scores.run.suite.digest == header.digest
    assert frozen.scores.attacks == live.scores.attacks
    assert f"frozen suite {header.digest[:12]}" in table(frozen.scores, frozen.timings)


def test_a_run_on_a_suite_goes_on_where_it_was(data: Path, tmp_path: Path) -> None:
    build_suite(data, tmp_path / "suite.jsonl", attacks=SMALL)
    run = prove_reader(made_readers.perfect, suite=tmp_path / "suite.jsonl", out=tmp_path / "run")
    before = contents(run.folder)
    for name, share in (("variants.jsonl", 3), ("answers.jsonl", 4)):
        whole = (run.folder / name).read_bytes()
        (run.folder / name).write_bytes(whole[: len(whole) // share])
    prove_reader(made_readers.perfect, suite=tmp_path / "suite.jsonl", out=tmp_path / "run")
    assert contents(run.folder) == before


def test_the_same_data_and_seed_give_the_same_bytes(data: Path, tmp_path: Path) -> None:
    one = build_suite(data, tmp_path / "one.jsonl", attacks=SMALL)
    other = build_suite(data, tmp_path / "other.jsonl", attacks=SMALL)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "other.jsonl").read_bytes()
    assert one == other
    assert build_suite(data, tmp_path / "third.jsonl", attacks=SMALL, seed=1).digest != one.digest


def test_a_build_that_was_stopped_goes_on(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = build_suite(data, tmp_path / "whole.jsonl", attacks=SMALL)
    out = tmp_path / "suite.jsonl"

    def stop(what: str, done: int, _total: int) -> None:
        if what == "reorder":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_suite(data, out, attacks=SMALL, progress=stop)
    part = out.with_name("suite.jsonl.part.jsonl")
    part.write_bytes(part.read_bytes()[:-20])
    assert not out.exists()
    with pytest.raises(InputError, match="another run"):
        build_suite(data, out, attacks=SMALL, seed=5)
    assert build_suite(data, out, attacks=SMALL) == whole
    assert not part.exists()


def test_a_suite_searched_against_a_reader_says_so(data: Path, tmp_path: Path) -> None:
    header = build_suite(
        data, tmp_path / "s.jsonl", attacks=["addsent"], reader="tests.proof.made_readers:last_sentence"
    )
    assert header.made_against == "tests.proof.made_readers:last_sentence"
    assert header.attacks[0].searched
    plain = build_suite(data, tmp_path / "p.jsonl", attacks=["addsent", "addany"])
    assert not plain.attacks[0].searched
    assert [one.attack for one in plain.left] == ["addany"]


def test_a_changed_line_is_told(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    build_suite(data, path, attacks=["triples"])
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"truth": "flipped"', '"truth": "kept"', 1), encoding="utf-8")
    with pytest.raises(InputError, match="do not fit the hash"):
        read_suite(path)
    with pytest.raises(InputError, match="no header of a suite"):
        read_suite(data)


def test_items_that_a_reader_cannot_answer_are_left_out_of_a_suite(data: Path, tmp_path: Path) -> None:
    build_suite(data, tmp_path / "suite.jsonl", attacks=SMALL)
    run = prove_reader(made_readers.last_sentence, suite=tmp_path / "suite.jsonl", out=tmp_path / "run")
    assert [part.name for part in run.scores.parts] == ["spans"]
    assert {one.part for one in run.scores.attacks} == {"spans"}
    assert "3 items left out" in run.scores.run.notes[-1]


def test_a_suite_brings_its_own_data(data: Path, tmp_path: Path) -> None:
    build_suite(data, tmp_path / "suite.jsonl", attacks=["triples"])
    with pytest.raises(InputError, match="one of them"):
        prove_reader(made_readers.perfect, data, suite=tmp_path / "suite.jsonl", out=tmp_path / "run")


def test_cases_tell_before_and_after(small_run: RunResults) -> None:
    found = [case for case in cases(small_run.folder) if case.question.attack == "invisible"]
    assert found
    for case in found:
        assert case.clean.item.id == case.question.origin
        assert case.before.measured == {"f1": 1.0, "em": 1.0, "right": 1.0}
        assert case.broken is (case.prediction.measured["f1"] < 1)
        assert case.sanitised is not None
    first = json.loads((small_run.folder / "variants.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert list(first) == ["at", "attack", "origin", "number", "of", "strategy", "truth", "edits", "item"]
