"""Passwords at rest: AES-256-GCM, bound to the connection they belong to."""

import base64
import hashlib
import os

from modelwright.connections.errors import SealBroken

NONCE_BYTES = 12


class Seal:
    """Closes and opens secrets with one key, made of the operator's or the key file's secret."""

    def __init__(self, secret: bytes) -> None:
        self._key = hashlib.sha256(b"modelwright connections\n" + secret).digest()

    def close(self, text: str, owner: str) -> str:
        """Seals a text so that only its owner's row opens it."""
        # Kept out of the API's start-up.
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        nonce = os.urandom(NONCE_BYTES)
        sealed = AESGCM(self._key).encrypt(nonce, text.encode(), owner.encode())
        return base64.b64encode(nonce + sealed).decode()

    def open(self, sealed: str, owner: str) -> str:
        """Opens what was sealed; refuses what another key sealed, and what was changed."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - as above

        raw = base64.b64decode(sealed)
        try:
            text = AESGCM(self._key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], owner.encode())
        except InvalidTag:
            raise SealBroken from None
        return text.decode()
