"""Keeping a board running: workers that fall are started again, a database that is away for a while ends nothing."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from readproof.board import serving
from readproof.board.client import submit as send
from readproof.board.worker import ScoringWorker
from tests.board.made_board import captain, letters, made_board, submit
from tests.board.serving import served


def test_a_worker_that_falls_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_PARENT", 0.02)
    monkeypatch.setattr(serving, "_LOOK", 0.02)
    notes, stop = tmp_path / "notes", threading.Event()
    falling = [sys.executable, "-S", "-c", f"open({str(notes)!r}, 'a').write('x'); raise SystemExit(9)"]
    keeper = threading.Thread(target=serving._keep, args=(falling, stop))
    keeper.start()
    end = time.monotonic() + 20
    while not (notes.exists() and len(notes.read_text()) >= 3) and time.monotonic() < end:
        time.sleep(0.02)
    stop.set()
    keeper.join()
    assert len(notes.read_text()) >= 3


def test_a_worker_outlives_a_database_that_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readproof.board.worker._PAUSE", 0.01)
    board = made_board(tmp_path / "board")
    made = submit(board, captain(board, "an"), letters(1))
    worker, stop, said = ScoringWorker(board), threading.Event(), list[str]()
    claim, away = ScoringWorker._claim, iter([True, True])

    def claimed(one: ScoringWorker) -> object:
        if next(away, False):
            raise OperationalError("SELECT 1", {}, OSError("gone"))
        return claim(one)

    def say(text: str) -> None:
        said.append(text)
        if made.id in text:
            stop.set()

    monkeypatch.setattr(ScoringWorker, "_claim", claimed)
    worker.run(stop, say)
    assert [text.partition(" (")[0] for text in said[:2]] == ["the database does not answer"] * 2
    assert said[2] == f"{made.id}: 1.0"
    board.close()


def test_the_command_waits_for_the_score(tmp_path: Path) -> None:
    from readproof.board import accounts

    board = made_board(tmp_path / "board")
    token = accounts.make_token(board, captain(board, "an"), "t")
    file = tmp_path / "GCRC_advRobust.json"
    file.write_bytes(letters(1))
    with served(board) as address:
        status, record = send(f"{address}/c/reading", file, "closed", token, wait=20)
        assert (status, record["status"], record["score"]) == (201, "scored", 1.0)
        file.write_bytes(b"{}")
        status, record = send(f"{address}/c/reading", file, "closed", token)
        assert status == 422 and record["problems"]
    board.close()
