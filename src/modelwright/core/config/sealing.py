"""Secrets at rest: AES-256-GCM, bound to the row they belong to."""

import base64
import hashlib
import os
from collections.abc import Callable, Sequence

SEALING = "sealing"
"""The lock that is held while something is sealed, so that nothing is while the secret changes."""
NONCE_BYTES = 12
"""Bytes of the nonce of AES-GCM."""


class SealBrokenError(ValueError):
    """No known secret opens this, or it was changed."""


class Sealer:
    """Closes with the first of some secrets, and opens with any: the operator's, or key files'."""

    def __init__(self, secrets: Callable[[], Sequence[bytes]], purpose: bytes) -> None:
        self._secrets = secrets
        self._purpose = purpose

    def close(self, text: str, owner: str) -> str:
        """Seals a text so that only its owner's row opens it."""
        # Kept out of the API's start-up.
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        nonce, key = os.urandom(NONCE_BYTES), self._key(self._secrets()[0])
        sealed = AESGCM(key).encrypt(nonce, text.encode(), owner.encode())
        return base64.b64encode(nonce + sealed).decode()

    def open(self, sealed: str, owner: str) -> str:
        """Opens what was sealed; refuses what an unknown key sealed, and what was changed."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - as above

        raw = base64.b64decode(sealed)
        nonce, closed = raw[:NONCE_BYTES], raw[NONCE_BYTES:]
        for secret in self._secrets():
            try:
                return AESGCM(self._key(secret)).decrypt(nonce, closed, owner.encode()).decode()
            except InvalidTag:
                continue
        raise SealBrokenError

    def _key(self, secret: bytes) -> bytes:
        return hashlib.sha256(self._purpose + secret).digest()
