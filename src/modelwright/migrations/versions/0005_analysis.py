"""Analyses of uploads and their visualizations."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "analyses",
        sa.Column("analysis_id", sa.String(length=64), nullable=False),
        sa.Column("job_id", sa.String(length=64), nullable=False),
        sa.Column("upload_id", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("type", sa.String(length=16), nullable=False),
        sa.Column("subjects", sa.JSON(), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=True),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("estimated_completion", UtcDateTime(timezone=True), nullable=False),
        sa.Column("completed_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("analysis_id", name=op.f("pk_analyses")),
        sa.UniqueConstraint("job_id", name=op.f("uq_analyses_job_id")),
    )
    op.create_index(op.f("ix_analyses_account_id"), "analyses", ["account_id"], unique=False)
    op.create_index(op.f("ix_analyses_upload_id"), "analyses", ["upload_id"], unique=False)
    op.create_table(
        "visualizations",
        sa.Column("visualization_id", sa.String(length=64), nullable=False),
        sa.Column("analysis_id", sa.String(length=64), nullable=False),
        sa.Column("job_id", sa.String(length=64), nullable=False),
        sa.Column("upload_id", sa.String(length=64), nullable=False),
        sa.Column("filename", sa.String(length=255), nullable=False),
        sa.Column("type", sa.String(length=32), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("visualization_id", name=op.f("pk_visualizations")),
    )
    op.create_index(
        op.f("ix_visualizations_account_id"), "visualizations", ["account_id"], unique=False
    )
    op.create_index(
        "ix_visualizations_account_id_visualization_id",
        "visualizations",
        ["account_id", "visualization_id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_visualizations_analysis_id"), "visualizations", ["analysis_id"], unique=False
    )
