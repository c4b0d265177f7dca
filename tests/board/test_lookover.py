"""Files that do not go together: a worker does not score with them; backup and restore do their work and tell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from readproof.board.board import open_board
from readproof.board.serving import work
from readproof.cli import board as commands
from readproof.errors import InputError
from tests.board.made_board import captain, letters, made_board, submit
from tests.submit.parts import rows


def with_letters(place: Path) -> str:
    """A test file with answers to fill in, for which every upload would be refused."""
    test = place / "gcrc/test.json"
    test.write_text(test.read_text("utf-8").replace('"question"', '"answer": "", "question"'), encoding="utf-8")
    return "expected a test file without letters"


def with_other_ids(place: Path) -> str:
    gold = place / "gcrc/gold.json"
    gold.write_text(json.dumps({"data": rows(25)}, ensure_ascii=False), encoding="utf-8")
    return "found 25 triples where test.json has 24"


def handed_out(place: Path) -> str:
    (place / "gcrc/more.json").write_text(json.dumps({"data": rows(3)}), encoding="utf-8")
    with (place / "reading.toml").open("a", encoding="utf-8") as file:
        file.write('[[data]]\nfile = "gcrc/more.json"\ntitle = "More"\n')
    return "found 3 of the gold answers of reading; expected a download without them"


SPOILT = pytest.mark.parametrize("spoil", [with_letters, with_other_ids, handed_out])


@SPOILT
def test_a_worker_does_not_score_with_files_that_do_not_go_together(
    tmp_path: Path, spoil: Callable[[Path], str]
) -> None:
    board = made_board(tmp_path / "board")
    made = submit(board, captain(board, "an"), letters(1))
    board.close()
    told = spoil(tmp_path / "board/competitions")
    board = open_board(tmp_path / "board", clock=board.clock)
    said: list[str] = []
    with pytest.raises(InputError, match=told):
        work(board, said.append, once=True)
    # it waits, and is scored when the files are mended; no attempt is counted
    assert said == []
    # the worker of a server comes after the server's own look
    work(board, said.append, once=True, parent=1)
    assert len(said) == 1 and said[0].startswith(made.id)
    board.close()


def test_a_worker_says_what_is_not_there(tmp_path: Path) -> None:
    board = made_board(tmp_path / "board")
    gold = tmp_path / "board/competitions/gcrc/gold.json"
    gold.unlink()
    said: list[str] = []
    work(board, said.append, once=True)
    assert said == [f"reading takes nothing yet: there is no {gold}"]
    board.close()


@SPOILT
def test_a_board_that_cannot_start_is_saved_and_brought_back_and_told(
    tmp_path: Path, spoil: Callable[[Path], str], capsys: pytest.CaptureFixture[str]
) -> None:
    made_board(tmp_path / "board").close()
    told = spoil(tmp_path / "board/competitions")
    commands.backup(tmp_path / "board", tmp_path / "b.zip", as_json=True)
    first = capsys.readouterr()
    commands.restore(tmp_path / "b.zip", tmp_path / "again", as_json=True)
    second = capsys.readouterr()
    for one, folder in ((first, "board"), (second, "again")):
        (fault,) = json.loads(one.out)["faults"]
        assert fault.startswith(f"serve and worker will not start with these files: {tmp_path / folder}/")
        assert told in fault and fault in one.err


def test_what_a_backup_did_not_hold_is_missing_after_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_board(tmp_path / "board").close()
    gold = tmp_path / "board/competitions/gcrc/gold.json"
    outside = gold.rename(tmp_path / "gold.json")
    toml = tmp_path / "board/competitions/reading.toml"
    toml.write_text(toml.read_text("utf-8").replace('"gcrc/gold.json"', f'"{outside}"'), encoding="utf-8")
    commands.backup(tmp_path / "board", tmp_path / "b.zip", as_json=True)
    assert json.loads(capsys.readouterr().out)["without"] == [str(outside)]
    # on another machine
    outside.unlink()
    commands.restore(tmp_path / "b.zip", tmp_path / "again", as_json=True)
    record = json.loads(capsys.readouterr().out)
    assert record["faults"] == []
    assert record["missing"] == [f"reading takes nothing yet: there is no {outside}"]
