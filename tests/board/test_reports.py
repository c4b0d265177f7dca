"""Technical reports and their comments, and the draw for the cross-check."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from readproof.board import reports, teams
from readproof.board.board import Board
from readproof.board.crosscheck import drawn
from readproof.board.ranking import RankingEntry, ranked
from readproof.board.web.app import make_app
from tests.board.made_board import captain, person
from tests.board.test_core import refused
from tests.board.test_web import csrf, enter

PDF = b"%PDF-1.7\n..."


def test_a_report_is_seen_by_its_team_and_the_organisers_only(board: Board) -> None:
    captain(board, "an")
    captain(board, "bo")
    person(board, "chair", organiser=True)
    with TestClient(make_app(board), follow_redirects=False) as client:
        enter(client, "an")
        token = csrf(client, "/account")
        files = {"file": ("报告.pdf", PDF, "application/pdf")}
        answer = client.post("/c/reading/reports", data={"csrf": token}, files=files)
        assert answer.status_code == 303
        place = answer.headers["location"].partition("?")[0]
        enter(client, "chair")
        words = {"words": "<b>为什么</b>？", "csrf": csrf(client, "/account")}
        assert client.post(f"{place}/comments", data=words).status_code == 303
        assert place.rpartition("/")[2] in client.get("/c/reading/reports").text
        enter(client, "an")
        assert "&lt;b&gt;为什么" in client.get(place).text
        assert client.get(f"{place}/file").content == PDF
        enter(client, "bo")
        for path in (place, f"{place}/file"):
            assert client.get(path).status_code == 404
        assert client.post(f"{place}/comments", data=words | {"csrf": csrf(client, "/account")}).status_code == 404
        assert place not in client.get("/c/reading/reports").text


@pytest.mark.parametrize(("name", "data"), [("a.pdf", b"MZ"), ("a.exe", PDF), ("a.docx", PDF), ("a.pdf", b"")])
def test_only_documents_are_reports(board: Board, name: str, data: bytes) -> None:
    reading = board.competitions["reading"]
    member = teams.membership(board, reading, captain(board, "an"))
    assert member is not None
    with refused("refused.report"):
        reports.send(board, reading, member, name, io.BytesIO(data))
    assert list(board.settings.uploads.iterdir()) == []


@given(st.integers(0, 12))
def test_everybody_checks_one_other_and_is_checked_once(count: int) -> None:
    at = datetime(2027, 1, 1, tzinfo=UTC)
    rows = ranked([RankingEntry(n, f"t{n}", "", n / 20, at, f"s{n}") for n in range(count)])
    seed, pairs = drawn("gcrc", "closed", rows)
    taken = min(count, 6)
    assert len(pairs) == (taken if taken > 1 else 0)
    assert all(one.checker != one.checked for one in pairs)
    assert len({one.checker for one in pairs}) == len({one.checked for one in pairs}) == len(pairs)
    assert drawn("gcrc", "closed", rows) == (seed, pairs)
    assert drawn("gcrc", "open", rows)[0] != seed


def test_reports_are_in_backups(board: Board, tmp_path: Path) -> None:
    from readproof.board.backup import backup, restore

    reading = board.competitions["reading"]
    member = teams.membership(board, reading, captain(board, "an"))
    assert member is not None
    made = reports.send(board, reading, member, "report.pdf", io.BytesIO(PDF))
    backup(board, tmp_path / "b.zip")
    restore(tmp_path / "b.zip", tmp_path / "again")
    assert (tmp_path / "again/uploads" / made.id / "report.pdf").read_bytes() == PDF
