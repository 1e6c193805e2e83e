"""Deployments."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "deployments",
        sa.Column("deployment_id", sa.String(length=64), nullable=False),
        sa.Column("model_id", sa.String(length=64), nullable=False),
        sa.Column("model_name", sa.String(length=100), nullable=False),
        sa.Column("model_version", sa.String(length=32), nullable=False),
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("artifact", sa.String(length=120), nullable=False),
        sa.Column("environment", sa.String(length=16), nullable=False),
        sa.Column("replicas", sa.Integer(), nullable=False),
        sa.Column("auto_scale", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("undeployed_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("deployment_id", name=op.f("pk_deployments")),
    )
    op.create_index(op.f("ix_deployments_account_id"), "deployments", ["account_id"], unique=False)
    op.create_index("ix_deployments_account_id_model_id", "deployments", ["account_id", "model_id"])
    op.create_index(op.f("ix_deployments_version_id"), "deployments", ["version_id"], unique=False)
