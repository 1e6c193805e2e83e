"""Response bodies of signing."""

from typing import Literal

from modelwright.core.http.schemas import ResponseBody, Timestamp


class SigningKey(ResponseBody):
    """A public key that verifies what this server signed."""

    fingerprint: str
    algorithm: Literal["ed25519"] = "ed25519"
    public_key: str
    """32 bytes in base64."""
    created_at: Timestamp
    """When it was first used."""
    is_current: bool
    """Whether what is built now is signed with it."""


class SigningKeyList(ResponseBody):
    """The public keys of this server, the present one first."""

    keys: list[SigningKey]
