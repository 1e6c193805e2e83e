"""The trash: since when, and what a model was called; and how a file was read."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Makes the step."""
    for table in ("uploads", "models", "model_versions"):
        op.add_column(table, sa.Column("trashed_at", UtcDateTime(), nullable=True))
    op.add_column("upload_files", sa.Column("read_as", sa.JSON(), nullable=True))
    op.add_column("models", sa.Column("trashed_name", sa.String(100), nullable=True))
