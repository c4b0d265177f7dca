"""What participants see: problems put together, their own team, their own files, uploads that say how far they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from readproof.board import teams
from readproof.board.board import Board
from readproof.board.certificates import Font, Winner, certificate, find_font
from readproof.board.problems import grouped
from readproof.board.times import now
from readproof.board.web.app import make_app
from readproof.board.words import Refusal
from readproof.reports.labels import Label
from tests.board.made_board import ITEMS, captain, letters, made_board, person, submit
from tests.board.serving import served
from tests.board.test_core import refused
from tests.board.test_web import enter, work


@pytest.fixture
def client(small: Board) -> Iterator[TestClient]:
    with TestClient(make_app(small), follow_redirects=False) as made:
        yield made


def test_equal_problems_are_one_entry(client: TestClient, small: Board) -> None:
    data = json.loads(letters(1))
    for row in data["data"]:
        row["answer"] = "x"
    made = submit(small, captain(small, "an"), json.dumps(data).encode())
    assert len(made.problems) == ITEMS
    groups, unlisted = grouped(made.problems)
    assert ([(one.first["code"], one.count, len(one.places), one.more) for one in groups], unlisted) == (
        [("G222", ITEMS, 5, ITEMS - 5)],
        0,
    )
    enter(client, "an")
    text = client.get(f"/c/reading/submissions/{made.id}").text
    assert text.count("G222") == 1 and f"{ITEMS} times" in text and f"and {ITEMS - 5} more" in text


def test_problems_without_a_code_or_a_place_are_told_apart() -> None:
    def one(code: str, found: str, place: str = "") -> dict[str, Any]:
        same = {"found": {"en": found, "zh": found}, "expected": {"en": "e", "zh": "e"}}
        return {"code": code, "level": "error", "file": "f", "place": {"en": place, "zh": place}, **same}

    groups, unlisted = grouped(
        [one("", "a"), one("G1", "b", "row 1"), one("", "c"), one("G1", "d", "row 2"), {"more": 7}]
    )
    assert [(one.first["found"]["en"], one.count, one.more) for one in groups] == [
        ("a", 1, 0),
        ("b", 2, 0),
        ("c", 1, 0),
    ]
    assert unlisted == 7 and grouped([]) == ([], 0)


def test_ones_own_team_is_marked_and_others_are_found(client: TestClient, small: Board) -> None:
    for number in range(4):
        submit(small, captain(small, f"p{number}"), letters(0.9 - 0.2 * number))
    work(small)
    assert "your team" not in client.get("/c/reading/ranking").text
    enter(client, "p2")
    text = client.get("/c/reading/ranking").text
    assert 'class="own"' in text and "Your team: rank 3" in text
    # the page of visitors stays without it
    client.cookies.clear()
    assert 'class="own"' not in client.get("/c/reading/ranking").text
    text = client.get("/c/reading/ranking?find=TEAM P3").text
    assert "Team p3" in text and "Team p1" not in text
    assert "Nothing found" in client.get("/c/reading/ranking?find=nowhere").text
    # intervals and percents
    assert "–" in text and "Score %" in text and "95 % interval" in text


def test_what_a_team_uploaded_can_be_had_back(client: TestClient, small: Board) -> None:
    made = submit(small, captain(small, "an"), letters(0.5))
    captain(small, "bo")
    person(small, "chair", organiser=True)
    for name, status in (("an", 200), ("bo", 404), ("chair", 200)):
        enter(client, name)
        answer = client.get(f"/c/reading/submissions/{made.id}/file")
        assert answer.status_code == status
        if status == 200:
            assert answer.content == letters(0.5)
    refused_one = submit(small, captain(small, "cy"), b"{}")
    enter(client, "cy")
    assert client.get(f"/c/reading/submissions/{refused_one.id}/file").status_code == 404


def test_a_certificate_without_a_sign_is_refused(small: Board, tmp_path: Path) -> None:
    pytest.importorskip("fpdf", reason="needs fpdf2")
    reading = small.competitions["reading"]
    winner = Winner("Team", "", ("张三",), 1, "90.00", Label("First", "一等奖"))
    font = latin_font(tmp_path)
    with refused("refused.glyphs") as caught:
        certificate(reading, reading.tracks["closed"], winner, now(), Label("B", "B"), font)
    assert "U+5F20" in str(caught.value.values["signs"])


def latin_font(folder: Path) -> Font:
    """A font of this system with nothing but ASCII left in it."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    try:
        found = find_font("")
    except Refusal:
        pytest.skip("needs a font with Chinese characters")
    with TTFont(str(found.path), fontNumber=found.number, lazy=True) as font:
        cutter = subset.Subsetter()
        cutter.populate(unicodes=range(32, 127))
        cutter.subset(font)
        font.save(folder / "latin.otf")
    return Font(folder / "latin.otf")


