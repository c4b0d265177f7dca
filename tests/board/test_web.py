"""The pages and the interface for programs over HTTP: who may see what, forms, limits, headers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from readproof.board import accounts, managing, teams
from readproof.board.board import Board
from readproof.board.web.app import make_app
from readproof.board.worker import ScoringWorker
from readproof.reports.labels import LANGUAGES
from tests.board.made_board import ITEMS, KEYS, PASSWORD, captain, letters, made_board, person, submit

PAGES = ("", "/ranking", "/team", "/data", "/submit", "/submissions")


@pytest.fixture
def client(small: Board) -> Iterator[TestClient]:
    with TestClient(make_app(small), follow_redirects=False) as made:
        yield made


def csrf(client: TestClient, path: str) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]{64})"', client.get(path).text)
    assert found is not None
    return found[1]


def enter(client: TestClient, name: str) -> None:
    client.cookies.clear()
    fields = {"mail": f"{name}@example.org", "password": PASSWORD, "to": "/", "csrf": csrf(client, "/login")}
    assert client.post("/login", data=fields).status_code == 303


def send(client: TestClient, data: bytes, token: str, **more: str) -> tuple[int, dict[str, object]]:
    values = {"track": "closed", "file": "GCRC_advRobust.json"} | more
    headers = {"Authorization": f"Bearer {token}"}
    address = "/api/v1/competitions/reading/submissions"
    answer = client.post(address, params=values, headers=headers, content=data)
    return answer.status_code, answer.json()


def work(board: Board) -> None:
    worker = ScoringWorker(board)
    while worker.once():
        pass


def test_signing_up_making_a_team_and_submitting(client: TestClient, small: Board) -> None:
    fields = {"mail": "an@example.org", "name": "An", "password": PASSWORD, "again": PASSWORD, "to": "/c/reading/team"}
    answer = client.post("/register", data=fields | {"csrf": csrf(client, "/register")})
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/reading/team")
    token = csrf(client, "/c/reading/team")
    client.post("/c/reading/team", data={"name": "队伍一", "agreed": "yes", "csrf": token})
    assert "队伍一" in client.get("/c/reading/team").text
    files = {"file": ("GCRC_advRobust.json", letters(1), "application/json")}
    answer = client.post("/c/reading/submit", data={"csrf": token, "track": "closed"}, files=files)
    assert answer.status_code == 303
    assert "waiting to be scored" in client.get(answer.headers["location"]).text
    work(small)
    assert "100.00" in client.get(answer.headers["location"]).text
    assert "队伍一" in client.get("/c/reading/ranking").text


def test_a_form_from_elsewhere_is_refused(client: TestClient, small: Board) -> None:
    captain(small, "an")
    enter(client, "an")
    token = csrf(client, "/account")
    for fields, headers in (
        ({}, {}),
        ({"csrf": "0" * 64}, {}),
        ({"csrf": token}, {"origin": "https://elsewhere.example"}),
        ({"csrf": token}, {"sec-fetch-site": "cross-site"}),
    ):
        for path in ("/account/tokens", "/c/reading/team/code", "/logout", "/c/reading/submit"):
            assert client.post(path, data={"name": "x"} | fields, headers=headers).status_code == 403, path
    assert accounts.tokens(small, person_of(small, "an")) == []
    assert client.post("/account/tokens", data={"name": "x", "csrf": token}).status_code == 200


def person_of(board: Board, name: str) -> accounts.Account:
    account, _ = accounts.log_in(board, f"{name}@example.org", PASSWORD)
    return account


def test_cookies_and_headers(client: TestClient, small: Board) -> None:
    person(small, "an")
    answer = client.post(
        "/login",
        data={"mail": "an@example.org", "password": PASSWORD, "to": "//evil.example", "csrf": csrf(client, "/login")},
    )
    assert answer.headers["location"] == "/"
    cookie = next(one for one in answer.headers.get_list("set-cookie") if one.startswith("readproof_session="))
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    for path in ("/", "/c/reading/ranking", "/nothing", "/static/board.js", "/api/v1/competitions"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert client.get("/account").headers["cache-control"] == "no-store"


def test_behind_tls_cookies_travel_over_tls_only(tmp_path: Path) -> None:
    board = made_board(tmp_path / "board")
    text = (tmp_path / "board/board.toml").read_text()
    board.close()
    (tmp_path / "board/board.toml").write_text(text.replace("http://127.0.0.1:8000", "https://board.example"))
    from readproof.board.board import open_board

    board = open_board(tmp_path / "board")
    with TestClient(make_app(board), base_url="https://board.example") as client:
        person(board, "an")
        enter_fields = {"mail": "an@example.org", "password": PASSWORD, "csrf": csrf(client, "/login")}
        answer = client.post("/login", data=enter_fields, follow_redirects=False)
        cookie = next(one for one in answer.headers.get_list("set-cookie") if "session=" in one)
        assert cookie.startswith("__Host-") and "Secure" in cookie and "Path=/" in cookie
        assert "strict-transport-security" in answer.headers
    board.close()


def test_a_new_password_ends_all_other_sessions_and_tokens(client: TestClient, small: Board) -> None:
    account = captain(small, "an")
    token = accounts.make_token(small, account, "t")
    _, elsewhere = accounts.log_in(small, account.mail, PASSWORD)
    enter(client, "an")
    fields = {"old": "wrong one", "password": "another long one", "again": "another long one"}
    assert client.post("/account/password", data=fields | {"csrf": csrf(client, "/account")}).status_code == 403
    fields["old"] = PASSWORD
    assert client.post("/account/password", data=fields | {"csrf": csrf(client, "/account")}).status_code == 303
    assert client.get("/account").status_code == 200
    assert accounts.account_of(small, elsewhere) is None and send(client, letters(1), token)[0] == 401
    assert accounts.log_in(small, account.mail, "another long one")


def test_no_page_has_inline_scripts_or_styles(client: TestClient, small: Board) -> None:
    captain(small, "an")
    submit(small, person_of(small, "an"), letters(0.5))
    work(small)
    enter(client, "an")
    for path in ("/", "/account", *(f"/c/reading{one}" for one in PAGES)):
        text = client.get(path).text
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=|javascript:", text), path


def test_names_of_people_and_teams_are_never_html(client: TestClient, small: Board) -> None:
    hostile = '<img src=x onerror="alert(1)">{{1234567*7}}'
    account = accounts.register(small, "evil@example.org", hostile, PASSWORD)
    reading = small.competitions["reading"]
    teams.make_team(small, reading, account, hostile, hostile, hostile)
    teams.agree(small, reading, account)
    submit(small, account, letters(1), name=hostile)
    work(small)
    person(small, "chair", organiser=True)
    for name, paths in (("evil", [f"/c/reading{one}" for one in PAGES]), ("chair", ["/c/reading/manage"])):
        enter(client, name)
        for path in paths:
            text = client.get(path).text
            assert "<img" not in text and "8641969" not in text, path


def test_one_team_sees_nothing_of_another(client: TestClient, small: Board) -> None:
    first, second = captain(small, "an"), captain(small, "bo")
    made = submit(small, first, letters(0.5))
    code = teams.membership(small, small.competitions["reading"], first).team.invite  # type: ignore[union-attr]
    enter(client, "bo")
    assert client.get(f"/c/reading/submissions/{made.id}").status_code == 404
    assert code not in "".join(client.get(f"/c/reading{one}").text for one in PAGES)
    assert "an@example.org" not in "".join(client.get(f"/c/reading{one}").text for one in PAGES)
    token = accounts.make_token(small, second, "t")
    address = f"/api/v1/competitions/reading/submissions/{made.id}"
    assert client.get(address, headers={"Authorization": f"Bearer {token}"}).status_code == 404
    for path in ("/c/reading/manage", f"/c/reading/manage/files/{made.id}"):
        assert client.get(path).status_code == 404
    team = teams.membership(small, small.competitions["reading"], first).team_id  # type: ignore[union-attr]
    fields = {"csrf": csrf(client, "/account"), "reason": "because I can"}
    assert client.post(f"/c/reading/manage/teams/{team}/disqualify", data=fields).status_code == 404


def test_data_need_a_team_and_agreement_and_gold_is_never_served(client: TestClient, small: Board) -> None:
    assert client.get("/c/reading/data/test.json").status_code == 401
    account = person(small, "an")
    enter(client, "an")
    assert client.get("/c/reading/data/test.json").status_code == 403
    reading = small.competitions["reading"]
    teams.make_team(small, reading, account, "Team", "", "")
    assert client.get("/c/reading/data/test.json").status_code == 403
    teams.agree(small, reading, account)
    served = client.get("/c/reading/data/test.json")
    assert served.status_code == 200
    rows = json.loads(served.content)["data"]
    assert len(rows) == ITEMS and not any(key in row for row in rows for key in KEYS)
    for name in ("gold.json", "..%2Fgold.json", "%2e%2e/gold.json", "../gcrc/gold.json", "gcrc%2Fgold.json"):
        assert client.get(f"/c/reading/data/{name}").status_code == 404, name


def test_programs_submit_by_token(client: TestClient, small: Board) -> None:
    account = captain(small, "an")
    token = accounts.make_token(small, account, "laptop")
    assert send(client, letters(1), "wrong")[0] == 401
    status, record = send(client, letters(1), token)
    assert (status, record["status"], record["problems"]) == (201, "waiting", [])
    status, record = send(client, b"{}", token)
    assert (status, record["status"]) == (422, "refused") and record["problems"]
    assert send(client, letters(1), token, track="third")[0] == 400
    for number in range(4):
        assert send(client, letters(0.5, number), token)[0] == 201
    status, record = send(client, letters(1), token)
    assert (status, record["refused"]) == (429, "refused.quota")
    assert "2027-05-21 00:00 (Asia/Shanghai)" in str(record["en"]) and "重置" in str(record["zh"])
    listed = client.get("/api/v1/competitions/reading/submissions", headers={"Authorization": f"Bearer {token}"})
    assert len(listed.json()["submissions"]) == 6
    accounts.drop_token(small, account, accounts.tokens(small, account)[0].id)
    assert send(client, letters(1), token)[0] == 401


def test_a_lost_answer_is_given_again_also_when_the_day_is_used_up(client: TestClient, small: Board) -> None:
    token = accounts.make_token(small, captain(small, "an"), "t")
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "lost"}
    address = "/api/v1/competitions/reading/submissions?track=closed&file=GCRC_advRobust.json"
    first = client.post(address, headers=headers, content=letters(1))
    for number in range(4):
        assert send(client, letters(0.5, number), token)[0] == 201
    assert send(client, letters(1), token)[0] == 429
    again = client.post(address, headers=headers, content=letters(1))
    assert (again.status_code, again.json()["id"]) == (201, first.json()["id"])


def test_bodies_are_limited_before_they_are_read(client: TestClient, small: Board) -> None:
    token = accounts.make_token(small, captain(small, "an"), "t")
    assert send_large(client, "/api/v1/competitions/reading/submissions?track=closed&file=x", token) == 413
    assert client.post("/login", content=b"x" * 70_000).status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(60):
            yield b"x" * 50_000

    headers = {"Authorization": f"Bearer {token}"}
    address = "/api/v1/competitions/reading/submissions?track=closed&file=x"
    assert client.post(address, content=endless(), headers=headers).status_code == 413
    assert list(small.settings.uploads.iterdir()) == []


def send_large(client: TestClient, address: str, token: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return client.post(address, content=b"x" * (3 << 20), headers=headers).status_code


def test_hidden_scores_are_hidden_everywhere(client: TestClient, small: Board) -> None:
    account, chair = captain(small, "an"), person(small, "chair", organiser=True)
    made = submit(small, account, letters(1))
    work(small)
    managing.hide(small, small.competitions["reading"], chair, datetime(2028, 1, 1, tzinfo=UTC))
    enter(client, "an")
    for path in ("/ranking", "/ranking.csv", "/ranking.json", "/submissions", f"/submissions/{made.id}"):
        text = client.get(f"/c/reading{path}").text
        assert "100.00" not in text and "1.0" not in text, path
    token = accounts.make_token(small, account, "t")
    headers = {"Authorization": f"Bearer {token}"}
    assert client.get("/api/v1/competitions/reading/ranking").json()["rows"] == []
    found = client.get(f"/api/v1/competitions/reading/submissions/{made.id}", headers=headers).json()
    assert found["score"] is None and found["scores"] is None
    enter(client, "chair")
    assert "100.00" in client.get("/c/reading/ranking").text


def test_exports(client: TestClient, small: Board) -> None:
    account = person(small, "an")
    reading = small.competitions["reading"]
    teams.make_team(small, reading, account, "=1+1", "", "")
    teams.agree(small, reading, account)
    submit(small, account, letters(1))
    work(small)
    lines = client.get("/c/reading/ranking.csv").text.lstrip("\ufeff").splitlines()
    assert lines[0].startswith("rank,name,organisation,reference,Score,Acc0")
    assert lines[1].startswith("1,'=1+1,,False,1.0,1.0")
    found = client.get("/c/reading/ranking.json?track=closed").json()
    assert [row["rank"] for row in found["rows"]] == [1, None, None, None, None, None]
    assert found["rows"][1]["name"] == "Beijing Institute of Technology"


def test_both_languages_everywhere(client: TestClient, small: Board) -> None:
    captain(small, "an")
    enter(client, "an")
    for language in LANGUAGES:
        answer = client.get(f"/language/{language}?to=/c/reading/ranking")
        assert answer.headers["location"] == "/c/reading/ranking"
        for path in ("/", "/account", "/nothing", *(f"/c/reading{one}" for one in PAGES)):
            text = client.get(path).text
            body = re.sub(r"<a class=\"language\".*?</a>", "", text)
            assert ('<html lang="zh-Hans"' in text) == (language == "zh")
            assert bool(re.search("[\u4e00-\u9fff]", body)) == (language == "zh"), path


def test_one_team_is_not_told_as_several(client: TestClient, small: Board) -> None:
    for name, told in (("an", "1 team<"), ("bo", "2 teams<")):
        submit(small, captain(small, name), letters(1))
        work(small)
        found = client.get("/c/reading/ranking/part?version=99").text
        assert f'<span class="soft">{told}' in found
    # both have all right: an axis of shares does not go on above 100
    assert ">100<" in found and ">102<" not in found


def test_the_live_stream_tells_the_version(small: Board) -> None:
    import asyncio

    from readproof.board.web.watching import Watcher

    async def story() -> list[str]:
        watcher = Watcher(small)
        watcher.admit("")
        stream = watcher.stream("reading")
        told = [await anext(stream), await anext(stream)]
        managing.freeze(small, small.competitions["reading"], chair, True)
        running = asyncio.create_task(watcher.run())
        told.append(await asyncio.wait_for(anext(stream), 5))
        running.cancel()
        return told

    chair = person(small, "chair", organiser=True)
    # in a thread: where a browser is open this one has a loop already
    with ThreadPoolExecutor() as pool:
        told = pool.submit(asyncio.run, story()).result()
    assert told == ["retry: 3000\n\n", "event: version\ndata: 1\n\n", "event: version\ndata: 2\n\n"]


def test_a_visitor_gets_no_page_older_than_two_seconds(
    client: TestClient, small: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody waits for a ranking that is made anew, unless the page has heard of it already."""
    from readproof.board.web import watching

    now = [1000.0]
    monkeypatch.setattr(watching, "monotonic", lambda: now[0])
    assert "Team an" not in client.get("/c/reading/ranking").text
    submit(small, captain(small, "an"), letters(1))
    work(small)
    assert "Team an" not in client.get("/c/reading/ranking").text
    assert "Team an" in client.get("/c/reading/ranking/part?version=2").text
    managing.hide(
        small, small.competitions["reading"], person(small, "chair", organiser=True), datetime(2028, 1, 1, tzinfo=UTC)
    )
    now[0] += 2.1
    assert "Team an" not in client.get("/c/reading/ranking").text


