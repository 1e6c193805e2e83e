"""What was left out of a file when it became a table."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Makes the step."""
    op.add_column("upload_files", sa.Column("notices", sa.JSON(), nullable=True))
