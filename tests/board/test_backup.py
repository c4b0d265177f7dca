"""Backups give the same ranking again, on the other kind of database too; migrations lead to the tables of the code."""

from __future__ import annotations

import io
import stat
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import func, select

from readproof.board import accounts, reports, teams
from readproof.board.backup import backup, outside, restore
from readproof.board.board import Board, Database, _migrations, open_board, revision
from readproof.board.ranking import as_record, standings, view
from readproof.board.settings import load_settings, rename_database
from readproof.board.tables import TABLES, Base
from readproof.board.worker import ScoringWorker
from readproof.errors import InputError
from tests.board.made_board import PASSWORD, captain, letters, made_folder, submit


def ranking(board: Board) -> dict[str, Any]:
    reading = board.competitions["reading"]
    seen = view(board, reading)
    return as_record(reading, "closed", seen, standings(board, reading, "closed", seen), board.clock())


@pytest.mark.parametrize("onto", ["sqlite", "postgres"])
def test_a_backup_gives_the_same_board(board: Board, tmp_path: Path, onto: str, request: pytest.FixtureRequest) -> None:
    for number, name in enumerate(("an", "bo", "cy")):
        submit(board, captain(board, name), letters(0.3 * number))
    worker = ScoringWorker(board)
    while worker.once():
        pass
    waiting = submit(board, accounts.log_in(board, "an@example.org", PASSWORD)[0], letters(1))
    made = tmp_path / "backup.zip"
    rows = backup(board, made)
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    database = "sqlite" if onto == "sqlite" else request.getfixturevalue("postgres")()
    assert restore(made, tmp_path / "again", database=database) == rows
    again = open_board(tmp_path / "again", clock=board.clock)
    assert ranking(again) == ranking(board)
    # what waited is scored there, and new rows get new numbers
    assert ScoringWorker(again).once() == f"{waiting.id}: 1.0"
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


def test_what_people_write_does_not_break_a_backup(board: Board, tmp_path: Path) -> None:
    """Signs that end a line for some programs, in a comment and in a name of a team."""
    reading = board.competitions["reading"]
    an = captain(board, "an")
    member = teams.membership(board, reading, an)
    assert member is not None
    made = reports.send(board, reading, member, "r.pdf", io.BytesIO(b"%PDF-1.7"))
    words = "one\u2028two\u0085three\x0b\x1cfour"
    reports.comment(board, reading, made, an, words)
    backup(board, tmp_path / "b.zip")
    restore(tmp_path / "b.zip", tmp_path / "again", database="sqlite")
    again = open_board(tmp_path / "again", clock=board.clock)
    found = reports.found(again, again.competitions["reading"], made.id, False, member)
    assert [one.words for one in found.comments] == [words]
    again.close()


def test_a_board_that_moved_stays_where_it_moved_to(board: Board, tmp_path: Path, postgres: Any) -> None:
    captain(board, "an")
    backup(board, tmp_path / "b.zip")
    address = postgres()
    folder = tmp_path / "again"
    folder.mkdir(mode=0o755)
    restore(tmp_path / "b.zip", folder, database=address)
    # gold and everybody's uploads are in it
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    again = open_board(folder)
    assert not again.database.sqlite and accounts.log_in(again, "an@example.org", PASSWORD)
    again.close()
    # a database with a board in it is not written over, be it named or remembered
    for database in ("", address):
        backup_of_again = tmp_path / f"c{database == ''}.zip"
        again = open_board(folder)
        backup(again, backup_of_again)
        again.close()
        with pytest.raises(InputError, match="a database with a board in it"):
            restore(backup_of_again, tmp_path / "third", database=database)
        assert list((tmp_path / "third").iterdir()) == []


