"""The database: SQLite in the board's folder, or PostgreSQL by its address; reading and writing are told apart.

In SQLite a writing transaction takes the lock at once (BEGIN IMMEDIATE), so that what it has read still holds when it
writes. In PostgreSQL the rows that a decision rests on are locked by whoever decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.orm import Session

_BUSY = 20_000


class Database:
    """Where transactions begin."""

    def __init__(self, url: str) -> None:
        self.sqlite = url.startswith("sqlite")
        more: dict[str, Any] = {} if self.sqlite else {"pool_pre_ping": True}
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
