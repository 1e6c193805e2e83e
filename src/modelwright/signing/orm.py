"""Rows of public keys."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import Base


class SigningKeyRecord(Base):
    """A public key that something was signed with; it stays when the secret is rotated."""

    __tablename__ = "signing_keys"

    key_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    public_key: Mapped[str]
    """32 bytes in base64."""
    created_at: Mapped[datetime]
