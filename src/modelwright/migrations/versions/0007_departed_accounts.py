"""Accounts that were deleted."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "departed_accounts",
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.Column("until", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_departed_accounts")),
    )
