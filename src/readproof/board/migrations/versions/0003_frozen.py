"""A ranking that is frozen stays so: who was disqualified at that moment is noted with it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """A column more; rankings that are frozen already have nothing in it."""
    op.add_column("contest", sa.Column("frozen_without", sa.JSON(), nullable=True))
