"""Keys have scopes, networks they may come from, and a former secret that lives on for a while."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Makes the step."""
    op.add_column("api_keys", sa.Column("scopes", sa.JSON(), nullable=True))
    op.add_column("api_keys", sa.Column("allowed_networks", sa.JSON(), nullable=True))
    op.add_column("api_keys", sa.Column("former_hash", sa.String(length=64), nullable=True))
    op.add_column("api_keys", sa.Column("former_until", UtcDateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_api_keys_former_hash"), "api_keys", ["former_hash"], unique=True)
