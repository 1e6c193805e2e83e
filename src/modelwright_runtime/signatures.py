"""Verifies that an artifact is as the server that built it signed it (Ed25519, RFC 8032).

The signature lies in the manifest, which holds the hash of every other member.
"""

import base64
import json
from collections.abc import Sequence
from typing import Any

MEMBER = "signature"
"""The manifest's member of the signature; readers of earlier versions pass it over."""
PREFIX = b"modelwright artifact 1\n"
Json = dict[str, Any]


def signed_message(manifest: Json) -> bytes:
    """Returns what is signed of a manifest: all but the signature itself.

    Args:
        manifest: The manifest as it was read.

    Returns:
        Bytes that are the same for the same manifest, however it is laid out.
    """
    covered = {name: value for name, value in manifest.items() if name != MEMBER}
    return PREFIX + json.dumps(covered, sort_keys=True, separators=(",", ":")).encode()


def check(manifest: Json, public_keys: Sequence[str]) -> None:
    """Refuses a manifest that none of some keys signed.

    Args:
        manifest: The manifest as it was read.
        public_keys: Ed25519 public keys in base64; one is enough.

    Raises:
        ValueError: It has no signature, another one, or a key is none; says which.
    """
    signature = manifest.get(MEMBER)
    value = str(signature.get("value", "")) if isinstance(signature, dict) else ""
    if not value:
        raise ValueError(
            "it is not signed: it was built before artifacts were, or its signature was removed"
        )
    message = signed_message(manifest)
    if not any(_verifies(key, message, value) for key in public_keys):
        raise ValueError(
            "its signature is not of the server whose key was given, or it was changed since"
        )


def _verifies(public_key: str, message: bytes, value: str) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - only who asks
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 - as above
            Ed25519PublicKey,
        )
    except ImportError:
        raise ValueError(
            "signatures are verified with the package cryptography: pip install cryptography"
        ) from None
    try:
        known = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key, validate=True))
    except ValueError:
        raise ValueError(f"{public_key!r} is no Ed25519 public key in base64") from None
    try:
        known.verify(base64.b64decode(value, validate=True), message)
    except (InvalidSignature, ValueError):
        return False
    return True
