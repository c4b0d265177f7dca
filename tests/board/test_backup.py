"""Backups give the same ranking again, on the other kind of database too; migrations lead to the tables of the code."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from readproof.board import accounts
from readproof.board.backup import backup, restore
from readproof.board.board import Board, open_board
from readproof.board.database import revision
from readproof.board.export import as_record
from readproof.board.standings import standings, view
from readproof.board.tables import Base
from readproof.board.worker import Worker
from readproof.errors import InputError
from tests.board.made_board import PASSWORD, captain, letters, submit


def ranking(board: Board) -> dict[str, Any]:
    reading = board.competitions["reading"]
    seen = view(board, reading)
    return as_record(reading, "closed", seen, standings(board, reading, "closed", seen), board.clock())


@pytest.mark.parametrize("onto", ["sqlite", "postgres"])
def test_a_backup_gives_the_same_board(board: Board, tmp_path: Path, onto: str, request: pytest.FixtureRequest) -> None:
    for number, name in enumerate(("an", "bo", "cy")):
        submit(board, captain(board, name), letters(0.3 * number))
    worker = Worker(board)
    while worker.once():
        pass
    waiting = submit(board, accounts.log_in(board, "an@example.org", PASSWORD)[0], letters(1))
    made = tmp_path / "backup.zip"
    rows = backup(board, made)
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    database = "" if onto == "sqlite" else request.getfixturevalue("postgres")()
    assert restore(made, tmp_path / "again", database=database) == rows
    again = open_board(tmp_path / "again", database=database, clock=board.clock)
    assert ranking(again) == ranking(board)
    # what waited is scored there, and new rows get new numbers
    assert Worker(again).once() == f"{waiting.id}: 1.0"
    assert captain(again, "di").id not in {1, 2, 3}
    assert accounts.log_in(again, "bo@example.org", PASSWORD)
    again.close()


def test_a_backup_is_not_unpacked_over_something(board: Board, tmp_path: Path) -> None:
    backup(board, tmp_path / "backup.zip")
    with pytest.raises(InputError, match="a new or empty folder"):
        restore(tmp_path / "backup.zip", board.settings.folder)
    (tmp_path / "x.zip").write_bytes(b"no zip")
    with pytest.raises(InputError, match="a backup of a board"):
        restore(tmp_path / "x.zip", tmp_path / "new")


def test_migrations_lead_to_the_tables_of_the_code(board: Board) -> None:
    found, wanted = revision(board.database.engine)
    assert found == wanted is not None
    with board.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_a_worker_does_not_start_on_tables_of_another_release(board: Board) -> None:
    with board.database.writing() as session:
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '0000'")
    with pytest.raises(InputError, match="tables of release 0000"):
        open_board(board.settings.folder, database=board.settings.database)
