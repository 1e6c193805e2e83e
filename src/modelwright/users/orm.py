"""Rows of accounts.

Accounts are deleted while jobs of theirs still run; a row of each deleted one lets late writers be
cleaned up after.
"""

from datetime import datetime

from sqlalchemy import BigInteger, String, Text, UniqueConstraint
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
    address: Mapped[str | None]
    user_agent: Mapped[str | None]
    """What the browser calls itself."""


class OidcIdentityRecord(AccountOwned, Base):
    """A person at a sign-in provider, and the account that is theirs."""

    __tablename__ = "oidc_identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    identity_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    issuer: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(String(255))
    """What the provider calls a person for good; e-mails go from one to another."""
    created_at: Mapped[datetime]


class SecondFactorRecord(AccountOwned, Base):
    """The secret of an account's one-time passwords, sealed; it counts once it is confirmed."""

    __tablename__ = "second_factors"
    __table_args__ = (UniqueConstraint("account_id"),)

    factor_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    sealed: Mapped[str] = mapped_column(Text)
    last_step: Mapped[int] = mapped_column(BigInteger)
    """Of the last code that was taken: it, and all before it, are used up."""
    created_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]


class RecoveryCodeRecord(AccountOwned, Base):
    """One code that stands in for a lost device; it is gone once it was used."""

    __tablename__ = "recovery_codes"

    code_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64))
