"""Python functions as readers; what they give back is checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from readproof.errors import InputError
from readproof.items import ChoiceItem, SpanItem
from readproof.readers import load_reader

MODULE = """
def first(passage, question):
    return passage[:2]

def placed(passage, question):
    return passage[3:5], 3

def wrong(passage, question):
    return "一", 2

def nothing(passage, question):
    return ""

def number(passage, question):
    return 7

def fails(passage, question):
    return 1 / 0

def leaves(passage, question):
    raise SystemExit(0)

def longest(passage, question, options):
    return max(range(len(options)), key=lambda at: len(options[at]))

def both(passage, question, options=None):
    return "一" if options is None else 9

def one(passage):
    return ""
"""
ITEM = SpanItem(id="1", passage="甲乙\u200b丙丁戊", question="?")
CHOICE = ChoiceItem(id="2", passage="甲", question="?", options=("一", "二三"))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "answering_functions.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_spans() -> None:
    answer = load_reader("answering_functions:first").answer([ITEM])[0]
    assert (answer.text, answer.raw, answer.start, answer.end) == ("甲乙", "甲乙", 0, 2)
    answer = load_reader("answering_functions:placed").answer([ITEM])[0]
    assert (answer.raw, answer.start, answer.end) == ("丙丁", 3, 5)
    answer = load_reader("answering_functions:nothing").answer([ITEM])[0]
    assert (answer.text, answer.start) == ("", None)


def test_options() -> None:
    assert load_reader("answering_functions:longest").answer([CHOICE])[0].choice == 1
    assert load_reader("answering_functions:longest").capabilities == {"options"}
    assert load_reader("answering_functions:both").capabilities == {"options", "spans"}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("wrong", "at that place"),
        ("number", "a text"),
        ("fails", "ZeroDivisionError"),
        ("leaves", "SystemExit"),
        ("one", r"one\(passage\)"),
        ("longest", "SpanItem"),
        ("none", "no function"),
    ],
)
def test_what_is_wrong_is_said(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        load_reader(f"answering_functions:{name}").answer([ITEM])


def test_an_option_that_is_not_there() -> None:
    with pytest.raises(InputError, match="0 to 1"):
        load_reader("answering_functions:both").answer([CHOICE])
