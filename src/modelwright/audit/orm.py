"""Rows of the audit log."""

from datetime import datetime

from sqlalchemy import BigInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import Base


class AuditRecord(Base):
    """One thing that was done; the database refuses to change it, or to delete it while young."""

    __tablename__ = "audit"

    entry_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    at: Mapped[datetime]
    account_id: Mapped[str] = mapped_column(String(64), index=True)
    """The account that was acted in."""
    actor: Mapped[str]
    """E-mail of who acted, or `command line`."""
    key_id: Mapped[str | None]
    operation: Mapped[str]
    """Resource and verb, such as `keys.revoke`."""
    resource: Mapped[str] = mapped_column(index=True)
    path: Mapped[str]
    address: Mapped[str]
    request_id: Mapped[str]
    sequence: Mapped[int | None] = mapped_column(BigInteger, index=True, unique=True)
    """Place in the chain, from 1 on without a gap; null in entries older than the chain."""
    previous: Mapped[str | None] = mapped_column(String(64))
    """Digest of the entry before."""
    digest: Mapped[str | None] = mapped_column(String(64))
    """Of this entry, its place and the digest of the one before."""


class AuditHeadRecord(Base):
    """The end of the chain, which every writer moves on; there is one."""

    __tablename__ = "audit_heads"

    chain: Mapped[str] = mapped_column(String(16), primary_key=True)
    sequence: Mapped[int] = mapped_column(BigInteger)
    digest: Mapped[str] = mapped_column(String(64))
    first_entry_id: Mapped[str] = mapped_column(String(64))
    """The chain's first entry: what is younger and has no place in it was put in from outside."""


class AuditAnchorRecord(Base):
    """What the chain hangs from since its oldest entries were removed with age."""

    __tablename__ = "audit_anchors"

    anchor_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    sequence: Mapped[int] = mapped_column(BigInteger)
    """The last entry that was removed."""
    digest: Mapped[str] = mapped_column(String(64))
    pruned_at: Mapped[datetime]
    signature: Mapped[str]
    """Of the server, over sequence and digest."""
