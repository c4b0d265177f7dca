"""The sheets of the blind readings: without labels, and judged by letters where they are triples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readproof.tasks.itemlines import write_items
from tests.attacks.options.data import ITEM
from tools import readings


def _sheets(folder: Path) -> None:
    data = folder / "data.jsonl"
    with data.open("w", encoding="utf-8") as file:
        write_items([ITEM], file)
    readings.options([str(data)], folder, 1)


def test_sheets_have_no_labels_and_cards_do(tmp_path: Path) -> None:
    _sheets(tmp_path)
    for name in ("options-keyword", "options-cause"):
        (card,) = map(json.loads, (tmp_path / f"{name}.cards.jsonl").read_text(encoding="utf-8").splitlines())
        assert card["truth"] in ("kept", "flipped") and card["was"] in ("true", "false")
        sheet = (tmp_path / f"{name}.sheet.txt").read_text(encoding="utf-8")
        assert card["after"] in sheet
        assert not any(word in sheet for word in ("kept", "flipped", card["strategy"]))


def test_letters_of_triples_are_compared_with_the_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _sheets(tmp_path)
    (card,) = map(json.loads, (tmp_path / "option-triples.cards.jsonl").read_text(encoding="utf-8").splitlines())
    sheet = (tmp_path / "option-triples.sheet.txt").read_text(encoding="utf-8")
    assert all(option in sheet for form in ("positive", "negative") for option in card[form]["options"])
    right = [card[form]["letter"] for form in ("positive", "negative")]
    wrong = "ABCD"["ABCD".index(right[1]) - 1]
    (tmp_path / "option-triples.one.tsv").write_text("1\t" + "\t".join(right) + "\n", encoding="utf-8")
    (tmp_path / "option-triples.two.tsv").write_text(f"1\t{right[0]}\t{wrong}\n", encoding="utf-8")
    capsys.readouterr()
    readings.triples("option-triples", ["one", "two"], tmp_path)
    told = capsys.readouterr().out
    assert "one: 2 of 2 letters" in told and "two: 1 of 2 letters" in told and "one and two: 1 of 2" in told
