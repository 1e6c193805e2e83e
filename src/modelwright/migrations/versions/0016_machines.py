"""Machines, who leads, and where replicas and sessions are."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "machines",
        sa.Column("machine_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("address", sa.String(length=300), nullable=False),
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("room", sa.Integer(), nullable=False),
        sa.Column("is_draining", sa.Boolean(), nullable=False),
        sa.Column("seen_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("api_until", UtcDateTime(timezone=True), nullable=True),
        sa.Column("worker_until", UtcDateTime(timezone=True), nullable=True),
        sa.Column("replicas_until", UtcDateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("machine_id", name=op.f("pk_machines")),
    )
    op.create_table(
        "leader_leases",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("until", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leader_leases")),
    )
    op.create_table(
        "replicas",
        sa.Column("replica_id", sa.String(length=64), nullable=False),
        sa.Column("deployment_id", sa.String(length=64), nullable=False),
        sa.Column("pool", sa.String(length=64), nullable=False),
        sa.Column("machine_id", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("socket", sa.String(length=100), nullable=False),
        sa.Column("address", sa.String(length=300), nullable=False),
        sa.Column("load", sa.Double(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("is_final", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("lease_until", UtcDateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("replica_id", name=op.f("pk_replicas")),
    )
    op.create_index(op.f("ix_replicas_deployment_id"), "replicas", ["deployment_id"], unique=False)
    op.create_index(op.f("ix_replicas_pool"), "replicas", ["pool"], unique=False)
    op.add_column("data_sessions", sa.Column("machine_id", sa.String(length=64), nullable=True))
