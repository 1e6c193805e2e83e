"""Rows of API keys."""

from datetime import datetime

from sqlalchemy import JSON, String
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
    scopes: Mapped[list[str] | None] = mapped_column(JSON)
    """What it is narrowed to; null means all."""
    allowed_networks: Mapped[list[str] | None] = mapped_column(JSON)
    """Where it may come from, as CIDR; null means anywhere."""
    former_hash: Mapped[str | None] = mapped_column(String(64), unique=True, index=True)
    """Of the secret before the last rotation."""
    former_until: Mapped[datetime | None]
    """Until when that one works too."""
