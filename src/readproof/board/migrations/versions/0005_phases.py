"""Submissions belong to a phase; results may have a part that decides at the end; teams choose, and get more time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """What was submitted before belongs to the phase that a competition with dates has."""
    op.add_column("submission", sa.Column("phase", sa.String(length=40), nullable=False, server_default="main"))
    op.add_column("submission", sa.Column("late", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.drop_index("submission_ranked", table_name="submission")
    ranked = ["contest", "phase", "track", "status", "team_id", "id", "created_at", "late", "invalid_at"]
    op.create_index("submission_ranked", "submission", ranked)
    op.add_column("result", sa.Column("final_score", sa.Double(), nullable=True))
    op.add_column("result", sa.Column("final_scores", sa.JSON(), nullable=True))
    op.add_column("past_result", sa.Column("final_score", sa.Double(), nullable=True))
    op.add_column("past_result", sa.Column("final_scores", sa.JSON(), nullable=True))
    op.create_table(
        "final_choice",
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=40), nullable=False),
        sa.Column("track", sa.String(length=40), nullable=False),
        sa.Column("submission_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("chosen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"]),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"]),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("team_id", "phase", "track"),
    )
    op.create_index(op.f("ix_final_choice_submission_id"), "final_choice", ["submission_id"], unique=False)
    op.create_table(
        "extension",
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=40), nullable=False),
        sa.Column("contest", sa.String(length=40), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.String(length=1000), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"]),
        sa.ForeignKeyConstraint(["contest"], ["contest.slug"]),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("team_id", "phase"),
    )
    op.create_index(op.f("ix_extension_contest"), "extension", ["contest"], unique=False)
