"""What somebody with bad intentions tries: each test is a hole that was found and closed."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from readproof.board import accounts, managing, rates, receiving, reports, teams
from readproof.board.board import Board
from readproof.board.rates import Turns
from readproof.board.tables import Submission
from readproof.board.web import trying
from readproof.board.web.app import ROOMS, make_app
from readproof.board.web.watching import Watcher
from readproof.board.words import Refusal
from tests.board.made_board import PASSWORD, captain, letters, person, submit
from tests.board.test_core import refused
from tests.board.test_web import csrf, enter, work


@pytest.fixture
def client(small: Board) -> Iterator[TestClient]:
    with TestClient(make_app(small), follow_redirects=False, raise_server_exceptions=False) as made:
        yield made


def at_once(count: int, do: Callable[[int], Any]) -> list[Any]:
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(do, range(count)))


def routes(method: str) -> list[str]:
    """Every address of a method, with things in its places that look right."""
    everything = (one for room in ROOMS for one in room.router.routes)
    found = [one for one in everything if isinstance(one, APIRoute) and method in one.methods]
    filled = {"slug": "reading", "number": "1", "track": "closed", "name": "test.json", "language": "zh", "secret": "x"}
    return [re.sub(r"{(\w+)}", lambda place: filled[place[1]], one.path) for one in found]


@pytest.mark.parametrize("path", ["/", "/health", "/static/page.css", "/nowhere"])
def test_heads_are_those_of_pages(client: TestClient, path: str) -> None:
    whole, head = client.get(path), client.head(path)
    assert head.status_code == whole.status_code and head.content == b"" and whole.content
    assert head.headers["content-type"] == whole.headers["content-type"]


def test_every_form_needs_its_token(client: TestClient, small: Board) -> None:
    captain(small, "an")
    person(small, "chair", organiser=True)
    tried = [path for path in routes("POST") if not path.startswith("/api/")]
    assert len(tried) >= 19
    report = f"/c/reading/reports/{'0' * 32}/comments"
    for name in ("", "an", "chair"):
        client.cookies.clear()
        if name:
            enter(client, name)
        for path in [one for one in tried if "/comments" not in one] + [report]:
            for given in ({}, {"csrf": ""}, {"csrf": "0" * 64}):
                assert client.post(path, data=given).status_code in (401, 403, 404), (name, path)
    # the organiser's own came as far as the token
    assert client.post("/c/reading/manage/freeze", data={"frozen": "yes"}).status_code == 403


def test_the_organisers_pages_do_not_exist_for_others(client: TestClient, small: Board) -> None:
    captain(small, "an")
    for name in ("", "an"):
        client.cookies.clear()
        if name:
            enter(client, name)
        for method in ("GET", "POST"):
            ours = [path for path in routes(method) if "/manage" in path]
            assert len(ours) >= 4
            assert {client.request(method, path).status_code for path in ours} == {404}


def test_passwords_are_not_tried_faster_by_trying_many_at_once(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    person(board, "an")
    tried: list[str] = []

    def slow(_: str, password: str) -> bool:
        tried.append(password)
        time.sleep(0.05)
        return False

    monkeypatch.setattr(accounts, "_verify", slow)

    def guess(number: int) -> str:
        try:
            accounts.log_in(board, "an@example.org", f"guess {number}", address="203.0.113.9")
        except Refusal as refusal:
            return refusal.key
        return "in"

    told = at_once(30, guess)
    assert len(tried) == told.count("refused.login") == 10 and told.count("refused.rate") == 20


def test_a_stranger_cannot_lock_somebody_out(small: Board) -> None:
    person(small, "an")
    for _ in range(10):
        with refused("refused.login"):
            accounts.log_in(small, "an@example.org", "wrong password", address="203.0.113.9")
    with refused("refused.rate"):
        accounts.log_in(small, "an@example.org", PASSWORD, address="203.0.113.9")
    assert accounts.log_in(small, "an@example.org", PASSWORD, address="198.51.100.1")


def test_one_household_has_one_network(small: Board) -> None:
    assert rates.network("2001:db8:1:2:3::4") == rates.network("2001:db8:1:2:ffff::1") != rates.network("2001:db8:2::1")
    assert rates.network("::ffff:203.0.113.9") == rates.network("203.0.113.9") == "203.0.113.9"
    for number in range(30):
        accounts.register(small, f"p{number}@example.org", "p", PASSWORD, address=f"2001:db8::{number:x}")
    with refused("refused.rate"):
        accounts.register(small, "p@example.org", "p", PASSWORD, address="2001:db8::ffff")


def test_whoever_waits_does_not_keep_everybody_waiting() -> None:
    turns, free = Turns(1, 2), threading.Event()

    def work_on(_: int) -> str:
        try:
            with turns:
                free.wait(5)
                return "done"
        except Refusal as refusal:
            # the others are let go only when these have been sent away
            free.set()
            return refusal.key

    told = at_once(8, work_on)
    assert told.count("done") >= 3 and told.count("refused.busy") >= 1
    with turns:
        pass
    assert isinstance(trying._READING, Turns) and isinstance(accounts._HASHING, Turns)


def test_one_address_does_not_take_all_live_pages(small: Board) -> None:
    watcher = Watcher(small)

    async def story() -> None:
        for _ in range(100):
            watcher.admit("203.0.113.9")
        with refused("refused.busy"):
            watcher.admit("203.0.113.9")
        watcher.admit("198.51.100.1")
        assert watcher.count == 101
        for _ in range(100):
            watcher.release("203.0.113.9")
        watcher.release("198.51.100.1")
        assert not watcher.by_address

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, story()).result()


@pytest.mark.parametrize("name", ["𠀀" * 100 + ".json", "文" * 200, "." * 300, "a" * 119 + "𠀀.json"])
def test_no_name_of_a_file_is_too_long_for_the_disk(small: Board, name: str) -> None:
    made = submit(small, captain(small, "an"), letters(1), name=name)
    assert receiving.file_of(small, made).is_file() and len(made.file.encode()) <= 120


def test_names_of_teams_that_look_alike_are_the_same_name(board: Board) -> None:
    captain(board, "an")
    reading, bo = board.competitions["reading"], person(board, "bo")
    with refused("refused.team-taken"):
        teams.make_team(board, reading, bo, "ＴＥＡＭ ａｎ", "", "")
    for name in ("\ufdfa" * 60, "\u0390" * 61):
        with refused("refused.team-name"):
            teams.make_team(board, reading, bo, name, "", "")


def test_a_team_that_left_something_behind_stays(board: Board) -> None:
    import io

    reading, an, bo = board.competitions["reading"], captain(board, "an"), captain(board, "bo")
    member = teams.membership(board, reading, an)
    assert member is not None
    reports.send(board, reading, member, "report.pdf", io.BytesIO(b"%PDF-1.7"))
    with refused("refused.has-submitted"):
        teams.leave(board, reading, an)
    team = teams.membership(board, reading, bo).team_id  # type: ignore[union-attr]
    managing.disqualify(board, reading, person(board, "chair", organiser=True), team, "two accounts")
    with refused("refused.disqualified"):
        teams.leave(board, reading, bo)


def test_a_long_check_does_not_cost_the_deadline(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is when the file had arrived, not when the checker was done with it."""
    from readproof.board.scorers import check_upload

    account = captain(board, "an")
    clock: Any = board.clock
    clock.moment = datetime(2030, 12, 31, 15, 59, 50, tzinfo=UTC)

    def slow(*given: Any) -> Any:
        clock.forward(minutes=1)
        return check_upload(*given)

    monkeypatch.setattr(receiving, "check_upload", slow)
    made = submit(board, account, letters(1))
    assert made.status == "waiting" and made.day.isoformat() == "2030-12-31"
    with refused("refused.closed"):
        submit(board, account, letters(1))


