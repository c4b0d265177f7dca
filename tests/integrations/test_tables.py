"""CSV and TSV files, data frames and lists of dicts as data."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
import pytest

import readproof as rp
from readproof.errors import InputError
from readproof.items import ChoiceItem, SpanItem
from readproof.tasks import find, load
from readproof.tasks.rows import parse_columns
from readproof.tasks.sources import with_columns
from tests.cli.running import run

PASSAGE = "北京是中国的首都。\n上海在东边，很大。"
CSV = f'q,ctx,gold,nr\r\n中国的首都是哪里？,"{PASSAGE}",北京,7\r\n上海在哪边？,"{PASSAGE}",东边,8\r\n'
NAMED = "question=q,passage=ctx,answers=gold,id=nr"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    path.write_bytes(CSV.encode("utf-8-sig"))  # as spreadsheets write it
    return path


def test_columns_are_found_by_their_usual_names(table: Path) -> None:
    assert find(table)[0].name == "table"
    one, two = load(table)
    assert isinstance(one, SpanItem) and isinstance(two, SpanItem)
    assert (one.id, one.question, one.passage.replace("\r", "")) == ("row-1", "中国的首都是哪里？", PASSAGE)
    assert [(gold.text, gold.start) for gold in two.golds] == [("东边", 13)], "found in the passage"
    assert two.language == "zh"


def test_columns_by_name(table: Path) -> None:
    table.write_text(CSV.replace("q,ctx,gold,nr", "foo,bar,baz,qux"), encoding="utf-8")
    columns = {"question": "foo", "passage": "bar", "answers": "baz", "id": "qux"}
    assert [item.id for item in load(table, columns=columns)] == ["7", "8"]
    told = run("show", table)
    assert told.returncode == 2
    assert "--columns passage=COLUMN,question=COLUMN" in told.stderr
    given = ",".join(f"{name}={column}" for name, column in columns.items())
    assert run("show", table, "--columns", given, "--id", "8").stdout.count("⟦东边⟧") == 1
    out = table.with_name("run")
    done = run("prove", "baseline:first", table, "--columns", given, "--attacks", "typo", "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)["runs"][0]["scores"]["run"]["data"]
    assert (facts["name"], facts["task"], facts["items"]) == ("mine", "table", 2)
    # what the page says makes the same run again
    assert [item.id for item in load(facts["given"])] == ["7", "8"]
    again = run("prove", "baseline:first", facts["given"], "--attacks", "typo", "--out", out)
    assert again.returncode == 0, again.stderr


WRONG = [("question", "NAME=COLUMN"), ("huh=q", "one of id, passage"), ("question=none", "no column 'none'")]


@pytest.mark.parametrize(("columns", "words"), WRONG)
def test_columns_that_are_none(table: Path, columns: str, words: str) -> None:
    done = run("show", table, "--columns", columns)
    assert done.returncode == 2 and words in done.stderr


@pytest.mark.parametrize(("name", "sign"), [("a.tsv", "\t"), ("a.csv", ";"), ("a.csv", "\t")])
def test_separators(tmp_path: Path, name: str, sign: str) -> None:
    path = tmp_path / name
    rows = [("id", "context", "question", "answer"), ("x", "A, b; c.", "Which one?", "b")]
    path.write_text("\n".join(sign.join(row) for row in rows).replace("A, b; c.", "A b c."), encoding="utf-8")
    (item,) = load(path)
    assert isinstance(item, SpanItem) and (item.id, item.passage, item.golds[0].text) == ("x", "A b c.", "b")


def test_options_in_one_column_or_in_several(tmp_path: Path) -> None:
    several = tmp_path / "several.csv"
    several.write_text("passage,question,A,B,C,answer\n文。,哪个？,甲,乙,丙,C\n", encoding="utf-8")
    single = tmp_path / "single.csv"
    single.write_text(
        'passage,question,options,answer\n文。,哪个？,"[""甲"", ""乙""]",乙\n文。,哪个？,甲|乙|丙,0\n', encoding="utf-8"
    )
    found = [item for path in (several, single) for item in load(f"table:{path}")]
    assert [(item.options, item.answer) for item in found if isinstance(item, ChoiceItem)] == [
        (("甲", "乙", "丙"), 2), (("甲", "乙"), 1), (("甲", "乙", "丙"), 0),
    ]  # fmt: skip
    several.write_text("passage,question,A,B,C,answer\n文。,哪个？,甲,乙,丙,E\n", encoding="utf-8")
    with pytest.raises(InputError, match="row 1"):
        list(load(f"table:{several}"))


def test_an_empty_answer_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("context,question,answer\nA b.,Which?,b\nA b.,When?,\n", encoding="utf-8")
    first, second = load(path)
    assert isinstance(first, SpanItem) and isinstance(second, SpanItem)
    assert not first.impossible and second.impossible


def test_a_broken_table_says_where(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('context,question,answer\n"A b,Which?,b\n', encoding="utf-8")
    with pytest.raises(InputError, match="line"):
        list(load(path))


def test_attack_answer_score_and_audit_take_tables(table: Path) -> None:
    folder = table.parent
    assert run("attack", "typo", table, "-o", folder / "attacked.json").returncode == 0
    assert len(list(load(folder / "attacked.json"))) == 2
    assert run("answer", table, "--reader", "baseline:first", "-o", folder / "p.json").returncode == 0
    assert "2 items" in run("score", "table", folder / "p.json", table).stdout
    assert run("audit", table, "--fail").returncode == 0
    assert run("convert", table, "--to", "squad", "-o", folder / "c.json").returncode == 0
    assert [item.id for item in load(folder / "c.json")] == ["row-1", "row-2"]


def test_data_frames_and_dicts() -> None:
    rows = [
        {"context": "Paris is in France.", "question": "Where?", "answers": {"text": ["France"], "answer_start": [12]}}
    ]
    for data in (rows, pandas.DataFrame(rows)):
        (item,) = rp.load(data)
        assert isinstance(item, SpanItem) and item.golds[0].start == 12
    (item,) = rp.load([{"p": "甲。", "q": "？"}], columns={"passage": "p"})
    assert item.passage == "甲。"  # type: ignore[union-attr]


def test_specs() -> None:
    assert with_columns("a.csv", "") == "a.csv"
    assert with_columns("a.csv", "question=q 1,passage=c&d") == "table:a.csv?question=q+1&passage=c%26d"
    assert parse_columns("options=A+B, id=n") == {"options": "A+B", "id": "n"}
    with pytest.raises(InputError, match="another kind"):
        with_columns("a.json", "question=q")
