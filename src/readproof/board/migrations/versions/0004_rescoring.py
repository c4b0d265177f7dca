"""Results say which gold and scorer they rest on, can be replaced, and a single submission can be made invalid."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Results that are there already rest on a gold that nobody noted: they count as outdated."""
    op.add_column("result", sa.Column("gold", sa.String(length=64), nullable=False, server_default=""))
    op.add_column("result", sa.Column("scorer", sa.String(length=40), nullable=False, server_default=""))
    op.add_column("submission", sa.Column("rescore_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("submission", sa.Column("invalid_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("submission", sa.Column("invalid_reason", sa.String(length=1000), nullable=False, server_default=""))
    op.create_index(op.f("ix_submission_rescore_at"), "submission", ["rescore_at"], unique=False)
    op.add_column("contest", sa.Column("frozen_invalid", sa.JSON(), nullable=True))
    op.create_table(
        "past_result",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.String(length=32), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("scored_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("replaced_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("gold", sa.String(length=64), nullable=False),
        sa.Column("scorer", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_past_result_submission_id"), "past_result", ["submission_id"], unique=False)
