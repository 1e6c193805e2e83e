"""What the server signs with (Ed25519), derived from the secret that also seals.

Whoever verifies needs the public key alone. It changes with the secret; an earlier one verifies
what it signed for as long as its secret is kept or it was written down.
"""

import base64
import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass

PURPOSE = b"modelwright signing key 1"
KEY_ID_CHARACTERS = 16
"""Hexadecimal digits of a key's hash that name it: 64 bits."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What was signed with which key; both are texts."""

    key_id: str
    value: str
    """64 bytes in base64."""


class SigningKeys:
    """Signs with the present secret's key and recognises what earlier ones signed."""

    def __init__(self, secrets: Callable[[], Sequence[bytes]]) -> None:
        self._secrets = secrets

    def sign(self, message: bytes) -> Signature:
        """Signs a message with the present key."""
        seed = _seed(self._secrets()[0])
        value = base64.b64encode(_private(seed).sign(message)).decode()
        return Signature(key_id_of(_public(seed)), value)

    def public_keys(self) -> list[str]:
        """Returns the public keys in base64, the present one first."""
        return [_public(_seed(secret)) for secret in self._secrets()]

    def is_ours(self, message: bytes, value: str) -> bool:
        """Returns whether one of the keys signed a message."""
        return any(verifies(public, message, value) for public in self.public_keys())


def verifies(public_key: str, message: bytes, value: str) -> bool:
    """Returns whether a public key's owner signed a message; nonsense was signed by nobody."""
    # Kept out of the API's start-up.
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
        Ed25519PublicKey,
    )

    try:
        known = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key, validate=True))
        known.verify(base64.b64decode(value, validate=True), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def key_id_of(public_key: str) -> str:
    """Names a public key by the beginning of its SHA-256."""
    return hashlib.sha256(base64.b64decode(public_key)).hexdigest()[:KEY_ID_CHARACTERS]


def _seed(secret: bytes) -> bytes:
    return hmac.new(secret, PURPOSE, hashlib.sha256).digest()


def _private(seed: bytes):  # type: ignore[no-untyped-def]  # noqa: ANN202 - a type of a lazy import
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 - as above
        Ed25519PrivateKey,
    )

    return Ed25519PrivateKey.from_private_bytes(seed)


def _public(seed: bytes) -> str:
    return base64.b64encode(_private(seed).public_key().public_bytes_raw()).decode()
