"""How alembic reaches the database: by the engine that the board has already."""

from __future__ import annotations

from alembic import context

from readproof.board.tables import Base


def run() -> None:
    """All steps in one transaction; a second process waits for it and then finds nothing to do."""
    engine = context.config.attributes["engine"].execution_options(writing=True)
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7329015)")
        context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
        context.run_migrations()


run()
