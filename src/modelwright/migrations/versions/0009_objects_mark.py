"""The mark by which a database knows its objects."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "objects_marks",
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("mark", name=op.f("pk_objects_marks")),
    )
