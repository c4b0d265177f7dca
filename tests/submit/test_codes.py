"""Codes are a promise: documented, in two languages, and none is used that is not in the table."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from readproof.errors import InputError, visible
from readproof.submit.pages import pages
from readproof.submit.problems import LISTED, Problems, codes, explained, picture, problem

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src/readproof/submit"


def test_every_page_is_as_the_table_has_it() -> None:
    folder = ROOT / "docs/codes"
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == pages()


def test_every_code_in_the_source_is_in_the_table_and_the_other_way_round() -> None:
    used = {code for path in SOURCE.glob("*.py") for code in re.findall(r'"([ACDGMR]\d{3})"', path.read_text("utf-8"))}
    assert used == set(codes())


def test_both_languages_fill_in_the_same_values() -> None:
    for code in codes().values():
        for label in (code.title, code.found, code.expected, code.why, code.do):
            assert label.en and label.zh
            assert _places(label.en) == _places(label.zh), code.code
        assert not _places(code.do.en) | _places(code.why.en)


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_a_problem_says_where_and_what() -> None:
    one = problem("G222", "GCRC_advRobust.json", "line 14, data[0].answer", key="answer", what='"a"', last="D")
    assert one.sentence("en") == (
        'GCRC_advRobust.json line 14, data[0].answer: answer is "a"; '
        "expected: one capital letter, A to D, without blanks"
    )
    assert one.sentence("zh") == (
        'GCRC_advRobust.json 第14行，data[0].answer：answer 为 "a"；应为：一个大写字母，A 到 D，不含空格'
    )
    assert problem("G213", "x", "line 3, column 4", reason="?").place_in("zh") == "第3行第4列"


def test_a_flood_is_counted() -> None:
    problems = Problems()
    for number in range(LISTED + 7):
        problems.add("C613", "x.jsonl", f"line {number}")
    assert len(problems.found) == LISTED
    assert problems.unlisted() == {("C613", "x.jsonl"): 7}


def test_values_are_short_and_visible() -> None:
    assert visible("a\x1b[2J\u202e") == "a\\x1b[2J\\u202e"
    assert len(visible("x" * 1000)) == 121
    assert picture({"a": 1, "b": 2}) == "{a, b}"
    assert (picture([1, 2]), picture(None), picture(True), picture("好")) == ("[…] (2)", "null", "true", '"好"')


def test_an_unknown_code_is_the_users_to_correct() -> None:
    assert explained(" g222 ").code == "G222"
    with pytest.raises(InputError, match="X999"):
        explained("X999")
