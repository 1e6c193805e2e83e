"""Whether the mark lies among the objects, and why sweeps have stopped."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Makes the step."""
    with op.batch_alter_table("objects_marks") as table:
        table.add_column(
            sa.Column("is_placed", sa.Boolean(), nullable=False, server_default=sa.true())
        )
        table.add_column(sa.Column("alarm", sa.Text()))
