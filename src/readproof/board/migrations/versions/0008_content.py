"""Texts, dates and news written on the web; cross-checks and withdrawn awards; code beside reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def _moment(name: str, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _text(name: str, length: int) -> sa.Column[object]:
    return sa.Column(name, sa.String(length=length), nullable=False)


def _whole(name: str, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def upgrade() -> None:
    """Five tables and a column."""
    op.add_column("report", sa.Column("kind", sa.String(length=10), nullable=False, server_default="report"))
    op.create_table(
        "page_text",
        _whole("id"), _text("contest", 40), _text("name", 20), sa.Column("en", sa.Text(), nullable=False),
        sa.Column("zh", sa.Text(), nullable=False), _whole("account_id"), _moment("written_at"),
        sa.ForeignKeyConstraint(["contest"], ["contest.slug"]),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
    )  # fmt: skip
    op.create_table(
        "date_change",
        _whole("id"), _text("contest", 40), _text("phase", 40), _text("field", 20), _moment("value", True),
        _whole("account_id"), _moment("changed_at"),
        sa.ForeignKeyConstraint(["contest"], ["contest.slug"]),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
    )  # fmt: skip
    op.create_table(
        "announcement",
        _whole("id"), _text("contest", 40), _text("title", 200), sa.Column("body", sa.Text(), nullable=False),
        _whole("account_id"), _moment("published_at"),
        sa.ForeignKeyConstraint(["contest"], ["contest.slug"]),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
    )  # fmt: skip
    op.create_table(
        "cross_check",
        _whole("id"), _text("contest", 40), _text("phase", 40), _text("track", 40), _text("seed", 16),
        _whole("checker_id"), _whole("checked_id"), _text("submission_id", 32), _moment("drawn_at"),
        _moment("filed_at", True), _whole("filed_by", True), sa.Column("reproduced", sa.Boolean(), nullable=True),
        sa.Column("score", sa.Double(), nullable=True), _text("words", 4000),
        sa.ForeignKeyConstraint(["contest"], ["contest.slug"]),
        sa.ForeignKeyConstraint(["checker_id"], ["team.id"]),
        sa.ForeignKeyConstraint(["checked_id"], ["team.id"]),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"]),
        sa.ForeignKeyConstraint(["filed_by"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("contest", "phase", "track", "checker_id", name="one_check_a_team"),
    )  # fmt: skip
    op.create_table(
        "award_withdrawal",
        _whole("team_id"), _text("track", 40), _text("contest", 40), _text("reason", 1000), _whole("account_id"),
        _moment("withdrawn_at"),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"]),
        sa.ForeignKeyConstraint(["contest"], ["contest.slug"]),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("team_id", "track"),
    )  # fmt: skip
    for table in ("page_text", "date_change", "announcement", "cross_check", "award_withdrawal"):
        op.create_index(op.f(f"ix_{table}_contest"), table, ["contest"], unique=False)