def test_a_server_that_ends_in_the_middle_keeps_what_it_accepts(small: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    """The request is given up while its upload is checked; the thread goes on and writes the row: the file stays."""
    from readproof.board.scorers import check_upload

    account, reading = captain(small, "an"), small.competitions["reading"]
    member = receiving.may_submit(small, reading, account, "closed")
    begun, go_on, written = threading.Event(), threading.Event(), threading.Event()

    def slow(*given: Any) -> Any:
        begun.set()
        go_on.wait(5)
        return check_upload(*given)

    monkeypatch.setattr(receiving, "check_upload", slow)
    found: list[Submission] = []

    async def request() -> None:
        with receiving.incoming(small, "GCRC_advRobust.json", reading.largest) as upload:
            upload.write(letters(1))

            def take() -> None:
                found.append(receiving.receive(small, reading, member, "closed", upload))
                written.set()

            await asyncio.to_thread(take)

    async def story() -> None:
        task = asyncio.create_task(request())
        await asyncio.to_thread(begun.wait, 5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        go_on.set()
        await asyncio.to_thread(written.wait, 5)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, story()).result()
    assert found[0].status == "waiting" and receiving.file_of(small, found[0]).is_file()


def test_a_form_upload_that_will_be_refused_is_not_kept(
    client: TestClient, small: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither beyond the day's quota nor beyond the number of uploads in an hour does a body reach the disk."""
    account = captain(small, "an")
    for number in range(5):
        submit(small, account, letters(0.5, number))
    enter(client, "an")
    token = csrf(client, "/account")

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the body was read")

    monkeypatch.setattr("readproof.board.web.taking_part.opened_form", never)
    files = {"file": ("GCRC_advRobust.json", letters(1), "application/json")}
    answer = client.post("/c/reading/submit", data={"csrf": token, "track": "closed"}, files=files)
    assert answer.status_code == 429 and "All 5 submissions" in answer.text


@pytest.mark.parametrize("encoding", ["idna", "unicode_escape", "utf-7", "punycode", "undefined", "rot13", "utf-16"])
def test_a_form_in_an_odd_encoding_breaks_nothing(client: TestClient, encoding: str) -> None:
    lines = [
        b"--x",
        b'content-disposition: form-data; name="csrf"',
        b"",
        b"\\ud800+2AA-\xff..a" + b"\xf1" * 70,
        b"--x--",
    ]
    headers = {"content-type": f"multipart/form-data; boundary=x; charset={encoding}"}
    answer = client.post("/login", content=b"\r\n".join([*lines, b""]), headers=headers)
    assert answer.status_code in (400, 403)


def test_no_page_of_ours_links_elsewhere(client: TestClient) -> None:
    for path in ("//evil.example/x", "/c//evil.example/x", "/%2F%2Fevil.example/x"):
        text = client.get(f"http://testserver{path}").text
        assert not re.search(r'href="(https?:)?/*\\*//', text), path
    assert client.get("/language/zh?to=//evil.example").headers["location"] == "/"
    assert client.get("/language/zh?to=/%09/evil.example").headers["location"] == "/"


def test_a_kept_page_holds_nothing_of_who_asked_first(client: TestClient) -> None:
    assert "evil" not in client.get("/c/reading/ranking?track=closed&x=evil").text
    assert "evil" not in client.get("/c/reading/ranking?track=closed").text
    assert "ranking%3Fphase%3Dmain%26track%3Dclosed" in client.get("/c/reading/ranking").text


def test_a_refusal_leads_back_to_the_form(client: TestClient, small: Board) -> None:
    captain(small, "an")
    person(small, "chair", organiser=True)
    enter(client, "chair")
    token = {"csrf": csrf(client, "/account")}
    for path, data, place in (
        ("/c/reading/team", {"name": "x"}, "/c/reading/team"),
        ("/c/reading/team/join", {"code": "x"}, "/c/reading/team"),
        ("/c/reading/manage/teams/1/disqualify", {"reason": ""}, "/c/reading/manage"),
        ("/account/password", {"old": "", "password": "x", "again": "x"}, "/account"),
    ):
        text = client.post(path, data=token | data).text
        assert f'<p><a href="{place}">' in text, path


def test_gold_that_cannot_be_read_is_told_to_organisers_only(client: TestClient, small: Board) -> None:
    made = submit(small, captain(small, "an"), letters(1))
    gold = small.competitions["reading"].gold
    gold.write_text(gold.read_text("utf-8").replace('"answer": "', '"answer": "GOLD-'), encoding="utf-8")
    person(small, "chair", organiser=True)
    for _ in range(4):
        work(small)
        small.clock.forward(minutes=5)  # type: ignore[attr-defined]
    enter(client, "an")
    text = client.get(f"/c/reading/submissions/{made.id}").text
    assert "Could not be scored" in text and "GOLD" not in text and "gold.json" not in text
    enter(client, "chair")
    assert "GOLD" in client.get(f"/c/reading/submissions/{made.id}").text


def test_the_later_of_two_dates_hides(small: Board) -> None:
    from readproof.board.ranking import view

    reading, chair = small.competitions["reading"], person(small, "chair", organiser=True)
    of_file, earlier = datetime(2028, 1, 1, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC)
    hiding = replace(reading, dates=replace(reading.dates, scores_shown=of_file))
    managing.hide(small, reading, chair, earlier)
    assert view(small, hiding).hidden_until == of_file
    small.clock.moment = datetime(2027, 7, 1, tzinfo=UTC)  # type: ignore[attr-defined]
    assert view(small, hiding).hidden_until == of_file and view(small, reading).hidden_until is None


def test_a_frozen_ranking_names_no_prizes(client: TestClient, small: Board) -> None:
    reading, chair = small.competitions["reading"], person(small, "chair", organiser=True)
    submit(small, captain(small, "an"), letters(0.5))
    work(small)
    managing.freeze(small, reading, chair, True)
    small.clock.moment = datetime(2031, 1, 2, tzinfo=UTC)  # type: ignore[attr-defined]
    assert "First prize" not in client.get("/c/reading/ranking").text
    assert client.get("/c/reading/ranking.json").json()["rows"][0]["prize"] is None
    managing.freeze(small, reading, chair, False)
    assert "First prize" in client.get("/c/reading/ranking/part?version=99").text


def test_logging_in_ends_the_session_before(client: TestClient, small: Board) -> None:
    person(small, "an")
    enter(client, "an")
    before = client.cookies["readproof_session"]
    fields = {"mail": "an@example.org", "password": PASSWORD, "csrf": csrf(client, "/account")}
    assert client.post("/login", data=fields).status_code == 303
    assert accounts.account_of(small, before) is None


def test_a_key_is_plain_text(client: TestClient, small: Board) -> None:
    token = accounts.make_token(small, captain(small, "an"), "t")
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "a\x7f\xff"}
    address = "/api/v1/competitions/reading/submissions?track=closed&file=x"
    assert client.post(address, headers=[(k, v.encode("latin-1")) for k, v in headers.items()]).status_code == 400
