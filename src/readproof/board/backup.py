"""A board in one file: every row of every table, the uploads, the settings and competitions; and back again.

Rows are written as JSON lines, so that a board can move from SQLite to PostgreSQL and into a later release. The file
holds gold answers, hashes of passwords and everybody's uploads: it is readable by its owner only.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from sqlalchemy import func, insert, inspect, select, text
from sqlalchemy.orm import Session
from sqlalchemy.types import TypeEngine

from readproof.board.board import Board, open_board, releases, revision
from readproof.board.mail import FOLDER as MAIL
from readproof.board.settings import SQLITE, rename_database
from readproof.board.tables import TABLES, Account, Base, Moment, Submission, TechnicalReport
from readproof.errors import InputError

_ROWS, _FILES, _ABOUT = "rows/", "files/", "about.json"
_BATCH = 1000


def backup(board: Board, target: Path) -> int:
    """Write everything into a zip; gives how many rows. People may go on submitting: what came later is not in it."""
    folder = board.settings.folder.resolve()
    if target.resolve().is_relative_to(folder):
        do = "Name a place outside: else each backup would hold the one before."
        raise InputError(file=target, found="a place inside the board", expected="another folder", do=do)
    count = 0
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            with board.database.reading() as session:
                if not board.database.sqlite:
                    session.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
                archive.writestr(_ABOUT, json.dumps({"format": 1, "revision": revision(board.database.engine)[1]}))
                for table in TABLES:
                    # plain ASCII: what people write may hold signs that end a line
                    lines = [json.dumps(_record(row)) for row in session.scalars(select(table))]
                    count += len(lines)
                    archive.writestr(f"{_ROWS}{table.__tablename__}.jsonl", "".join(f"{line}\n" for line in lines))
                kept = set(session.scalars(select(Submission.id).where(Submission.status != "refused")))
                kept |= set(session.scalars(select(TechnicalReport.id)))
            for path in _files(folder, kept):
                archive.write(path, f"{_FILES}{path.relative_to(folder).as_posix()}")
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return count


def outside(board: Board) -> list[Path]:
    """Files that competitions name and that a backup does not hold, because they lie outside the board's folder."""
    folder = board.settings.folder.resolve()
    named = [file for one in board.competitions.values() for file in one.files]
    return [one for one in dict.fromkeys(named) if one.exists() and not one.resolve().is_relative_to(folder)]


def restore(source: Path, folder: Path, *, database: str = "") -> int:
    """A board out of its backup, in a new folder and an empty database; gives how many rows.

    `database` is used instead of the one that the board had, from now on; "sqlite" is the one in the folder itself.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InputError(file=folder, found="a folder with files", expected="a new or empty folder")
    if not source.is_file():
        raise InputError(file=source, found="no such file", expected="a backup of a board")
    try:
        with zipfile.ZipFile(source) as archive:
            _refuse_other(archive, source)
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)
            try:
                return _restored(archive, source, folder, database)
            except BaseException:
                # half a board is none
                for one in folder.iterdir():
                    shutil.rmtree(one) if one.is_dir() else one.unlink()
                raise
    except (OSError, EOFError, ValueError, KeyError, zlib.error, zipfile.BadZipFile) as error:
        found = f"no readable zip ({type(error).__name__}: {error})"
        raise InputError(file=source, found=found, expected="a backup of a board") from None


def _restored(archive: zipfile.ZipFile, source: Path, folder: Path, database: str) -> int:
    for member in archive.infolist():
        if member.filename.startswith(_FILES) and not member.is_dir():
            _unpack(archive, member, folder, source)
    if database:
        rename_database(folder, database)
    board = open_board(folder, migrate=True)
    try:
        with board.database.writing() as session:
            if session.scalar(select(Account.id).limit(1)) is not None:
                # the settings in the backup name the database of the board that it was taken of
                do = "Make an empty one and name it: --database postgresql://… (or: --database sqlite)"
                raise InputError(file=folder, found="a database with a board in it", expected="an empty one", do=do)
            rows = sum(_fill(session, table, archive) for table in TABLES)
        board.database.look_over()
        return rows
    finally:
        board.close()


def _refuse_other(archive: zipfile.ZipFile, source: Path) -> None:
    if _ABOUT not in archive.namelist():
        raise InputError(file=source, found=f"no {_ABOUT}", expected="what `readproof board backup` wrote")
    release = json.loads(archive.read(_ABOUT)).get("revision")
    if release not in releases():
        do = "Install the release that wrote it, or a later one."
        raise InputError(file=source, found=f"tables of release {release}", expected="a release known here", do=do)


def _record(row: Base) -> dict[str, Any]:
    return {column.key: _plain(getattr(row, column.key)) for column in inspect(type(row)).columns}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, (datetime, date)) else value


def _fill(session: Session, table: type[Base], archive: zipfile.ZipFile) -> int:
    name = f"{_ROWS}{table.__tablename__}.jsonl"
    columns = {column.key: _kind(column.type) for column in inspect(table).columns}
    session.execute(table.__table__.delete())  # type: ignore[attr-defined]
    rows = [_typed(json.loads(line), columns) for line in archive.read(name).decode("utf-8").split("\n") if line]
    for at in range(0, len(rows), _BATCH):
        session.execute(insert(table), rows[at : at + _BATCH])
    if "id" in columns and columns["id"] is int and session.get_bind().dialect.name == "postgresql":
        # numbers that were given out before are not given out again
        kind: Any = table
        last = session.scalar(select(func.max(kind.id))) or 0
        place = f"pg_get_serial_sequence('{table.__tablename__}', 'id')"
        session.execute(text(f"SELECT setval({place}, {int(last) + 1}, false)"))
    return len(rows)


def _kind(of: TypeEngine[Any]) -> type:
    return datetime if isinstance(of, Moment) else of.python_type


def _typed(record: dict[str, Any], columns: dict[str, type]) -> dict[str, Any]:
    """Columns that a later release dropped are left out; those that it added take their defaults."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        kind = columns.get(key)
        if kind is None:
            continue
        if value is not None and kind is datetime:
            value = datetime.fromisoformat(value)
        elif value is not None and kind is date:
            value = date.fromisoformat(value)
        found[key] = value
    return found


def _files(folder: Path, kept: set[str]) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if not path.is_file() or path.is_symlink() or parts[0].startswith(SQLITE):
            continue
        if parts[0] == MAIL:
            continue
        if parts[0] != "uploads" or (len(parts) > 1 and parts[1] in kept):
            yield path


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, source: Path) -> None:
    name = PurePosixPath(member.filename.removeprefix(_FILES))
    if name.is_absolute() or ".." in name.parts:
        raise InputError(file=source, found=f"the member {member.filename!r}", expected="names inside the board")
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(member) as inside, target.open("wb") as file:
        shutil.copyfileobj(inside, file)
