"""`readproof sanitise`: the clean text on one stream, what was changed and where on the other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from readproof.cli.sanitise import as_record, command, picture, report, sanitise
from readproof.errors import InputError
from readproof.items import Edit
from readproof.text import applied
from tests.strategies import texts

RAW = "中\u200e国 a\u200eb\u3000c\r\n第二\u200b行\n"
# a mark between Han letters is no space, so the one between a and b is none either
CLEAN = "中国 ab c\n第二行\n"


def run(*arguments: str, given: str | bytes | None = None) -> tuple[str, str]:
    app = typer.Typer()
    app.command()(command)
    result = CliRunner().invoke(app, list(arguments), input=given, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


@settings(deadline=None, max_examples=200)
@given(
    raw=texts(),
    normalise=st.booleans(),
    script=st.sampled_from([None, "simplified", "traditional"]),
    width=st.sampled_from([None, "half", "full"]),
)
def test_the_changes_make_the_clean_text(raw: str, normalise: bool, script: str | None, width: str | None) -> None:
    text = sanitise(raw, normalise=normalise, script=script, width=width)
    assert applied(raw, text.edits).clean == text.clean
    record = as_record(text)
    assert record["clean"] == text.clean
    assert sum(record["counts"].values()) == len(record["changes"])  # type: ignore[attr-defined,arg-type]
    assert not any("\n" in line for line in report(text))


def test_every_step_is_asked_for() -> None:
    raw = "ＡＢＣ\u200e國學  １２"
    assert sanitise(raw).clean == "ＡＢＣ國學  １２"
    assert sanitise(raw, normalise=True).clean == "ABC國學 12"
    assert sanitise(raw, script="simplified").clean == "ＡＢＣ国学  １２"
    assert sanitise(raw, width="half").clean == "ABC國學  12"
    assert sanitise(raw, normalise=True, width="full").clean == "ＡＢＣ國學　１２"


@pytest.mark.parametrize("wrong", [{"script": "cursive"}, {"width": "double"}])
def test_an_unknown_form_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(InputError, match="expected"):
        sanitise("中", **wrong)


def test_a_file_is_cleaned_and_reported(tmp_path: Path) -> None:
    file = tmp_path / "passage.txt"
    file.write_bytes(b"\xef\xbb\xbf" + RAW.encode())
    out, said = run(str(file))
    assert out == CLEAN
    assert said.startswith("6 changes in 17 characters\n")
    assert "U+FEFF ZERO WIDTH NO-BREAK SPACE" in said
    assert "line 1, column 3: 中⟨U+200E⟩国 a b c" in said
    assert "line 2, column 3: b c⏎第二⟨U+200B⟩行⏎" in said


def test_standard_input_and_an_output_file(tmp_path: Path) -> None:
    target = tmp_path / "clean.txt"
    out, said = run("-", "-o", str(target), given=RAW.encode())
    assert out == ""
    assert target.read_bytes() == CLEAN.encode()
    assert f"wrote {target}" in said


def test_json_is_alone_on_standard_output() -> None:
    out, said = run("--json", given=RAW.encode())
    record = json.loads(out)
    assert said == ""
    assert record["clean"] == CLEAN
    assert record["changes"][0] == {
        "start": 1,
        "end": 2,
        "line": 1,
        "column": 2,
        "old": "\u200e",
        "new": "",
        "why": "U+200E LEFT-TO-RIGHT MARK",
    }
    assert [change["line"] for change in record["changes"]] == [1, 1, 1, 1, 2]
    assert record["counts"]["unusual space U+3000 IDEOGRAPHIC SPACE"] == 1


def test_what_is_shown_in_another_order_and_letters_of_another_script() -> None:
    assert run("--text", "a \u202eolleh\u202c b")[0] == "a hello b\n"
    assert run("--text", "Micrоsoft", "--one-script")[0] == "Microsoft\n"
    assert run("--text", "كتاب يكم مُ", "--persian")[0] == "کتاب یکم مُ\n"
    assert run("--text", "كتاب يكم مُ", "--persian", "--no-marks")[0] == "کتاب یکم م\n"
    assert run("--text", "كتاب مُ", "--no-marks")[0] == "كتاب م\n"


def test_the_text_itself() -> None:
    assert run("--text", "中\u200e国") == (
        "中国\n",
        "1 change in 3 characters\n1  U+200E LEFT-TO-RIGHT MARK\n     line 1, column 2: 中⟨U+200E⟩国\n",
    )
    assert run("--text", "中国", "--width", "half") == ("中国\n", "Nothing to change.\n")


def test_input_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one of them"):
        run(str(tmp_path / "a"), "--text", "b")
    with pytest.raises(InputError, match="line 2, byte 4"):
        run(given="中\n".encode() + "国".encode("gb18030"))
    with pytest.raises(InputError, match="no such file"):
        run(str(tmp_path / "missing"))
    with pytest.raises(InputError, match="not UTF-8"):
        run("--text", "\udc80")


def test_long_lists_are_cut_for_people_but_not_for_programs() -> None:
    raw = "".join(f"a{chr(code)}" for code in range(0xE0020, 0xE0040)) + "a\u200b" * 9
    text = sanitise(raw)
    lines = list(report(text))
    assert "     … and 5 more" in lines
    assert lines[-1] == "… and 22 changes for 22 other reasons; --json lists them all"
    assert len(as_record(text)["changes"]) == 41  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("raw", "edit", "shown"),
    [
        ("中\u200e国", Edit(1, "\u200e", ""), "中⟨U+200E⟩国"),
        ("a\u3000b", Edit(1, "\u3000", " "), "a⟨U+3000→space⟩b"),
        ("國學", Edit(0, "國", "国"), "⟨國→国⟩學"),
        ("a\r\nb", Edit(1, "\r\n", "\n"), "a⟨U+000D U+000A→U+000A⟩b"),
        ("a" + "\u200b" * 9, Edit(1, "\u200b" * 9, ""), "a⟨U+200B U+200B U+200B U+200B U+200B U+200B…⟩"),
    ],
)
def test_a_picture_shows_what_is_not_seen(raw: str, edit: Edit, shown: str) -> None:
    assert picture(raw, edit) == shown
