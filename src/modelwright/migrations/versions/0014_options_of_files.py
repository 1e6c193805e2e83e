"""How the owner of a file says that it is to be read, and of which stored one it is a copy."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Makes the step."""
    op.add_column("upload_files", sa.Column("options", sa.JSON(), nullable=True))
    op.add_column("upload_files", sa.Column("copied_from", sa.Text(), nullable=True))
