"""Rows of usage."""

from datetime import datetime

from sqlalchemy import Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base


class UsageRecord(AccountOwned, Base):
    """What one account used of one kind by one key within one hour."""

    __tablename__ = "usage"
    __table_args__ = (
        UniqueConstraint("account_id", "hour", "kind", "key_id"),
        Index("ix_usage_key_id_hour", "key_id", "hour"),
    )

    usage_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    hour: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(40))
    key_id: Mapped[str] = mapped_column(String(64), default="")
    """Empty where no key was used, such as for background work."""
    quantity: Mapped[float]
    last_at: Mapped[datetime]