def test_an_upload_says_how_far_it_is(browser: Any, tmp_path: Path) -> None:
    board = made_board(tmp_path / "board")
    person(board, "an")
    with served(board) as address:
        context = browser.new_context(base_url=address)
        view = context.new_page()
        view.goto("/login?to=/c/reading/team")
        view.fill("[name=mail]", "an@example.org")
        view.fill("[name=password]", "long enough 1")
        view.click("main button.main")
        view.fill("#make [name=name]", "Team")
        view.select_option("#make [name=kind]", "company")
        view.check("#make [name=agreed]")
        view.click("#make button")
        view.wait_for_selector("#invite")
        view.goto("/c/reading/submit")
        large = {"name": "x.json", "mimeType": "application/json", "buffer": b" " * (1 << 20) + b"x"}
        view.set_input_files("[name=file]", large)
        view.click("main form button.main")
        view.locator(".progress.wrong", has_text="too large").wait_for()
        # what the server refuses is told in the same place
        reading = board.competitions["reading"]
        member = teams.membership(board, reading, person_named(board, "an"))
        assert member is not None
        gold = reading.gold.read_bytes()
        reading.gold.unlink()
        view.set_input_files("[name=file]", large | {"buffer": letters(1)})
        view.click("main form button.main")
        view.locator(".progress.wrong", has_text="have not put the gold answers").wait_for()
        reading.gold.write_bytes(gold)
        view.click("main form button.main")
        view.wait_for_selector("#status")
        context.close()
    board.close()


def person_named(board: Board, name: str) -> Any:
    from readproof.board import accounts

    return accounts.log_in(board, f"{name}@example.org", "long enough 1")[0]


def test_names_wrap_and_accuracies_are_there_on_a_phone(browser: Any, tmp_path: Path) -> None:
    board = made_board(tmp_path / "board")
    reading = board.competitions["reading"]
    an = person(board, "an")
    teams.make_team(board, reading, an, "W" * 60, "", "")
    teams.agree(board, reading, an)
    submit(board, an, letters(0.7))
    work(board)
    with served(board) as address:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        view = context.new_page()
        view.goto(f"{address}/c/reading/ranking")
        assert view.evaluate("document.documentElement.scrollWidth") <= 390
        table = view.locator("table.ranking")
        assert table.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth + 1")
        assert "Acc2" in view.locator("tbody tr th").first.inner_text()
        context.close()
    board.close()


def test_scores_are_as_exact_as_the_organisers_want(tmp_path: Path) -> None:
    from readproof.board import accounts
    from readproof.board.board import open_board
    from tests.board.made_board import Clock, made_folder

    folder = made_folder(tmp_path / "board")
    toml = folder / "competitions/reading.toml"
    toml.write_text(toml.read_text("utf-8").replace("members = 3", "members = 3\ndecimals = 0"), encoding="utf-8")
    board = open_board(folder, clock=Clock(), migrate=True)
    an = captain(board, "an")
    made = submit(board, an, letters(0.61, 3))
    work(board)
    token = accounts.make_token(board, an, "t")
    with TestClient(make_app(board), follow_redirects=False) as client:
        enter(client, "an")
        own = client.get(f"/c/reading/submissions/{made.id}").text
        pages = [
            own,
            client.get("/c/reading/ranking").text.partition("<svg")[0],
            client.get("/c/reading/submissions").text,
        ]
        headers = {"Authorization": f"Bearer {token}"}
        one = client.get(f"/api/v1/competitions/reading/submissions/{made.id}", headers=headers).json()
        row = client.get("/c/reading/ranking.json").json()["rows"]
    figures = [one["score"], *one["scores"]["interval"], one["scores"]["Acc0"]]
    figures += [found["Score"] for found in row] + [found["Acc1"] for found in row]
    assert all(round(value, 2) == value for value in figures), figures
    assert not any("." in figure for page in pages for figure in table_figures(page))
    board.close()


def table_figures(page: str) -> list[str]:

    return re.findall(r'class="figure[^"]*">(?:<b>)?([\d.]+)', page) + re.findall(r"<dd>([\d.]+)</dd>", page)


def test_a_score_that_comes_while_a_page_is_made_is_news_to_it(
    client: TestClient, small: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    from readproof.board.web import taking_part

    made = submit(small, captain(small, "an"), letters(1))
    enter(client, "an")
    find = taking_part.one

    def meanwhile(*given: Any) -> Any:
        found = find(*given)
        work(small)
        return found

    monkeypatch.setattr(taking_part, "one", meanwhile)
    text = client.get(f"/c/reading/submissions/{made.id}").text
    assert "waiting to be scored" in text and 'data-version="1"' in text
