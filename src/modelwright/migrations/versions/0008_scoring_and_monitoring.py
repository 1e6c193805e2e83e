"""Scoring and monitoring."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "scorings",
        sa.Column("export_id", sa.String(length=64), nullable=False),
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("artifact", sa.String(length=120), nullable=False),
        sa.Column("include", sa.JSON(), nullable=False),
        sa.Column("rows", sa.JSON(), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["export_id"],
            ["exports.export_id"],
            name=op.f("fk_scorings_export_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("export_id", name=op.f("pk_scorings")),
    )
    op.create_index(op.f("ix_scorings_account_id"), "scorings", ["account_id"])
    op.create_index(op.f("ix_scorings_version_id"), "scorings", ["version_id"])
    op.create_table(
        "prediction_counts",
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("hour", UtcDateTime(timezone=True), nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        _version("prediction_counts"),
        sa.PrimaryKeyConstraint("version_id", "hour", name=op.f("pk_prediction_counts")),
    )
    op.create_index(op.f("ix_prediction_counts_account_id"), "prediction_counts", ["account_id"])
    op.create_table(
        "kept_predictions",
        sa.Column("kept_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("first_ms", sa.BigInteger(), nullable=False),
        sa.Column("last_ms", sa.BigInteger(), nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        _version("kept_predictions"),
        sa.PrimaryKeyConstraint("kept_id", name=op.f("pk_kept_predictions")),
    )
    op.create_index(op.f("ix_kept_predictions_account_id"), "kept_predictions", ["account_id"])
    op.create_index(
        "ix_kept_predictions_version_id_last_ms", "kept_predictions", ["version_id", "last_ms"]
    )
    op.create_table(
        "truths",
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("request_id", sa.String(length=64), nullable=False),
        sa.Column("predicted", sa.Double(), nullable=False),
        sa.Column("link", sa.LargeBinary(), nullable=False),
        sa.Column("actual", sa.Double(), nullable=False),
        sa.Column("asked_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("told_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        _version("truths"),
        sa.PrimaryKeyConstraint("version_id", "request_id", name=op.f("pk_truths")),
    )
    op.create_index(op.f("ix_truths_account_id"), "truths", ["account_id"])
    op.create_index("ix_truths_version_id_asked_at", "truths", ["version_id", "asked_at"])


def _version(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["version_id"],
        ["model_versions.version_id"],
        name=op.f(f"fk_{table}_version_id"),
        ondelete="CASCADE",
    )
