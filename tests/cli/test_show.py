"""`readproof show`: items as a person reads them, in both directions of writing, with and without colour."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
import typer
from bidi import get_display
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from typer.testing import CliRunner

from readproof.cli._show_lines import (
    CLOSE,
    OPEN,
    MarkedSpan,
    PageStyle,
    is_right_to_left,
    lines_of,
    reorders_itself,
    shaped,
    visual_order,
)
from readproof.cli.show import command, pages, show
from readproof.errors import InputError
from readproof.items import ChoiceItem, Gold, Item, LabelItem, Mark, SpanItem, TagItem, Triple
from readproof.text import sanitised
from tests.shared_data import SHARED, needs_shared
from tests.strategies import texts

QUESTION = ChoiceItem(
    id="c1", passage="文章", question="问题？", options=("甲", "乙"), answer=1, truths=(False, True), title="题"
)
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
UNSEEN = re.compile("[\u2066-\u2069\u200f]")


def page(*items: Item, **how: bool) -> str:
    return "\n".join(pages(items, PageStyle(width=60, **how)))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Nine questions in the SQuAD layout."""
    file = tmp_path / "dev.json"
    questions = [
        {"id": f"DEV_0_QUERY_{number}", "question": f"第{number}问？", "answers": [{"text": "北京", "answer_start": 3}]}
        for number in range(9)
    ]
    record = {"title": "首都", "paragraphs": [{"context": "首都是北京。" * 20, "qas": questions}]}
    file.write_text(json.dumps({"version": "1", "data": [record]}, ensure_ascii=False), encoding="utf-8")
    return file


def run(*arguments: str) -> str:
    app = typer.Typer()
    app.command()(command)
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_an_answer_stands_in_its_passage() -> None:
    item = SpanItem(
        id="s1", passage="首都是\u200b北\u200b京。", question="首都？", golds=(Gold("北\u200b京", 4), Gold("北京"))
    )
    shown = page(item)
    assert shown.startswith("── s1 ─")
    assert "passage   首都是⟦北京⟧。\n" in shown
    assert "(2 invisible characters are not shown)" in shown
    assert "question  首都？\n" in shown
    assert "(this answer is not in the passage)" in shown


def test_answers_that_overlap_are_one_mark() -> None:
    item = SpanItem(id="s", passage="在北京市区内", question="?", golds=(Gold("北京市", 1), Gold("京市区", 2)))
    assert "在⟦北京市区⟧内" in page(item)


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (
            SpanItem(id="s", passage="甲", question="乙", golds=(Gold("", -1),), impossible=True),
            "(none in the passage)",
        ),
        (SpanItem(id="s", passage="甲", question="乙"), "(not known)"),
        (SpanItem(id="s", passage="甲", question="乙", golds=(Gold("甲", 7),)), "answer    甲"),
        (LabelItem(id="l", text="前提", pair="结论", label="neutral"), "pair      结论\nlabel     neutral"),
        (LabelItem(id="l", text="前提"), "label     (not known)"),
        (TagItem(id="t", text="我爱北京", marks=(Mark(2, 4, "LOC"),)), "我爱⟦北京/LOC⟧"),
        (TagItem(id="t", text="今天好", marks=(Mark(0, 2), Mark(2, 3))), "⟦今天⟧⟦好⟧"),
        (
            TagItem(id="t", text="上呼吸道感染", marks=(Mark(0, 4, "bod"), Mark(0, 6, "dis"))),
            "⟦⟦上呼吸道/bod⟧感染/dis⟧",
        ),
        (TagItem(id="t", text="我", marks=None), "tags      (not known)"),
        (QUESTION, "  A false 甲\n✓ B true  乙"),
    ],
)
def test_every_kind_of_item(item: Item, said: str) -> None:
    assert said in page(item)


def test_a_triple_is_three_blocks_over_one_passage() -> None:
    shown = page(Triple(id="t1", original=QUESTION, positive=QUESTION, negative=QUESTION))
    assert shown.count("passage ") == 1
    assert re.findall("^(?:original|positive|negative)", shown, re.MULTILINE) == ["original", "positive", "negative"]


