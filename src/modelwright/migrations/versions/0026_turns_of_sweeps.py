"""What the mark among the objects held after the last sweep, so that copies of a database show."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Adds the present turn and the next one; nobody has swept by turns yet."""
    op.add_column("objects_marks", sa.Column("turn", sa.String(length=64), nullable=True))
    op.add_column("objects_marks", sa.Column("next_turn", sa.String(length=64), nullable=True))
