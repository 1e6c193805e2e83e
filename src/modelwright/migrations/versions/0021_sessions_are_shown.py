"""Console sessions say where they came from; people are bound to their provider's subject."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Makes the step."""
    op.add_column("console_sessions", sa.Column("address", sa.String(), nullable=True))
    op.add_column("console_sessions", sa.Column("user_agent", sa.String(), nullable=True))
    op.create_table(
        "oidc_identities",
        sa.Column("identity_id", sa.String(length=64), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("identity_id", name=op.f("pk_oidc_identities")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_oidc_identities_issuer_subject")),
    )
    op.create_index(
        op.f("ix_oidc_identities_account_id"), "oidc_identities", ["account_id"], unique=False
    )
