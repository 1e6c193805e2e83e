"""Every query of the feature."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.signing.orm import SigningKeyRecord


def find(db: Session, key_id: str) -> SigningKeyRecord | None:
    """Finds a public key."""
    return db.get(SigningKeyRecord, key_id)


def list_(db: Session) -> Sequence[SigningKeyRecord]:
    """Lists public keys, newest first."""
    row = SigningKeyRecord
    return db.scalars(select(row).order_by(row.created_at.desc(), row.key_id)).all()
