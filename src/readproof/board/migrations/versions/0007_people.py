"""Mail, organisers of one competition, kinds of teams, members who left, declarations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Whoever has an account already is believed to own its address."""
    op.add_column("account", sa.Column("verified_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("account", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE account SET verified_at = created_at")
    op.add_column("team", sa.Column("kind", sa.String(length=20), nullable=False, server_default=""))
    op.add_column("member", sa.Column("left_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("submission", sa.Column("declared", sa.JSON(), nullable=True))
    op.create_table(
        "competition_organiser",
        sa.Column("contest", sa.String(length=40), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["contest"], ["contest.slug"]),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("contest", "account_id"),
    )
    op.create_index(op.f("ix_competition_organiser_account_id"), "competition_organiser", ["account_id"], unique=False)
    op.create_table(
        "mail_link",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("mail", sa.String(length=254), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index(op.f("ix_mail_link_account_id"), "mail_link", ["account_id"], unique=False)
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("again_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("fault", sa.String(length=500), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_letter_sent_at"), "letter", ["sent_at"], unique=False)
