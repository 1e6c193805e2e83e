"""Rows of API keys."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base


class ApiKeyRecord(AccountOwned, Base):
    """One key; its secret is only here as a hash."""

    __tablename__ = "api_keys"

    key_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str]
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    prefix: Mapped[str]
    suffix: Mapped[str]
    level: Mapped[str]
    status: Mapped[str]
    created_by: Mapped[str]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
