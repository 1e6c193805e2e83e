"""Rows of accounts."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base


class UserRecord(Base):
    """One account; `user_id` is the `account_id` of everything it owns."""

    __tablename__ = "users"

    user_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    name: Mapped[str]
    user_name: Mapped[str]
    tier: Mapped[str]
    is_operator: Mapped[bool]
    is_active: Mapped[bool]
    credits: Mapped[int]
    password_hash: Mapped[str | None]
    """Of the console's sign-in; null for accounts that only have keys."""
    created_at: Mapped[datetime]


class DeletedAccountRecord(Base):
    """A deleted account, of which late writers may leave something until a moment."""

    __tablename__ = "departed_accounts"

    account_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    until: Mapped[datetime]


class ConsoleSessionRecord(AccountOwned, Base):
    """One browser that is signed in to the console."""

    __tablename__ = "console_sessions"

    session_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    last_seen_at: Mapped[datetime] = mapped_column(index=True)
