"""Rows of the audit log."""

from datetime import datetime

from sqlalchemy import String
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
    """Room and verb, such as `keys.revoke`."""
    resource: Mapped[str]
    path: Mapped[str]
    address: Mapped[str]
    request_id: Mapped[str]
