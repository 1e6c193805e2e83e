"""Verified questions show what words mean a value of a column."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Makes the step."""
    op.add_column("catalog_synonyms", sa.Column("value", sa.JSON(), nullable=True))
