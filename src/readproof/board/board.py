"""A board that is open: its settings, competitions, database and clock in one hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, select, update
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.orm import Session

from readproof.board.definition import Competition, load_competitions
from readproof.board.settings import FILE, BoardSettings, load_settings
from readproof.board.tables import CompetitionState
from readproof.board.times import Clock, now
from readproof.errors import InputError, MissingExtraError
from readproof.files import writing

# The database: SQLite in the board's folder, or PostgreSQL by its address; reading and writing are told apart.
#
# In SQLite a writing transaction takes the lock at once (BEGIN IMMEDIATE), so that what it has read still holds when it
# writes. In PostgreSQL the rows that a decision rests on are locked by whoever decides.


_BUSY = 20_000
# a server that is away is noticed within seconds, not when the system gives up
_POSTGRES: dict[str, Any] = {
    "pool_pre_ping": True,
    "pool_timeout": 10,
    "connect_args": {
        "connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 2,
        "tcp_user_timeout": 15_000,
    },
}  # fmt: skip


class Database:
    """Where transactions begin."""

    def __init__(self, url: str) -> None:
        self.sqlite = url.startswith("sqlite")
        more: dict[str, Any] = {} if self.sqlite else _POSTGRES
        # values stay out of messages: they would carry hashes and names into logs
        self.engine = create_engine(url, pool_size=20, max_overflow=30, hide_parameters=True, **more)
        if self.sqlite:
            event.listen(self.engine, "connect", _connected)
            event.listen(self.engine, "begin", _begun)
        self._writing = self.engine.execution_options(writing=True)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that changes nothing; what it gave can be used after it."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that is kept whole, or not at all."""
        with Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def look_over(self) -> None:
        """After many rows came at once: until the database knows its tables it searches them the slowest way."""
        with self.writing() as session:
            session.connection().exec_driver_sql("ANALYZE")

    def close(self) -> None:
        self.engine.dispose()


def _connected(connection: Any, _: Any) -> None:
    # the driver must not begin transactions by itself: `_begun` does
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY}")
    cursor.execute("PRAGMA journal_mode = WAL")
    # an accepted submission outlives a power cut
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begun(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def upgrade(engine: Engine) -> None:
    """Bring the tables to this release, from any earlier one or from nothing."""
    with _migrations(engine) as config:
        from alembic import command

        command.upgrade(config, "head")


def revision(engine: Engine) -> tuple[str | None, str | None]:
    """The state of the tables, and that of this release."""
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    with _migrations(engine) as config, engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
        return found, ScriptDirectory.from_config(config).get_current_head()


def releases() -> set[str]:
    """Every state of the tables that this release can start from."""
    from alembic.script import ScriptDirectory

    with _migrations(None) as config:
        return {one.revision for one in ScriptDirectory.from_config(config).walk_revisions()}


@contextmanager
def _migrations(engine: Engine | None) -> Iterator[Any]:
    from alembic.config import Config

    with as_file(files("readproof.board").joinpath("migrations")) as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["engine"] = engine
        yield config


EXAMPLES = ("gcrc", "celue")
# calendars that were, with all their phases
SCHEDULES = ("ccl23", "ccl22-celue")


@dataclass(frozen=True, slots=True)
class Board:
    settings: BoardSettings
    competitions: dict[str, Competition]
    database: Database
    clock: Clock = now
    # as the files say, whatever was changed on the web
    originals: Mapping[str, Competition] = field(default_factory=dict)

    def competition(self, slug: str) -> Competition | None:
        return self.competitions.get(slug)

    def close(self) -> None:
        self.database.close()


def open_board(folder: str | Path, *, database: str = "", clock: Clock = now, migrate: bool = False) -> Board:
    """The board of a folder; its tables are brought to this release, or must be there already."""
    settings = load_settings(Path(folder), database)
    settings.uploads.mkdir(exist_ok=True, mode=0o700)
    competitions = load_competitions(settings.competitions)
    board = Board(settings, competitions, _reached(settings), clock, dict(competitions))
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
    # imported here: what changes a board needs one
    from readproof.board.content import apply

    apply(board)
    return board


def _reached(settings: BoardSettings) -> Database:
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
    known = set(session.scalars(select(CompetitionState.slug)))
    session.add_all(CompetitionState(slug=slug, version=1) for slug in competitions if slug not in known)


def lock(session: Session, slug: str) -> CompetitionState:
    """The row of a competition, locked until the transaction ends."""
    return session.execute(select(CompetitionState).where(CompetitionState.slug == slug).with_for_update()).scalar_one()


def changed(session: Session, slug: str) -> None:
    """Something that can change the ranking: whoever watches looks again."""
    session.execute(
        update(CompetitionState).where(CompetitionState.slug == slug).values(version=CompetitionState.version + 1)
    )


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
# /metrics for Prometheus answers this machine only; with a token whoever sends it as "Authorization: Bearer …"
# metrics_token = "a long secret"
# how letters leave (to confirm an address, to set a new password, notices); without it they lie in the folder mail
# [mail]  (at the end of this file)
# backend = "smtp"
# host = "smtp.example.org"
# security = "starttls"
# user = "board"
# password = "…"   or in the environment variable READPROOF_SMTP_PASSWORD
# from = "board@example.org"
# shown at the foot of every page: who runs this, and whom to write to
# notice = {{ en = "Questions: …", zh = "联系：…" }}
"""