def test_colour_in_place_of_brackets() -> None:
    item = SpanItem(id="s1", passage="首都是北京。", question="首都？", golds=(Gold("北京", 3),))
    shown = page(item, colour=True)
    assert OPEN not in shown
    assert "首都是\x1b[1;30;43m北京\x1b[0m。" in shown
    tagged = page(TagItem(id="t", text="我爱北京", marks=(Mark(2, 4, "LOC"),)), colour=True)
    assert "\x1b[4;31m北京\x1b[0m\x1b[2m/LOC\x1b[0m" in tagged


def test_no_data_file_steers_the_terminal() -> None:
    item = SpanItem(id="\x1b[2Jx", passage="a\x1b]0;owned\x07\u202eb\ud800", question="\x9b31m?", title="\x08")
    shown = page(item)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", shown)


@settings(deadline=None, max_examples=300)
@given(raw=texts(60), width=st.integers(20, 40), visual=st.booleans(), language=st.sampled_from(["zh", "fa", ""]))
def test_any_text_fits_its_lines(raw: str, width: int, visual: bool, language: str) -> None:
    # the page puts a replacement character for a lone surrogate before it cuts lines
    assume(not any("\ud800" <= character <= "\udfff" for character in raw))
    for line in lines_of(sanitised(raw).clean, [], PageStyle(visual=visual), width, language):
        assert sum(map(cell_len, UNSEEN.sub("", line))) <= width


@settings(deadline=None, max_examples=200)
@given(text=st.text("中文，。（）ab سلام۱2", max_size=80), width=st.integers(8, 30))
def test_wrapping_keeps_every_character_but_spaces(text: str, width: int) -> None:
    lines = lines_of(text, [], PageStyle(), width)
    written = "".join(re.sub("[\u2066-\u2069 ]", "", line) for line in lines)
    assert written == text.replace(" ", "")
    assert all(cell_len(re.sub("[\u2066-\u2069]", "", line)) <= width for line in lines)


def test_no_line_begins_with_a_closing_sign() -> None:
    assert lines_of("一二三四五六七，八九（十）。", [], PageStyle(), 14) == ["一二三四五六", "七，八九", "（十）。"]


def test_right_to_left_lines_are_isolated_and_right_aligned() -> None:
    lines = lines_of("این یک متن فارسی است", [], PageStyle(), 12, "fa")
    assert len(lines) == 2
    for line in lines:
        assert re.fullmatch("( *)\u2067[^\u2066-\u2069]+\u2069", line)
        assert cell_len(line.replace("\u2067", "").replace("\u2069", "")) == 12


def test_visual_lines_read_from_the_right() -> None:
    span = MarkedSpan(4, 8, "gold")
    (line,) = lines_of("سال ۱۳۹۹ (GPS) بود", [span], PageStyle(visual=True), 40, "fa")
    plain = "".join(_letter(character) for character in line)
    assert plain == "دوب (GPS) ⟦۱۳۹۹⟧ لاس".rjust(40)


def test_a_number_behind_a_latin_type_keeps_its_place() -> None:
    """Without a mark between them a terminal would join the number to the type."""
    text, spans = "آلمان ۵ نفر", [MarkedSpan(0, 5, "tag0", "loc")]
    (line,) = lines_of(text, spans, PageStyle(visual=True), 30, "fa")
    assert "".join(map(_letter, line)).strip() == "رفن ۵ ⟦loc/ناملآ⟧"
    (line,) = lines_of("Paris 5", [MarkedSpan(0, 5, "tag0", "loc")], PageStyle(), 30)
    assert line == "⟦Paris/loc⟧ 5"


def test_letters_take_the_form_their_neighbours_ask_for() -> None:
    assert shaped(list("سلام")) == ["\ufeb3", "\ufefc", "", "\ufee1"]
    assert shaped(["م", "ی\u200c", "ر"]) == ["\ufee3", "\ufbfd", "\ufead"]
    assert shaped(list("ab")) == ["a", "b"]


@settings(deadline=None, max_examples=300)
@given(text=st.text("سلامگچ ۱۲۳ abc 12,.:/-+%()«»⟦⟧中", min_size=1, max_size=40).filter(str.strip), right=st.booleans())
def test_clusters_are_ordered_as_the_library_orders_text(text: str, right: bool) -> None:
    text = text.strip()
    order = visual_order(list(text), right)
    assert sorted(number for number, _ in order) == list(range(len(text)))
    assert "".join(text[number] for number, _ in order) == get_display(text, base_dir="R" if right else "L")


