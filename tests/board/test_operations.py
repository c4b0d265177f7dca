"""Keeping a board up: a database that goes away, connections that say nothing, health, metrics, logs, commands."""

from __future__ import annotations

import json
import resource
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy.exc import OperationalError

from readproof.board import accounts, serving, signs
from readproof.board.board import Board
from readproof.board.lookover import check_files
from readproof.board.tables import Submission
from readproof.board.web import watching
from readproof.board.web.app import make_app
from readproof.board.web.ranking_pages import warm
from readproof.board.worker import ScoringWorker
from readproof.cli import board as commands
from readproof.errors import InputError
from tests.board.made_board import PASSWORD, captain, letters, made_board, made_folder, person, submit
from tests.board.serving import free_port, served
from tests.board.test_core import refused
from tests.board.test_web import csrf, enter, send, work

PATIENCE = 60


class Wire:
    """What lies between the board and its database, and can be cut."""

    def __init__(self, target: str) -> None:
        self.target, self.port, self.cut = target, free_port(), False
        self.open: set[socket.socket] = set()
        self.server = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                one, _ = self.server.accept()
                if self.cut:
                    one.close()
                    continue
                other = socket.socket(socket.AF_UNIX)
                other.connect(self.target)
                self.open |= {one, other}
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError, ValueError):
            while True:
                ready, _, _ = select.select([one, other], [], [])
                for source in ready:
                    data = source.recv(65536)
                    if not data:
                        return
                    (other if source is one else one).sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.close()

    def away(self) -> None:
        self.cut = True
        for one in list(self.open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self.open.clear()

    def back(self) -> None:
        self.cut = False


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


@pytest.fixture
def wired(tmp_path: Path, postgres: Callable[[], str]) -> Iterator[tuple[Board, Wire]]:
    parts = urlsplit(postgres())
    (folder,) = parse_qs(parts.query)["host"]
    wire = Wire(f"{folder}/.s.PGSQL.5432")
    user = f"{parts.username}@" if parts.username else ""
    board = made_board(tmp_path / "board", database=f"postgresql://{user}127.0.0.1:{wire.port}{parts.path}")
    yield board, wire
    board.close()
    wire.server.close()


class Listening:
    """An open live page."""

    def __init__(self, address: str) -> None:
        self.told: list[str] = []
        self.client = httpx.Client(timeout=None)
        self.thread = threading.Thread(target=self._listen, args=(f"{address}/c/reading/live",), daemon=True)
        self.thread.start()

    def _listen(self, address: str) -> None:
        with suppress(httpx.HTTPError), self.client.stream("GET", address) as answer:
            for line in answer.iter_lines():
                if line.startswith("data:"):
                    self.told.append(line)


def test_a_database_that_goes_away_loses_nothing_and_pages_move_again(
    wired: tuple[Board, Wire], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readproof.board.worker._PAUSE", 0.1)
    monkeypatch.setattr("readproof.board.web.ranking_pages._STALE", 1.0)
    board, wire = wired
    an = captain(board, "an")
    token = accounts.make_token(board, an, "t")
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "one"}
    place = "/api/v1/competitions/reading/submissions?track=closed&file=GCRC_advRobust.json"
    with served(board) as address, httpx.Client(base_url=address, timeout=30) as client:
        page = Listening(address)
        assert client.post(place, headers=headers, content=letters(0.5)).status_code == 201
        until(lambda: "Team an" in client.get("/c/reading/ranking").text and len(page.told) >= 2)
        before = len(page.told)
        wire.away()
        # everybody still gets the ranking, and it says how it stands; what needs the database says so
        until(lambda: "The database does not answer" in client.get("/c/reading/ranking").text)
        client.cookies.set("readproof_session", "x")
        stale = client.get("/c/reading/ranking")
        assert stale.status_code == 200 and "Team an" in stale.text and int(stale.headers["age"]) >= 1
        assert client.get("/health").status_code == 503
        answer = client.post(place, headers=headers | {"Idempotency-Key": "two"}, content=letters(1))
        assert (answer.status_code, answer.json()["refused"]) == (503, "refused.database")
        assert client.get("/account").status_code == 503
        client.cookies.clear()
        wire.back()
        until(lambda: client.get("/health").status_code == 200)
        assert client.post(place, headers=headers | {"Idempotency-Key": "two"}, content=letters(1)).status_code == 201
        # the page that was open all the time hears of the new score by itself
        until(lambda: len(page.told) > before and "100.00" in client.get("/c/reading/ranking").text)
        assert "does not answer" not in client.get("/c/reading/ranking").text
        page.client.close()
    with board.database.reading() as session:
        assert {one.status for one in session.query(Submission)} == {"scored"}


@pytest.mark.slow
def test_connections_that_say_nothing_do_not_keep_others_out(tmp_path: Path) -> None:
    """1,300 of them against a server with 1,024 descriptors."""
    count = 1300
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count + 200:
        pytest.skip("needs more file descriptors")
    folder, port = made_folder(tmp_path / "board"), free_port()
    board = f"{sys.executable} -m readproof.cli.main board serve {folder} --port {port} --workers 0"
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(["bash", "-c", f"ulimit -n 1024; exec {board}"], stdout=quiet, stderr=quiet)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count + 200), hard))
    half: list[socket.socket] = []
    try:
        until(lambda: answers(port))
        for number in range(count):
            one = socket.create_connection(("127.0.0.1", port), timeout=10)
            half.append(one)
            if number % 2:
                one.sendall(b"GET / HT")
        for path in ("/", "/c/reading/ranking", "/health"):
            assert httpx.get(f"http://127.0.0.1:{port}{path}", timeout=20).status_code == 200, path
    finally:
        for one in half:
            one.close()
        server.terminate()
        server.wait()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def answers(port: int) -> bool:
    with suppress(httpx.TransportError):
        return httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).status_code == 200
    return False


