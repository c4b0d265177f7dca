"""Kill -9 of server and worker, again and again, under concurrent uploads: nothing lost, nothing twice, no overrun."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from readproof.board import accounts
from readproof.board.board import Board, open_board
from readproof.board.receiving import file_of
from readproof.board.tables import Event, Result, Submission
from readproof.board.times import now
from tests.board.made_board import captain, letters, made_folder, without_limits
from tests.board.serving import free_port

ROOT = Path(__file__).resolve().parents[2]
TEAMS, UPLOADS, QUOTA = 10, 50, 3
# when so much of the uploads has been answered
KILLS = (0.1, 0.5)
PATIENCE = 240
# one for all: making one loads certificates, which takes longer than an upload
CLIENT = httpx.Client(verify=False, limits=httpx.Limits(max_connections=100, max_keepalive_connections=0))


class Fallible:
    """A process that is killed without warning and started again."""

    def __init__(self, *arguments: str) -> None:
        self.command = [sys.executable, "-m", "readproof.cli.main", "board", *arguments]
        self.start()

    def start(self) -> None:
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(self.command, cwd=ROOT, stdout=quiet, stderr=quiet, env={**os.environ})

    def fall(self) -> None:
        self.end(signal.SIGKILL)
        self.start()

    def end(self, by: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(by)
        self.process.wait()


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.1)


def answered(address: str) -> bool:
    try:
        return CLIENT.get(f"{address}/health", timeout=2).status_code == 200
    except httpx.TransportError:
        return False


def upload(address: str, token: str, data: bytes, told: list[tuple[int, Any]]) -> None:
    """As `readproof board submit` does: the same key again until there is an answer."""
    key = uuid.uuid4().hex
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
    values = {"track": "closed", "file": "GCRC_advRobust.json"}
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            where = f"{address}/api/v1/competitions/reading/submissions"
            answer = CLIENT.post(where, params=values, headers=headers, content=data, timeout=20)
        except httpx.TransportError:
            time.sleep(0.3)
            continue
        told.append((answer.status_code, answer.json()))
        return


@pytest.mark.slow
def test_nothing_is_lost_and_nothing_is_scored_twice(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made_folder(tmp_path / "board", quota=QUOTA)
    settings = folder / "board.toml"
    settings.write_text(settings.read_text().replace('database = ""', f'database = "{database}"'))
    without_limits(monkeypatch)
    board = open_board(folder, clock=now, migrate=True)
    tokens = [accounts.make_token(board, captain(board, f"p{number}"), "t") for number in range(TEAMS)]
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    server = Fallible("serve", str(folder), "--port", str(port), "--workers", "0")
    until(lambda: answered(address))
    worker = Fallible("worker", str(folder), "--lease", "2")
    told: list[tuple[int, Any]] = []
    threads = [
        threading.Thread(target=upload, args=(address, tokens[number % TEAMS], letters(0.5, number), told))
        for number in range(UPLOADS)
    ]
    try:
        for thread in threads:
            thread.start()
        for share in KILLS:
            # in the middle of the work, however fast the machine is
            until(partial(reached, told, round(share * UPLOADS)))
            server.fall()
            worker.fall()
            until(lambda: answered(address))
        for thread in threads:
            thread.join()
        until(lambda: waiting(board) == 0)
    finally:
        server.end()
        worker.end()
    check(board, told)
    board.close()


def reached(told: list[tuple[int, Any]], count: int) -> bool:
    return len(told) >= count


def waiting(board: Board) -> int:
    with board.database.reading() as session:
        return session.scalar(select(func.count()).where(Submission.status == "waiting")) or 0


def check(board: Board, told: list[tuple[int, Any]]) -> None:
    assert len(told) == UPLOADS
    accepted = [record["id"] for status, record in told if status == 201]
    assert {record["refused"] for status, record in told if status != 201} == {"refused.quota"}
    with board.database.reading() as session:
        kept = list(session.scalars(select(Submission)))
        results = set(session.scalars(select(Result.submission_id)))
        scored = Counter(session.scalars(select(Event.subject).where(Event.action == "submission.scored")))
    # what was promised is there, whole and scored, and nothing else
    assert len(set(accepted)) == len(accepted)
    assert set(accepted) == {one.id for one in kept} == results
    assert all(file_of(board, one).stat().st_size == one.size for one in kept)
    assert set(scored.values()) == {1} and set(scored) == results
    per_team = Counter((one.team_id, one.day) for one in kept)
    assert max(per_team.values()) <= QUOTA
    assert len(kept) >= TEAMS * QUOTA
