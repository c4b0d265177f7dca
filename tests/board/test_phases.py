"""Pages offer what can be done now, and organisers are told where others see something else than they do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from readproof.board import managing
from readproof.board.backup import restore
from readproof.board.board import Board
from readproof.board.ranking import view
from readproof.board.serving import _elsewhere
from readproof.board.web.app import make_app
from readproof.board.worker import ScoringWorker
from readproof.errors import InputError
from tests.board.made_board import captain, letters, person, submit
from tests.board.test_web import csrf, enter

CLOSED = datetime(2031, 1, 2, tzinfo=UTC)
PLACES = ("", "/data", "/submit", "/submissions")


@pytest.fixture
def client(small: Board) -> Iterator[TestClient]:
    with TestClient(make_app(small), follow_redirects=False) as made:
        yield made


def close(board: Board) -> None:
    board.clock.moment = CLOSED  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", PLACES)
def test_taking_part_is_offered_while_one_can(client: TestClient, small: Board, path: str) -> None:
    person(small, "new")
    enter(client, "new")
    found = client.get(f"/c/reading{path}")
    assert found.status_code == 200 and "Take part" in found.text
    close(small)
    enter(client, "new")
    found = client.get(f"/c/reading{path}")
    assert found.status_code == 200
    assert "Take part" not in found.text and "Registration is not open." in found.text


def test_who_wants_to_take_part_is_asked_to_log_in_and_not_scolded(client: TestClient) -> None:
    found = client.get("/c/reading/team")
    assert found.status_code == 401
    assert "<h1>Log in</h1>" in found.text and "Log in first." in found.text
    assert "Not possible" not in found.text and "%2Fc%2Freading%2Fteam" in found.text
    assert "Not possible" in client.get("/nowhere").text


def test_when_all_is_over_nothing_is_said_of_tomorrow(client: TestClient, small: Board) -> None:
    captain(small, "an")
    enter(client, "an")
    assert "Left today" in client.get("/c/reading/submit").text
    assert "Invite code" in client.get("/c/reading/team").text
    close(small)
    enter(client, "an")
    text = client.get("/c/reading/submit").text
    assert "Submission closed at 2031-01-01 00:00 (Asia/Shanghai)." in text
    assert "Left today" not in text and "board submit" not in text
    # nobody can join, change the code or leave any more
    assert "Invite code" not in client.get("/c/reading/team").text


def test_the_zone_of_two_dates_is_named_once(client: TestClient) -> None:
    text = client.get("/c/reading").text
    assert "2020-01-01 00:00 – 2031-01-01 00:00 (Asia/Shanghai)" in text
    assert "First prize: 1 team<" in text and "Second prize: 2 teams<" in text


def test_organisers_are_told_what_others_see(client: TestClient, small: Board) -> None:
    reading, chair = small.competitions["reading"], person(small, "chair", organiser=True)
    captain(small, "an")
    told = "Only organisers see this"
    enter(client, "chair")
    assert told not in client.get("/c/reading/ranking").text
    assert "as organisers see it" not in client.get("/c/reading/manage").text
    managing.freeze(small, reading, chair, True)
    assert f"{told}; everybody else sees the ranking as of 2027-05-20 12:00" in client.get("/c/reading/ranking").text
    managing.hide(small, reading, chair, datetime(2028, 1, 1, tzinfo=UTC))
    assert f"{told}; everybody else sees scores from 2028-01-01 08:00" in client.get("/c/reading/ranking").text
    assert "as organisers see it" in client.get("/c/reading/manage").text
    for who in ("an", ""):
        enter(client, who) if who else client.cookies.clear()
        text = client.get("/c/reading/ranking").text
        assert told not in text and "Scores are hidden until 2028-01-01 08:00" in text


def test_hidden_scores_are_shown_by_a_button(client: TestClient, small: Board) -> None:
    reading, chair = small.competitions["reading"], person(small, "chair", organiser=True)
    enter(client, "chair")
    assert "Show now" not in client.get("/c/reading/manage").text
    managing.hide(small, reading, chair, datetime(2028, 1, 1, tzinfo=UTC))
    text = client.get("/c/reading/manage").text
    # the date is there to be changed
    assert "Show now" in text and 'name="until" value="2028-01-01T08:00"' in text
    fields = {"csrf": csrf(client, "/c/reading/manage"), "until": "2028-01-01T08:00", "show": "yes"}
    answer = client.post("/c/reading/manage/hide", data=fields)
    assert answer.headers["location"] == "/c/reading/manage?said=shown"
    assert view(small, reading).hidden_until is None


def test_the_cross_check_leads_to_the_file_itself(client: TestClient, small: Board) -> None:
    person(small, "chair", organiser=True)
    for number, name in enumerate(("an", "bo")):
        submit(small, captain(small, name), letters(0.5 + 0.5 * number))
    worker = ScoringWorker(small)
    while worker.once():
        pass
    enter(client, "chair")
    text = client.get("/c/reading/manage").text
    links = re.findall(r'<a href="([^"]*)">The uploaded file</a>', text)
    assert len(links) == 2 and all(b'"data"' in client.get(link).content for link in links)
    # the other track has no two teams to draw among
    assert len(re.findall("seed [0-9a-f]{16}<", text)) == 1


def test_an_address_where_nobody_answers_is_told() -> None:
    assert _elsewhere("http://127.0.0.1:8000", 8077) and _elsewhere("http://localhost:no", 8000)
    for address in ("http://127.0.0.1:8000", "http://localhost", "https://board.example.org", "http://board:8080"):
        assert not _elsewhere(address, 8000), address


def test_a_backup_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"b\.zip: found no such file; expected a backup of a board"):
        restore(tmp_path / "b.zip", tmp_path / "new")
    assert not (tmp_path / "new").exists()
