"""Second factors of accounts, and the recovery codes that stand in for them."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "second_factors",
        sa.Column("factor_id", sa.String(length=64), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("confirmed_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("factor_id", name=op.f("pk_second_factors")),
        sa.UniqueConstraint("account_id", name=op.f("uq_second_factors_account_id")),
    )
    op.create_index(
        op.f("ix_second_factors_account_id"), "second_factors", ["account_id"], unique=False
    )
    op.create_table(
        "recovery_codes",
        sa.Column("code_id", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("code_id", name=op.f("pk_recovery_codes")),
    )
    op.create_index(
        op.f("ix_recovery_codes_account_id"), "recovery_codes", ["account_id"], unique=False
    )
