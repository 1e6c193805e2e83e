"""Entries of the audit log hold the digest of the one before; what age removes leaves an anchor."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Makes the step."""
    op.add_column("audit", sa.Column("sequence", sa.BigInteger(), nullable=True))
    op.add_column("audit", sa.Column("previous", sa.String(length=64), nullable=True))
    op.add_column("audit", sa.Column("digest", sa.String(length=64), nullable=True))
    op.create_index(op.f("ix_audit_sequence"), "audit", ["sequence"], unique=True)
    op.create_index(op.f("ix_audit_resource"), "audit", ["resource"], unique=False)
    op.create_table(
        "audit_heads",
        sa.Column("chain", sa.String(length=16), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("first_entry_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("chain", name=op.f("pk_audit_heads")),
    )
    op.create_table(
        "audit_anchors",
        sa.Column("anchor_id", sa.String(length=64), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("pruned_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("anchor_id", name=op.f("pk_audit_anchors")),
    )
