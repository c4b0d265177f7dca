"""What commands say where a data file is easily misused: cleaned as text, converted, scored in part or as another's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

PASSAGE = "پایتخت اسپانیا\u200e مادرید است."


@pytest.fixture
def persian(tmp_path: Path) -> Path:
    """Two questions as PersianQA has them, one with an invisible sign in its passage."""
    answer = {"text": "مادرید", "answer_start": PASSAGE.index("مادرید"), "answer_end": PASSAGE.index(" است")}
    rows = [{"id": one, "question": "پایتخت؟", "answers": [answer], "is_impossible": False} for one in (1, 2)]
    path = tmp_path / "fa.json"
    data = {"data": [{"title": "", "paragraphs": [{"context": PASSAGE, "qas": rows}]}]}
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    return path


def test_a_data_file_cleaned_as_text(persian: Path, tmp_path: Path) -> None:
    found = run("sanitise", persian, "-o", tmp_path / "clean.json")
    assert f"readproof convert persianqa:{persian} --sanitise -o OUT" in found.stderr.replace("\n", " ")
    plain = tmp_path / "plain.txt"
    plain.write_text(PASSAGE, encoding="utf-8")
    assert "convert" not in run("sanitise", plain).stderr


def test_a_converted_file_that_looks_like_another_tasks(persian: Path, tmp_path: Path) -> None:
    out = tmp_path / "squad.json"
    found = run("convert", persian, "--to", "squad", "-o", out)
    assert f"name it as persianqa:{out}" in found.stderr.replace("\n", " ")


def test_questions_that_were_not_asked(persian: Path, tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("def answer(passage, question):\n    return passage[:3]\n", encoding="utf-8")
    out = tmp_path / "p.json"
    found = run("answer", persian, "--reader", "first:answer", "--limit", "1", "-o", out, cwd=tmp_path)
    assert "scored as missing" in found.stderr.replace("\n", " ")
    assert "1 of 2 questions have no prediction and are left out" in run("score", "persianqa", out, persian).stderr
    assert "looks like a file of persianqa" in run("score", "cmrc2018", out, persian).stderr


@pytest.mark.parametrize(
    ("reader", "text", "said"),
    [
        ("zh", PASSAGE, "made for zh, and the passage seems to be fa"),
        ("sense:fa", PASSAGE, "knows Chinese alone"),
        ("fa", PASSAGE, ""),
        ("sense:zh", "桥建于1623年。", ""),
    ],
)
def test_a_passage_in_another_language_than_the_readers(reader: str, text: str, said: str) -> None:
    found = run("ask", "--reader", reader, "--text", text, "？")
    assert found.returncode == 0
    assert said in found.stderr if said else "note:" not in found.stderr
