"""The steps of scorings, which workers take from each other."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "scoring_steps",
        sa.Column("export_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("file", sa.Integer(), nullable=False),
        sa.Column("first_row", sa.BigInteger(), nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("is_lenient", sa.Boolean(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("holder", sa.String(length=100), nullable=True),
        sa.Column("key", sa.String(length=200), nullable=True),
        sa.Column("made", sa.JSON(), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["export_id"],
            ["exports.export_id"],
            name=op.f("fk_scoring_steps_export_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("export_id", "number", name=op.f("pk_scoring_steps")),
    )
    op.create_index(
        op.f("ix_scoring_steps_account_id"), "scoring_steps", ["account_id"], unique=False
    )
