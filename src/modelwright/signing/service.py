"""Signs with the server's key and remembers the public keys, earlier ones too."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.config.signing_keys import Signature, SigningKeys, key_id_of
from modelwright.core.db.queries import insert_if_absent
from modelwright.signing import repository
from modelwright.signing.orm import SigningKeyRecord


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that verifies what this server signed."""

    fingerprint: str
    public_key: str
    created_at: datetime
    """When it was first used."""
    is_current: bool


@dataclass(eq=False)
class Signing:
    """Signs model artifacts and publishes the public keys."""

    keys: SigningKeys
    clock: Clock

    def sign(self, db: Session, message: bytes) -> Signature:
        """Signs a message and notes the key's public half."""
        self._note(db)
        return self.keys.sign(message)

    def public_keys(self, db: Session) -> list[PublicKey]:
        """Lists the public keys that something was signed with, and the present one, first."""
        current = self.keys.public_keys()[0]
        found = {
            row.key_id: PublicKey(row.key_id, row.public_key, row.created_at, is_current=False)
            for row in repository.list_(db)
        }
        known = found.pop(key_id_of(current), None)
        since = known.created_at if known else self.clock.now()
        first = PublicKey(key_id_of(current), current, since, is_current=True)
        return [first, *found.values()]

    def _note(self, db: Session) -> None:
        current = self.keys.public_keys()[0]
        if repository.find(db, key_id_of(current)) is None:
            row = SigningKeyRecord(
                key_id=key_id_of(current), public_key=current, created_at=self.clock.now()
            )
            insert_if_absent(db, row)
