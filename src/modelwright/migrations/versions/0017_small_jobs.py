"""Which jobs are small enough to go beside others that take all places."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Makes the step."""
    op.add_column(
        "jobs", sa.Column("is_small", sa.Boolean(), server_default=sa.true(), nullable=False)
    )
