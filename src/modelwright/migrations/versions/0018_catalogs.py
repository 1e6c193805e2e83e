"""What people say of datasets, and what verified questions show of them."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "catalogs",
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.Column("dataset", sa.String(length=300), nullable=False),
        sa.Column("corrections", sa.JSON(), nullable=False),
        sa.Column("updated_at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "dataset", name=op.f("pk_catalogs")),
    )
    op.create_table(
        "catalog_synonyms",
        sa.Column("query_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("dataset", sa.String(length=300), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("column_name", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("query_id", "number", name=op.f("pk_catalog_synonyms")),
    )
    op.create_index(op.f("ix_catalog_synonyms_account_id"), "catalog_synonyms", ["account_id"])
    op.create_index(op.f("ix_catalog_synonyms_dataset"), "catalog_synonyms", ["dataset"])
