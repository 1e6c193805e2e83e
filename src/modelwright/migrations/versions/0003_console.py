"""Sign-in for the console: passwords and sessions."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Makes the step."""
    op.add_column("users", sa.Column("password_hash", sa.String(), nullable=True))
    op.create_table(
        "console_sessions",
        sa.Column("session_id", sa.String(length=64), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_console_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_console_sessions_token_hash")),
    )
    op.create_index(
        op.f("ix_console_sessions_account_id"), "console_sessions", ["account_id"], unique=False
    )
    op.create_index(
        op.f("ix_console_sessions_last_seen_at"), "console_sessions", ["last_seen_at"], unique=False
    )