def test_odd_input_is_refused_and_breaks_nothing(board: Board) -> None:
    """On both databases: zero bytes, huge numbers, other types, addresses that lead nowhere."""
    person(board, "chair", organiser=True)
    captain(board, "an")
    with TestClient(make_app(board), follow_redirects=False, raise_server_exceptions=False) as client:
        fields = {"mail": "a\0b@example.org", "password": "x\0" * 8, "to": "/\0", "csrf": csrf(client, "/login")}
        assert client.post("/login", data=fields).status_code == 403
        again = fields | {"name": "\0", "again": fields["password"], "csrf": csrf(client, "/register")}
        assert client.post("/register", data=again).status_code == 400
        for name in ("an", "chair"):
            enter(client, name)
            token = {"csrf": csrf(client, "/account")}
            for path, given in {
                "/c/reading/team": {"name": "a\0b", "organisation": "\ud83d"},
                "/c/reading/team/join": {"code": "\0"},
                "/c/reading/team/code": {},
                "/account/tokens": {"name": "\0"},
                "/account/tokens/99999999999999999999/drop": {},
                "/c/reading/manage/hide": {"until": "9999-99-99"},
                "/c/reading/manage/teams/99999999999999999999/disqualify": {"reason": "because"},
                "/c/reading/manage/teams/1/disqualify": {"reason": "\0" * 9},
            }.items():
                sent = {key: value.encode("utf-8", "replace") for key, value in given.items()}
                assert client.post(path, data=token | sent).status_code < 500, path
            for path in (
                "/c/reading/submissions/%00",
                "/c/reading/manage/files/%00",
                "/c/reading/data/%00",
                "/c/%00/ranking",
                "/c/reading/ranking?at=99999999999999999999&track=closed",
                "/c/reading/ranking?at=-1",
                "/c/reading/ranking?track=%00",
                "/c/reading/ranking?at=x",
                "/language/fr",
                "/static/..%2Fapp.py",
            ):
                assert client.get(path).status_code < 500, path
