"""A board that is open: its settings, competitions, database and clock in one hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.orm import Session

from readproof.board.database import Database, revision, upgrade
from readproof.board.definition import Competition, load_competitions
from readproof.board.settings import FILE, Settings, load_settings
from readproof.board.tables import Contest
from readproof.board.times import Clock, now
from readproof.errors import InputError, MissingExtraError
from readproof.files import writing

EXAMPLES = ("gcrc", "celue")


@dataclass(frozen=True, slots=True)
class Board:
    settings: Settings
    competitions: Mapping[str, Competition]
    database: Database
    clock: Clock = now

    def competition(self, slug: str) -> Competition | None:
        return self.competitions.get(slug)

    def close(self) -> None:
        self.database.close()


def open_board(folder: str | Path, *, database: str = "", clock: Clock = now, migrate: bool = False) -> Board:
    """The board of a folder; its tables are brought to this release, or must be there already."""
    settings = load_settings(Path(folder), database)
    settings.uploads.mkdir(exist_ok=True, mode=0o700)
    board = Board(settings, load_competitions(settings.competitions), _reached(settings), clock)
    if migrate:
        upgrade(board.database.engine)
    else:
        found, wanted = revision(board.database.engine)
        if found != wanted:
            board.close()
            do = "Start `readproof board serve` first: it brings the tables to this release."
            raise InputError(file=folder, found=f"tables of release {found}", expected=f"release {wanted}", do=do)
    with board.database.writing() as session:
        _keep(session, board.competitions)
    return board


def _reached(settings: Settings) -> Database:
    """The database, when it answers."""
    try:
        database = Database(settings.database)
        with database.engine.connect():
            return database
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "psycopg", "postgres") from None
    except (ArgumentError, NoSuchModuleError, DBAPIError) as error:
        told = str(error.orig if isinstance(error, DBAPIError) else error).partition("\n")[0]
        raise InputError(
            file=settings.folder / FILE,
            place="database",
            found=f"a database that does not answer ({told})",
            expected="an empty text, or postgresql://USER:PASSWORD@HOST/NAME of one that runs",
        ) from None


def _keep(session: Session, competitions: Mapping[str, Competition]) -> None:
    """Every competition has its row, which its transactions lock."""
    known = set(session.scalars(select(Contest.slug)))
    session.add_all(Contest(slug=slug, version=1) for slug in competitions if slug not in known)


def lock(session: Session, slug: str) -> Contest:
    """The row of a competition, locked until the transaction ends."""
    return session.execute(select(Contest).where(Contest.slug == slug).with_for_update()).scalar_one()


def make_board(folder: Path, *, title: str, address: str, database: str, examples: tuple[str, ...]) -> None:
    """A new folder with settings and the competitions that ship as examples; nothing is written over."""
    if (folder / FILE).exists():
        raise InputError(file=folder, found=f"a {FILE}", expected="a new folder", do="Edit that file instead.")
    (folder / "competitions").mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    with writing(folder / FILE) as file:
        file.write(_SETTINGS.format(title=_quoted(title), address=_quoted(address), database=_quoted(database)))
    shipped = files("readproof.board").joinpath("examples")
    for name in examples:
        with writing(folder / "competitions" / f"{name}.toml") as file:
            file.write(shipped.joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def _quoted(text: str) -> str:
    import json

    # a TOML text is written as a JSON text is
    return json.dumps(text, ensure_ascii=False)


_SETTINGS = """\
# The settings of this board; docs/board.md tells of each.
# a text, or {{ en = "…", zh = "…" }}
title = {title}
# what people type; with https cookies travel over TLS only
address = {address}
# empty: SQLite in this folder; or postgresql://user:password@host/name
database = {database}
# a page on which anybody asks the shipped reader; reading takes a core of this machine
try_it = true
# for certificates: a font file with Chinese characters; empty: one of this system
# font = "/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc"
# shown at the foot of every page: who runs this, and whom to write to
# notice = {{ en = "Questions: …", zh = "联系：…" }}
"""
