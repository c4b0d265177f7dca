"""The evaluation half of the Persian study on a few questions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from examples.persian_study import evaluate as half
from examples.persian_study.__main__ import main
from examples.persian_study.evaluate import EvaluationPlan, evaluate
from examples.persian_study.rows import USUAL, rows_for, translators_of

from readproof.errors import InputError
from readproof.items import Answer, Item
from readproof.readers.factory import load_reader
from tests.examples.made import made_file

LEXICAL = "tests.readers.lexical:answer"
TRANSLATOR = "tests.examples.made:there_and_back"


class Counting:
    """A reader that counts, and stops like a person would after so many answers."""

    def __init__(self, stop: int = -1) -> None:
        self._reader = load_reader(LEXICAL)
        self.name, self.capabilities = self._reader.name, self._reader.capabilities
        self.fingerprint = self._reader.fingerprint
        self.asked, self.stop = 0, stop

    def answer(self, items: Sequence[Item]) -> list[Answer]:
        self.asked += len(items)
        if 0 <= self.stop < self.asked:
            raise KeyboardInterrupt
        return self._reader.answer(items)


def silent(_text: str) -> None:
    """Nobody listens."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return made_file(tmp_path / "pqa.json")


def plan(data: Path, out: Path, **more: Any) -> EvaluationPlan:
    return EvaluationPlan(reader=LEXICAL, data=str(data), out=out, **{"addany": 2, **more})


def test_all_rows_and_files(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    status = main(["evaluate", "--reader", LEXICAL, "--data", str(data), "--out", str(out), "--addany", "2"])
    told = capsys.readouterr().err
    assert status == 0, told
    assert "12 answerable questions" in told and "at the most about" in told
    record = json.loads((out / "evaluation.json").read_text(encoding="utf-8"))
    rows = record["rows"]
    assert set(rows) == {*USUAL, "paraphrase"}
    assert rows["addany"]["figures"]["questions"] == 2
    for mode in ("invisible-before", "invisible-replace"):
        assert rows[mode]["figures"]["attacked"] == 12
    before = rows["invisible-before"]["figures"]
    # this reader sees words only, and so nothing of the marks: what it loses is the metric's doing
    assert before["clean"] == rows["original"]["figures"]["clean"]
    assert before["raw"]["value"] < before["clean"]["value"]
    page = (out / "evaluation.md").read_text(encoding="utf-8")
    assert "| original | 57.9 | 56.1 |" in page and "| 22.3 | 19.3 |" in page
    assert "ARTEFACT" in page and (out / "ARTEFACT.md").is_file()


def test_without_a_translator_nothing_is_called_back_translation(data: Path, tmp_path: Path) -> None:
    record = evaluate(plan(data, tmp_path / "out", rows=("backtranslate-en",)), silent)
    assert record["rows"]["backtranslate-en"]["figures"] is None
    assert record["rows"]["paraphrase"]["figures"] is not None
    page = (tmp_path / "out" / "evaluation.md").read_text(encoding="utf-8")
    assert "| back-translation EN | 56.4 | 56.6 | not measured: no translator configured |" in page
    assert "| paraphrase by rules (no back-translation) | – | – |" in page


def test_with_a_translator_back_translation_is_measured(data: Path, tmp_path: Path) -> None:
    given = translators_of([f"fr={TRANSLATOR}"])
    rows = ("backtranslate-en", "backtranslate-fr")
    record = evaluate(plan(data, tmp_path / "out", rows=rows, translators=given), silent)
    assert record["rows"]["backtranslate-en"]["figures"] is None
    assert record["rows"]["backtranslate-fr"]["figures"]["attacked"] > 0
    every = rows_for(USUAL, translators=translators_of([TRANSLATOR]))
    assert not any(row.missing or row.name == "paraphrase" for row in every)


@pytest.mark.parametrize("stop", [6, 20, 30, 50])
def test_stopped_and_started_again_it_asks_nothing_twice(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int
) -> None:
    monkeypatch.setattr(half, "seconds_each", lambda _reader, _items: 0.01)
    rows = ("addsent", "addany", "invisible-before")

    def run(out: Path, reader: Counting) -> dict[str, Any]:
        monkeypatch.setattr(half, "load_reader", lambda _spec, threads: reader)
        return evaluate(plan(data, out, rows=rows), silent)

    whole = Counting()
    expected = run(tmp_path / "whole", whole)
    assert whole.asked > stop
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", Counting(stop=stop))
    rest = Counting()
    found = run(tmp_path / "out", rest)
    # sixteen questions are put together, so that the first stop was before any answer
    assert rest.asked == whole.asked if stop == 6 else rest.asked < whole.asked
    assert {**found, "seconds": 0} == {**expected, "seconds": 0}
    for row in (*rows, "original"):
        files = [(tmp_path / name / "cells" / f"{row}.jsonl").read_bytes() for name in ("whole", "out")]
        assert files[0] == files[1]
    again = Counting()
    assert run(tmp_path / "out", again)["rows"] == expected["rows"]
    assert again.asked == 0


def test_other_answers_are_not_mixed_in(data: Path, tmp_path: Path) -> None:
    evaluate(plan(data, tmp_path / "out", rows=("original",)), silent)
    with pytest.raises(InputError, match="--fresh"):
        evaluate(plan(data, tmp_path / "out", rows=("original",), limit=6), silent)
    found = evaluate(plan(data, tmp_path / "out", rows=("original",), limit=6, fresh=True), silent)
    assert found["questions"] == 6


def test_a_plan_asks_nothing(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["evaluate", "--reader", LEXICAL, "--data", str(data), "--out", str(out), "--plan"]) == 0
    assert "AddAny: on 12 questions, about" in capsys.readouterr().err
    assert not (out / "evaluation.json").exists() and not list(out.glob("cells/*"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--rows", "adsent"), "some of original, addsent"),
        (("--translator", "ct2:fa-en,en-fa"), "PIVOT=ct2"),
        (("--translator", "en=ct2:nowhere"), "FOLDER_THERE,FOLDER_BACK"),
        (("--data", "nowhere.json"), "no such file"),
        (("--reader", "nowhere/at/all"), "no such folder"),
    ],
)
def test_faults_are_told(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, str], told: str
) -> None:
    usual = {"--reader": LEXICAL, "--data": str(data), "--out": str(tmp_path / "out")}
    given = [part for pair in {**usual, arguments[0]: arguments[1]}.items() for part in pair]
    assert main(["evaluate", *given]) == 2
    assert told in capsys.readouterr().err


def test_data_of_another_language_are_refused(tmp_path: Path) -> None:
    sample = Path(__file__).resolve().parents[2] / "examples" / "cmrc2018.sample.json"
    with pytest.raises(InputError, match="Persian questions"):
        evaluate(plan(sample, tmp_path / "out"), silent)
