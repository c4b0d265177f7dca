"""`readproof ask --options`: letter, scores and evidence, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from readproof.cli._ask_lines import CHOSEN, OptionsAskResult, ask_options, from_file, option_lines
from readproof.cli._show_lines import PageStyle, columns
from readproof.cli.main import app
from readproof.errors import InputError
from readproof.items import Answer, ChoiceItem
from readproof.readers.options import EvidenceSpan, JudgedOption, JudgedOptions
from tests.readers.overlap import OverlapReader

PASSAGE = (
    "湿地是人类的衣食父母，为人类提供了部分物资。\n"
    "湿地能调节气候，也能净\u200b化水质。人们到了19世纪中叶才开始研究湿地，此前湿地一直被当作荒地开垦。"
)
QUESTION = "下列对原文的理解，不正确的一项是"
OPTIONS = ("湿地为人类提供了部分物资", "湿地能净化水质，也能调节气候", "湿地从来没有人研究，今后也不必研究")


@pytest.fixture
def overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readproof.readers.load_reader", lambda spec, **more: OverlapReader())


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(app(), ["ask", *arguments], input=given)


def each(options: tuple[str, ...] = OPTIONS) -> list[str]:
    return [word for option in options for word in ("--options", option)]


def test_options_for_a_person(overlap: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    found = run(QUESTION, "--text", PASSAGE, *each(), "--top", "1")
    assert found.exit_code == 0, found.output
    assert (
        found.stdout
        == """\
C  50%
asked for: the option that is not true of the passage

  A  ██████████████████░░  91% true
     湿地为人类提供了部分物资
     0–22  0.91  湿地是人类的衣食父母，为人类提供了部分物资。

  B  █████████████████░░░  85% true
     湿地能净化水质，也能调节气候
     23–39  0.85  湿地能调节气候，也能净化水质。

▸ C  ████░░░░░░░░░░░░░░░░  19% true
     湿地从来没有人研究，今后也不必研究
     39–71  0.19  人们到了19世纪中叶才开始研究湿地，此前湿地一直被当作荒地开垦。

