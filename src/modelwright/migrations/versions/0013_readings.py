"""The history tells who read a question and how surely, and keeps the choices it offered."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Makes the step."""
    op.add_column("queries", sa.Column("question", sa.Text(), nullable=True))
    op.add_column("queries", sa.Column("choices", sa.JSON(), nullable=True))
    op.add_column("queries", sa.Column("confidence", sa.Double(), nullable=True))
    op.add_column("queries", sa.Column("read_by", sa.JSON(), nullable=True))
    op.add_column("queries", sa.Column("warnings", sa.JSON(), nullable=True))
