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
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from sqlalchemy import func, insert, inspect, select, text
from sqlalchemy.orm import Session
from sqlalchemy.types import TypeEngine

from readproof.board.board import Board, open_board
from readproof.board.database import revision
from readproof.board.settings import SQLITE
from readproof.board.tables import TABLES, Base, Moment, Report, Submission
from readproof.errors import InputError

_ROWS, _FILES, _ABOUT = "rows/", "files/", "about.json"
_BATCH = 1000


def backup(board: Board, target: Path) -> int:
    """Write everything into a zip; gives how many rows. People may go on submitting: what came later is not in it."""
    count = 0
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            with board.database.reading() as session:
                if not board.database.sqlite:
                    session.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
                archive.writestr(_ABOUT, json.dumps({"format": 1, "revision": revision(board.database.engine)[1]}))
                for table in TABLES:
                    lines = [json.dumps(_record(row), ensure_ascii=False) for row in session.scalars(select(table))]
                    count += len(lines)
                    archive.writestr(f"{_ROWS}{table.__tablename__}.jsonl", "".join(f"{line}\n" for line in lines))
                kept = set(session.scalars(select(Submission.id).where(Submission.status != "refused")))
                kept |= set(session.scalars(select(Report.id)))
            for path in _files(board.settings.folder, kept):
                archive.write(path, f"{_FILES}{path.relative_to(board.settings.folder).as_posix()}")
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return count


def restore(source: Path, folder: Path, *, database: str = "") -> int:
    """A board out of its backup, in a new folder and an empty database; gives how many rows."""
    if folder.exists() and any(folder.iterdir()):
        raise InputError(file=folder, found="a folder with files", expected="a new or empty folder")
    try:
        archive = zipfile.ZipFile(source)
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(file=source, found=f"no readable zip ({error})", expected="a backup of a board") from None
    with archive:
        if _ABOUT not in archive.namelist():
            raise InputError(file=source, found=f"no {_ABOUT}", expected="what `readproof board backup` wrote")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for member in archive.infolist():
            if member.filename.startswith(_FILES) and not member.is_dir():
                _unpack(archive, member, folder, source)
        board = open_board(folder, database=database, migrate=True)
        try:
            with board.database.writing() as session:
                return sum(_fill(session, table, archive) for table in TABLES)
        finally:
            board.close()


def _record(row: Base) -> dict[str, Any]:
    return {column.key: _plain(getattr(row, column.key)) for column in inspect(type(row)).columns}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, (datetime, date)) else value


def _fill(session: Session, table: type[Base], archive: zipfile.ZipFile) -> int:
    name = f"{_ROWS}{table.__tablename__}.jsonl"
    columns = {column.key: _kind(column.type) for column in inspect(table).columns}
    session.execute(table.__table__.delete())  # type: ignore[attr-defined]
    rows = [_typed(json.loads(line), columns) for line in archive.read(name).decode("utf-8").splitlines()]
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