def test_the_ranking_is_there_before_the_first_visitor(small: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    submit(small, captain(small, "an"), letters(1))
    work(small)
    app = make_app(small)
    warm(app)

    def away(*_: object, **__: object) -> None:
        raise OperationalError("SELECT 1", {}, OSError("gone"))

    monkeypatch.setattr(watching, "view", away)
    monkeypatch.setattr(watching, "_OLDEST", 0.0)
    with TestClient(app) as client:
        answer = client.get("/c/reading/ranking")
        assert answer.status_code == 200 and "Team an" in answer.text


@pytest.fixture
def client(small: Board) -> Iterator[TestClient]:
    with TestClient(make_app(small), follow_redirects=False, client=("127.0.0.1", 5000)) as made:
        yield made


def test_health_knows_workers_queue_and_gold(client: TestClient, small: Board) -> None:
    assert client.get("/health").json()["status"] == "ok"
    submit(small, captain(small, "an"), letters(1))
    small.clock.forward(seconds=30)  # type: ignore[attr-defined]
    found = client.get("/health").json()
    assert (found["status"], found["workers"]) == ("no workers", 0)
    assert found["queue"] == {"waiting": 1, "rescoring": 0, "oldest_seconds": 30.0}
    signs.sign(small, "w", small.clock())
    assert client.get("/health").json()["status"] == "ok"
    work(small)
    gold = small.competitions["reading"].gold
    text = gold.read_text("utf-8")
    gold.write_text(text.replace('"A"', '"B"', 1), encoding="utf-8")
    assert client.get("/health").json()["gold"] == {"reading/main": {"ready": True, "outdated": 1, "failed": 0}}
    gold.unlink()
    assert client.get("/health").json()["status"] == "gold missing"
    small.clock.forward(minutes=1)  # type: ignore[attr-defined]
    assert client.get("/health").json()["workers"] == 0
    signs.gone(small, "w")


def test_metrics_are_for_prometheus_and_nobody_else(client: TestClient, small: Board) -> None:
    from prometheus_client.parser import text_string_to_metric_families

    client.get("/nowhere")
    text = client.get("/metrics").text
    families = text_string_to_metric_families(text)
    samples = [one for family in families for one in family.samples]
    found = {(one.name, *sorted(one.labels.values())): one.value for one in samples}
    assert found["readproof_board_workers",] == 0 and found["readproof_board_gold_ready", "main", "reading"] == 1
    assert found["readproof_board_requests_total", "404", "GET"] == 1
    with TestClient(make_app(small), client=("203.0.113.9", 5000)) as stranger:
        assert stranger.get("/metrics").status_code == 404


def test_metrics_with_a_token(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "board")
    settings = folder / "board.toml"
    settings.write_text(settings.read_text("utf-8") + 'metrics_token = "secret"\n', encoding="utf-8")
    from readproof.board.board import open_board

    board = open_board(folder, migrate=True)
    with TestClient(make_app(board), client=("127.0.0.1", 5000)) as client:
        assert client.get("/metrics").status_code == 404
        assert client.get("/metrics", headers={"Authorization": "Bearer secret"}).status_code == 200
    board.close()


def test_the_access_log_has_no_secrets(small: Board, tmp_path: Path) -> None:
    file = tmp_path / "access.log"
    with TestClient(make_app(small, serving._logged(file)), client=("203.0.113.9", 5000)) as client:
        client.get("/c/reading/ranking?track=closed")
        client.get("/reset/a-secret")
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [(one["address"], one["path"], one["status"]) for one in lines] == [
        ("203.0.113.9", "/c/reading/ranking", 200),
        ("203.0.113.9", "/reset/…", lines[1]["status"]),
    ]
    assert lines[0]["bytes"] > 1000 and "secret" not in file.read_text("utf-8")


def test_strangers_guesses_do_not_lock_an_owner_out(client: TestClient, small: Board) -> None:
    person(small, "an")
    enter(client, "an")
    device = client.cookies["readproof_device"]
    for number in range(110):
        with refused("refused.login" if number < 100 else "refused.rate"):
            accounts.log_in(small, "an@example.org", "wrong password", address=f"203.0.113.{number}")
    # from the owner's own network too
    for _ in range(11):
        with refused("refused.rate"):
            accounts.log_in(small, "an@example.org", "wrong password", address="testclient")
    client.cookies.delete("readproof_session")
    fields = {"mail": "an@example.org", "password": PASSWORD, "to": "/", "csrf": csrf(client, "/login")}
    assert client.post("/login", data=fields).status_code == 303
    assert client.cookies["readproof_device"] == device
    # and such a browser guesses no faster than others
    for number in range(11):
        with refused("refused.login" if number < 10 else "refused.rate"):
            accounts.log_in(small, "an@example.org", "wrong password", address="x", device=device)
    # at another account it is a stranger's
    person(small, "bo")
    for number in range(11):
        with refused("refused.login" if number < 10 else "refused.rate"):
            accounts.log_in(small, "bo@example.org", "wrong password", address="x", device=device)


def test_a_key_stands_for_one_file(client: TestClient, small: Board) -> None:
    token = accounts.make_token(small, captain(small, "an"), "t")
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "one"}
    place = "/api/v1/competitions/reading/submissions?file=GCRC_advRobust.json&track="
    first = client.post(f"{place}closed", headers=headers, content=letters(1))
    assert client.post(f"{place}closed", headers=headers, content=letters(1)).json()["id"] == first.json()["id"]
    for track, data in (("closed", letters(0.5)), ("open", letters(1))):
        answer = client.post(f"{place}{track}", headers=headers, content=data)
        assert (answer.status_code, answer.json()["refused"]) == (409, "refused.key-used")
    # also where both are on their way at once
    with refused("refused.key-used"):
        submit(small, accounts.account_of_token(small, token), letters(0.5), key="one")  # type: ignore[arg-type]
    assert len(list(small.settings.uploads.iterdir())) == 1 and send(client, letters(0.5), token)[0] == 201


