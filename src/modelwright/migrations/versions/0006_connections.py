"""Connections."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "connections",
        sa.Column("connection_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("type", sa.String(length=16), nullable=False),
        sa.Column("host", sa.String(length=255), nullable=True),
        sa.Column("port", sa.Integer(), nullable=True),
        sa.Column("database", sa.Text(), nullable=False),
        sa.Column("username", sa.String(length=255), nullable=True),
        sa.Column("sealed", sa.Text(), nullable=True),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("connection_id", name=op.f("pk_connections")),
    )
    op.create_index(op.f("ix_connections_account_id"), "connections", ["account_id"])
    op.create_table(
        "ingestions",
        sa.Column("ingestion_id", sa.String(length=64), nullable=False),
        sa.Column("connection_id", sa.String(length=64), nullable=False),
        sa.Column("source_table", sa.Text(), nullable=True),
        sa.Column("query", sa.Text(), nullable=True),
        sa.Column("dataset_name", sa.String(length=255), nullable=False),
        sa.Column("schedule", sa.String(length=255), nullable=True),
        sa.Column("next_run_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("job_id", sa.String(length=64), nullable=False),
        sa.Column("arriving_id", sa.String(length=64), nullable=True),
        sa.Column("upload_id", sa.String(length=64), nullable=True),
        sa.Column("rows", sa.BigInteger(), nullable=True),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("completed_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("ingestion_id", name=op.f("pk_ingestions")),
    )
    op.create_index(op.f("ix_ingestions_account_id"), "ingestions", ["account_id"])
    op.create_index(op.f("ix_ingestions_connection_id"), "ingestions", ["connection_id"])
    op.create_index(op.f("ix_ingestions_next_run_at"), "ingestions", ["next_run_at"])