@pytest.mark.parametrize(
    ("environment", "is_terminal", "itself"),
    [
        ({}, False, True),
        ({"TERM": "linux"}, True, False),
        ({"TERM": "xterm-256color"}, True, False),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, True, True),
        ({"VTE_VERSION": "7600", "XTERM_VERSION": "XTerm(390)"}, True, False),
        ({"VTE_VERSION": "7600", "TERM_PROGRAM": "vscode"}, True, False),
        ({"KONSOLE_VERSION": "230804"}, True, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, True, True),
        ({"TERM": "mlterm-256color"}, True, True),
    ],
)
def test_which_terminals_reorder_by_themselves(environment: dict[str, str], is_terminal: bool, itself: bool) -> None:
    assert reorders_itself(environment, is_terminal) is itself


def test_the_direction_of_a_paragraph() -> None:
    assert is_right_to_left("سلام world")
    assert not is_right_to_left("world سلام")
    assert is_right_to_left("GPS چیست", "fa")
    assert not is_right_to_left("123")


def test_items_are_chosen(data: Path) -> None:
    assert [item.id for item in show(data)] == [f"DEV_0_QUERY_{number}" for number in range(3)]
    assert [item.id for item in show(data, first=1)] == ["DEV_0_QUERY_0"]
    assert [item.id for item in show(data, ids=["DEV_0_QUERY_7", "DEV_0_QUERY_2"])] == [
        "DEV_0_QUERY_2",
        "DEV_0_QUERY_7",
    ]
    sample = [item.id for item in show(data, sample=4, seed=1)]
    assert sample == sorted(set(sample)) == [item.id for item in show(data, sample=4, seed=1)]
    assert len(sample) == 4
    assert len({tuple(item.id for item in show(data, sample=4, seed=seed)) for seed in range(5)}) > 1
    assert len(show(data, sample=50)) == 9


def test_what_cannot_be_chosen(data: Path) -> None:
    with pytest.raises(InputError, match="Did you mean 'DEV_0_QUERY_"):
        show(data, ids=["DEV_0_QUERY_77"])
    with pytest.raises(InputError, match="one of them"):
        show(data, first=1, sample=1)


def test_the_command(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    out = run(str(data), "--id", "DEV_0_QUERY_5")
    assert "首都是⟦北京⟧。首都是北京" in out
    assert "第5问？" in out
    assert out.count("── ") == 1
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = run(f"cmrc2018:{data}", "--first", "1")
    assert "\x1b[1;30;43m北京\x1b[0m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert not ESCAPES.search(run(str(data)))


def test_json_is_one_object(data: Path) -> None:
    record = json.loads(run(str(data), "--first", "2", "--json"))
    assert [item["id"] for item in record["items"]] == ["DEV_0_QUERY_0", "DEV_0_QUERY_1"]
    assert record["items"][0]["golds"] == [["北京", 3]]


def test_a_reader_that_has_seen_enough_is_no_fault(data: Path) -> None:
    code = (
        "import sys, typer\nfrom readproof.cli.show import command\n"
        "app = typer.Typer()\napp.command()(command)\nsys.exit(app(sys.argv[1:]))\n"
    )
    show_it = [sys.executable, "-c", code, str(data), "--first", "9"]
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        done = subprocess.run(show_it, stdout=write_end, stderr=subprocess.PIPE, check=False, timeout=60)
    finally:
        os.close(write_end)
    assert (done.returncode, done.stderr) == (0, b"")


@needs_shared
@pytest.mark.parametrize(
    "name",
    [
        "cmrc2018/dev.json.xz",
        "persianqa/pqa_test.json",
        "gcrc_advrobust/dev_a.json",
        "celue/cmeee/valid.txt",
        "ocnli/dev.json",
    ],
)
@pytest.mark.parametrize("visual", [False, True])
def test_real_items_fit_the_page(name: str, visual: bool) -> None:
    items = show(SHARED / "data" / name, sample=20)
    lines = list(pages(items, PageStyle(width=80, visual=visual)))
    assert all(cell_len(UNSEEN.sub("", line)) <= 81 for line in lines)
    assert sum(line.count(OPEN) - line.count(CLOSE) for line in lines) == 0


def _letter(character: str) -> str:
    """The letter of a presentation form."""
    parts = unicodedata.decomposition(character).split()
    letters = [chr(int(code, 16)) for code in parts[1:]] if parts else [character]
    return "".join(reversed(letters)) if character >= "\ufb50" else character
