"""What organisers look up: all submissions with what went wrong, the log page by page, whom to write to."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from readproof.board import accounts, audit, managing, teams
from readproof.board.board import Board
from readproof.board.web.app import make_app
from tests.board.made_board import PASSWORD, captain, letters, person, submit
from tests.board.test_web import enter, work


@pytest.fixture
def client(board: Board) -> Iterator[TestClient]:
    person(board, "chair", organiser=True)
    with TestClient(make_app(board), follow_redirects=False) as made:
        yield made


def test_all_submissions_by_team_and_state(client: TestClient, board: Board) -> None:
    made = {name: submit(board, captain(board, name), letters(0.5)) for name in ("an", "bo")}
    submit(board, accounts.log_in(board, "an@example.org", PASSWORD)[0], b"{}")
    work(board)
    team = teams.membership(board, board.competitions["reading"], accounts.log_in(board, "bo@example.org", PASSWORD)[0])
    assert team is not None
    enter(client, "chair")
    for query, rows in (
        ("", 3),
        ("state=refused", 1),
        ("state=scored", 2),
        (f"team={team.team_id}", 1),
        ("team=99", 0),
    ):
        text = client.get(f"/c/reading/manage/submissions?{query}").text
        assert text.count('<th scope="row"') == rows, query
    assert made["bo"].id in client.get(f"/c/reading/manage/submissions?team={team.team_id}&state=scored").text
    for odd in ("at=0", "at=-5", "at=9999999", "state=x", "team=-1", f"team={2**40}"):
        assert client.get(f"/c/reading/manage/submissions?{odd}").status_code == 200, odd


def test_the_log_has_every_line_and_says_from_where(client: TestClient, board: Board) -> None:
    reading = board.competitions["reading"]
    chair = accounts.log_in(board, "chair@example.org", PASSWORD, address="203.0.113.9")[0]
    for number in range(130):
        managing.freeze(board, reading, chair, number % 2 == 0)
    assert [len(audit.log(board, reading, place).rows) for place in (1, 2, 3)] == [100, 30, 30]
    enter(client, "chair")
    text = client.get("/c/reading/manage/log").text
    assert "ranking.frozen" in text and "Page 1 of 2" in text and "login" not in text.partition("<tbody>")[2]
    whole = client.get("/c/reading/manage/log?of=all&at=2").text
    assert "203.0.113.9" in whole and "account.made" in whole and 'href="?of=all&amp;at=1"' in whole


def test_people_for_a_spreadsheet(client: TestClient, board: Board) -> None:
    reading, an, bo = board.competitions["reading"], captain(board, "an"), person(board, "bo")
    code = teams.membership(board, reading, an).team.invite  # type: ignore[union-attr]
    teams.join(board, reading, bo, code)
    enter(client, "chair")
    text = client.get("/c/reading/manage/people.csv").text.lstrip("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["team"], row["mail"], row["captain"], bool(row["agreed_at"])) for row in rows] == [
        ("Team an", "an@example.org", "True", True),
        ("Team an", "bo@example.org", "False", False),
    ]