def test_half_a_backup_is_no_board(board: Board, tmp_path: Path) -> None:
    submit(board, captain(board, "an"), letters(1))
    backup(board, tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as whole, zipfile.ZipFile(tmp_path / "half.zip", "w") as half:
        for name in whole.namelist():
            if name != "rows/result.jsonl":
                half.writestr(name, whole.read(name))
    with zipfile.ZipFile(tmp_path / "later.zip", "w") as later:
        later.writestr("about.json", '{"format": 1, "revision": "9999"}')
    for name, told in (("half.zip", "a backup of a board"), ("later.zip", "tables of release 9999")):
        with pytest.raises(InputError, match=told):
            restore(tmp_path / name, tmp_path / "new", database="sqlite")
        assert not (tmp_path / "new").exists() or list((tmp_path / "new").iterdir()) == []
    with pytest.raises(InputError, match="a place inside the board"):
        backup(board, board.settings.folder / "backup.zip")


def test_files_that_a_backup_does_not_hold_are_named(tmp_path: Path) -> None:
    folder = made_folder(tmp_path / "board")
    gold = (folder / "competitions/gcrc/gold.json").rename(tmp_path / "gold.json")
    toml = folder / "competitions/reading.toml"
    toml.write_text(toml.read_text("utf-8").replace('"gcrc/gold.json"', f'"{gold}"'), encoding="utf-8")
    board = open_board(folder, migrate=True)
    assert outside(board) == [gold]
    board.close()


AT = datetime(2027, 5, 1, tzinfo=UTC)
# a row in every table of the first release
FIRST: dict[str, dict[str, Any]] = {
    "account": {"id": 1, "mail": "an@example.org", "name": "an", "password": "", "organiser": False, "created_at": AT},
    "login": {"hash": "x", "account_id": 1, "created_at": AT, "expires_at": AT},
    "token": {"id": 1, "hash": "y", "account_id": 1, "name": "t", "created_at": AT},
    "contest": {"slug": "reading", "version": 7},
    "team": {
        "id": 1, "contest": "reading", "name": "First", "folded": "first", "organisation": "", "contact": "",
        "captain_id": 1, "invite": "z", "created_at": AT, "reason": "",
    },
    "member": {"contest": "reading", "account_id": 1, "team_id": 1, "joined_at": AT, "agreed_at": AT},
    "submission": {
        "id": "s", "contest": "reading", "track": "closed", "team_id": 1, "account_id": 1, "created_at": AT,
        "day": AT.date(), "file": "f", "size": 1, "digest": "d", "status": "scored", "problems": [], "attempts": 1,
        "fault": "",
    },
    "result": {"submission_id": "s", "score": 0.75, "scores": {"Acc0": 0.5}, "same": "e", "scored_at": AT},
    "report": {
        "id": "r", "contest": "reading", "team_id": 1, "account_id": 1, "created_at": AT, "file": "r.pdf", "size": 1,
        "digest": "d",
    },
    "comment": {"id": 1, "report_id": "r", "account_id": 1, "created_at": AT, "words": "why?"},
    "event": {"id": 1, "at": AT, "account_id": 1, "action": "login", "subject": "", "details": {}, "address": ""},
    "attempt": {"id": 1, "kind": "login", "who": "w", "at": AT},
}  # fmt: skip


def test_migrations_run_forward_from_the_first_release(tmp_path: Path, database: str) -> None:
    from alembic import command
    from sqlalchemy import MetaData

    folder = made_folder(tmp_path / "board")
    if database:
        rename_database(folder, database)
    old = Database(load_settings(folder).database)
    with _migrations(old.engine) as config:
        command.upgrade(config, "0001")
    tables = MetaData()
    tables.reflect(old.engine)
    with old.writing() as session:
        for name, row in FIRST.items():
            session.execute(tables.tables[name].insert(), row)
    old.close()
    with pytest.raises(InputError, match="tables of release 0001"):
        open_board(folder)
    board = open_board(folder, migrate=True)
    first = ranking(board)["rows"][0]
    assert (first["rank"], first["name"], first["Score"]) == (1, "First", 0.75)
    with board.database.reading() as session:
        counts = {table.__tablename__: session.scalar(select(func.count()).select_from(table)) for table in TABLES}
    assert counts == {table.__tablename__: int(table.__tablename__ in FIRST) for table in TABLES}
    board.close()
