"""How sure a reader of spans should be: one reading for all temperatures, and the loss that chooses one."""

from __future__ import annotations

import json
import sys
from math import log
from pathlib import Path

import pytest

pytest.importorskip("onnx", reason="needs the extra [train]")

from readproof.items import Gold, SpanItem
from readproof.proof.measure import Confident
from readproof.readers.api import ReaderOptions
from readproof.readers.embedded import EmbeddedReader, open_folder
from tests.readers.tiny import save_tiny
from tools import temperature

PASSAGE = "他在年和公司，一人为主教。这名中国人是谁？他上大公司开发战双。"
ITEMS = [
    SpanItem(
        id=str(number),
        passage=PASSAGE[number:],
        question="他是谁？",
        golds=(Gold("主教", PASSAGE.index("主教") - number),),
    )
    for number in range(6)
]


def reader(folder: Path, own: float) -> EmbeddedReader:
    return open_folder(save_tiny(folder, card={"name": "tiny", "temperature": own}), ReaderOptions(threads=1))


def test_every_temperature_is_that_of_a_reader_which_has_it(tmp_path: Path) -> None:
    found = temperature.span_rows(reader(tmp_path, 1.0), ITEMS)
    for one in (0.5, 2.0, 4.0):
        answers = reader(tmp_path, one).answer(ITEMS)
        assert [row.confidence for row in found[one]] == pytest.approx([answer.confidence for answer in answers])
    sums = {one: sum(row.confidence for row in rows) for one, rows in found.items()}
    assert sums[0.5] > sums[1.0] > sums[4.0]


def test_the_loss_is_least_where_confidence_is_the_share_that_is_right() -> None:
    def rows(sure: float) -> list[Confident]:
        return [Confident(sure, float(number < 3), 0.0) for number in range(4)]

    assert temperature.span_loss(rows(0.75)) == pytest.approx(-(0.75 * log(0.75) + 0.25 * log(0.25)))
    assert temperature.span_loss(rows(0.75)) < min(temperature.span_loss(rows(other)) for other in (0.6, 0.9, 1.0))


def test_the_command_tells_the_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reader(tmp_path / "tiny", 2.0)
    data = tmp_path / "held.json"
    asked = [{"id": "1", "question": "他是谁？", "answers": [{"text": "主教", "answer_start": PASSAGE.index("主教")}]}]
    data.write_text(
        json.dumps({"data": [{"title": "", "paragraphs": [{"context": PASSAGE, "qas": asked}]}]}, ensure_ascii=False),
        encoding="utf-8",
    )
    monkeypatch.setattr(
        sys, "argv", ["temperature.py", str(tmp_path / "tiny"), "--spans", f"squad:{data}", "--threads", "1"]
    )
    temperature.main()
    said = capsys.readouterr().out
    assert "1 questions" in said
    best = float(said.partition("best: temperature ")[2].split(",")[0])
    assert best in (temperature.SPAN_STEPS[0].round(1), temperature.SPAN_STEPS[-1].round(1))
    assert "its own: temperature 2.0" in said