"""
    )


def test_options_for_a_program(overlap: None) -> None:
    found = run(QUESTION, "--text", PASSAGE, *each(), "--json", "--top", "2")
    record = json.loads(found.stdout)
    assert (record["letter"], record["choice"], record["text"]) == ("C", 2, OPTIONS[2])
    assert (record["asked"], record["reader"], record["confidence"]) == ("false", "overlap", 0.5)
    assert [one["letter"] for one in record["options"]] == ["A", "B", "C"]
    assert [one["text"] for one in record["options"]] == list(OPTIONS)
    for option in record["options"]:
        assert 0.0 <= option["score"] <= 1.0
        assert len(option["evidence"]) == 2
        for piece in option["evidence"]:
            assert PASSAGE[piece["start"] : piece["end"]] == piece["text"]
    assert "净\u200b化水质" in record["options"][1]["evidence"][0]["text"]


def test_options_come_from_the_command_line_or_from_a_file(overlap: None, tmp_path: Path) -> None:
    passage, lines, record = tmp_path / "p.txt", tmp_path / "options.txt", tmp_path / "item.json"
    passage.write_text(PASSAGE, encoding="utf-8")
    lines.write_text("\n".join(f"{name}．{text}" for name, text in zip("ABC", OPTIONS, strict=True)), encoding="utf-8")
    whole = {"id": "t", "passage": PASSAGE, "question": QUESTION, "options": OPTIONS, "positive_options": OPTIONS}
    record.write_text(json.dumps({"data": [whole]}), encoding="utf-8")
    on = ("--passage", str(passage))
    lettered = tuple(f"({name}) {text}" for name, text in zip("ABC", OPTIONS, strict=True))
    ways = [
        run(QUESTION, *on, *each(), "--json"),
        run(QUESTION, *on, *each(lettered), "--json"),
        run(QUESTION, *on, "--options-file", str(lines), "--json"),
        run(QUESTION, "--passage", "-", "--options-file", str(lines), "--json", given=PASSAGE),
        run(QUESTION, *on, "--options-file", "-", "--json", given=json.dumps(OPTIONS)),
        run("--options-file", str(record), "--json"),
        run("--options-file", "-", "--json", given=json.dumps(whole, ensure_ascii=False)),
        run(QUESTION, *on, "--options-file", str(record), "--json"),
    ]
    assert {one.stdout for one in ways} == {ways[0].stdout}
    assert json.loads(ways[0].stdout)["letter"] == "C"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("甲\n\n乙\n", ("甲", "乙")),
        ("A. 甲\nB. 乙", ("甲", "乙")),
        ("（A）甲\n（B）乙", ("甲", "乙")),
        ("A、甲\nC、乙", ("A、甲", "C、乙")),
        ("A股上涨\nB股下跌", ("A股上涨", "B股下跌")),
        ('["A. 甲", "B. 乙"]', ("A. 甲", "B. 乙")),
        ('{"options": ["甲", "乙"]}', ("甲", "乙")),
        ('[{"options": ["甲", "乙"]}]', ("甲", "乙")),
    ],
)
def test_options_of_a_file(text: str, expected: tuple[str, ...]) -> None:
    assert from_file(text, "f").texts == expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "f: found 0 options"),
        ("甲", "f: found 1 option; expected from 2 to 26"),
        ("\n".join("甲" * 27), "27 options"),
        ('["甲", 3]', "a list of texts"),
        ('{"options": "甲"}', "a list of texts"),
        ('["甲", " \u200b"]', "option B: found nothing to read"),
        ('{"data": [{"options": ["甲", "乙"]}, {"options": []}]}', "2 records"),
        ('{"options": ["甲", "乙"], "passage": 3}', "f, passage"),
        ('["甲",', "line 1"),
    ],
)
def test_a_file_without_options(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        from_file(text, "f")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--text", PASSAGE, *each()), "options and no question"),
        ((QUESTION, *each()), "no passage"),
        ((QUESTION, "--text", PASSAGE, *each(), "--options-file", "x"), "both --options and --options-file"),
        ((QUESTION, "--passage", "-", "--options-file", "-"), "from standard input"),
        ((QUESTION, "--text", PASSAGE, "--options", "甲"), "1 option"),
        ((QUESTION, "--text", PASSAGE, "--options-file", "no-such-file"), "no such file"),
    ],
)
def test_what_cannot_be_asked(overlap: None, arguments: tuple[str, ...], says: str) -> None:
    found = run(*arguments)
    assert isinstance(found.exception, InputError)
    assert says in str(found.exception)


def test_a_function_gives_a_letter_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "last_of_options.py").write_text(
        "def answer(passage, question, options):\n    return len(options) - 1\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    asked = (QUESTION, "--text", PASSAGE, *each(), "--reader", "last_of_options:answer")
    found = run(*asked)
    assert found.stdout.startswith(f"C\n\n  A  {OPTIONS[0]}\n")
    assert f"{CHOSEN} C  {OPTIONS[2]}\n" in found.stdout
    record = json.loads(run(*asked, "--json").stdout)
    assert (record["letter"], record["asked"]) == ("C", None)
    assert [one["score"] for one in record["options"]] == [None] * 3


def test_a_reader_of_spans_alone_refuses_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spans_only.py").write_text("def answer(passage, question):\n    return ''\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = run(QUESTION, "--text", PASSAGE, *each(), "--reader", "spans_only:answer")
    assert isinstance(found.exception, InputError)
    assert "ChoiceItem" in str(found.exception)


def test_scores_that_are_no_probabilities_are_shown_as_they_are() -> None:
    item = ChoiceItem(id="1", passage="甲", question="?", options=("一", "二"))
    logits = OptionsAskResult(item, Answer(id="1", choice=1, scores=(-1.5, 3.25), confidence=0.99))
    shown = list(option_lines(logits, PageStyle(width=80), 3))
    assert shown[0] == "B  99%"
    assert "  A  score -1.50" in shown and f"{CHOSEN} B  score 3.25" in shown
    nothing = list(option_lines(OptionsAskResult(item, Answer(id="1")), PageStyle(width=80), 3))
    assert nothing[0] == "(no answer)"
    assert not any(CHOSEN in line for line in nothing)


def test_colour_marks_the_letter() -> None:
    item = ChoiceItem(id="1", passage=PASSAGE, question=QUESTION, options=OPTIONS)
    plain, coloured = (
        list(option_lines(ask_options(OverlapReader(), item), page, 3))
        for page in (PageStyle(), PageStyle(colour=True))
    )
    assert "\x1b[1;32mC\x1b[0m" in coloured[0]
    assert len(plain) == len(coloured)
    assert not any("\x1b" in line for line in plain)


@given(
    passage=st.text(min_size=1, max_size=400),
    options=st.lists(st.text(min_size=1, max_size=120), min_size=2, max_size=6),
    width=st.integers(60, 120),
    data=st.data(),
)
def test_no_line_is_wider_than_the_page_and_none_steers_the_terminal(
    passage: str, options: list[str], width: int, data: st.DataObject
) -> None:
    places = st.tuples(st.integers(0, len(passage)), st.integers(0, len(passage))).map(sorted)
    judged = tuple(
        JudgedOption(data.draw(st.floats(0, 1)), (EvidenceSpan(*data.draw(places), data.draw(st.floats(0, 1))),))
        for _ in options
    )
    item = ChoiceItem(id="1", passage=passage, question="?", options=tuple(options))
    asked = OptionsAskResult(item, Answer(id="1", choice=0), JudgedOptions(Answer(id="1", choice=0), "best", judged))
    for line in option_lines(asked, PageStyle(width=width), 3):
        assert columns(line) <= width
        assert not any(ord(character) < 32 for character in line)