def test_a_worker_signs_and_signs_off(small: Board) -> None:
    stop, worker = threading.Event(), ScoringWorker(small)
    thread = threading.Thread(target=worker.run, args=(stop,))
    thread.start()
    with TestClient(make_app(small)) as client:
        until(lambda: client.get("/health").json()["workers"] == 1)
        stop.set()
        thread.join()
        assert client.get("/health").json()["workers"] == 0


def test_a_test_file_is_the_gold_without_its_letters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = made_folder(tmp_path / "board")
    gold = folder / "competitions/gcrc/gold.json"
    commands.make_test(gold, folder / "competitions/gcrc/test.json")
    assert "24 triples" in capsys.readouterr().err
    from readproof.board.definition import load_competitions

    check_files(load_competitions(folder / "competitions"))
    with pytest.raises(InputError, match="the gold file itself"):
        commands.make_test(gold, gold)
    other = tmp_path / "other.json"
    other.write_text("{}")
    with pytest.raises(InputError):
        commands.make_test(other, tmp_path / "x.json")


def test_organisers_are_made_promoted_and_reset(
    small: Board, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small.settings.folder
    monkeypatch.delenv("READPROOF_PASSWORD", raising=False)
    person(small, "an")
    commands.create_organiser(folder, "chair@example.org")
    password = capsys.readouterr().out.split(": ")[1].strip()
    assert accounts.log_in(small, "chair@example.org", password)[0].organiser
    with pytest.raises(InputError, match="promote"):
        commands.create_organiser(folder, "an@example.org")
    commands.promote(folder, "an@example.org")
    assert accounts.log_in(small, "an@example.org", PASSWORD)[0].organiser
    commands.demote(folder, "an@example.org")
    assert not accounts.log_in(small, "an@example.org", PASSWORD)[0].organiser
    commands.reset(folder, "an@example.org")
    password = capsys.readouterr().out.split(": ")[1].strip()
    assert not accounts.log_in(small, "an@example.org", password)[0].organiser
    for command in (commands.promote, commands.demote, commands.reset):
        with pytest.raises(InputError, match="the address of an account"):
            command(folder, "nobody@example.org")
