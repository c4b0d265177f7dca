"""What is asked often is found by an index, not by reading all.

Old attempts and sessions are swept away at every login and upload; the ranking is made anew at every score.
"""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Four indexes more."""
    op.create_index("attempt_at", "attempt", ["at"])
    op.create_index("login_expires", "login", ["expires_at"])
    ranked = ["contest", "track", "status", "team_id", "id", "created_at"]
    op.create_index("submission_ranked", "submission", ranked)
    op.create_index("result_ranked", "result", ["submission_id", "score", "scored_at"])
