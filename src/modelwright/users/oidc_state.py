"""A browser's way to the sign-in provider and back, remembered in its cookie alone.

State, nonce and the PKCE verifier are made from one secret that only this browser has, so the
server keeps nothing, and whoever returns without it did not begin here.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote, unquote

HOME_PAGE = "/console/"
SECRET_BYTES = 32
"""Random bytes of a state or nonce."""


@dataclass(frozen=True, slots=True)
class OidcState:
    """One try to sign in."""

    secret: str
    back_to: str
    """The console's page to show afterwards."""

    @classmethod
    def begin(cls, back_to: str) -> "OidcState":
        """Makes a trip; leads home where the page is none of the console's."""
        return cls(secrets.token_urlsafe(SECRET_BYTES), _page(back_to))

    @classmethod
    def read(cls, cookie: str) -> "OidcState":
        """Reads a trip from its cookie."""
        secret, _, back_to = cookie.partition(".")
        return cls(secret, _page(unquote(back_to)))

    @property
    def cookie(self) -> str:
        """What the browser keeps."""
        return f"{self.secret}.{quote(self.back_to, safe='')}"

    @property
    def state(self) -> str:
        """What the provider hands back unchanged."""
        return self._part("state")

    @property
    def nonce(self) -> str:
        """What the provider's token must hold."""
        return self._part("nonce")

    @property
    def verifier(self) -> str:
        """What the code is exchanged with (RFC 7636)."""
        return self._part("verifier")

    @property
    def challenge(self) -> str:
        """What the provider holds the verifier against."""
        return _spelt(sha256(self.verifier.encode()).digest())

    def is_of(self, state: str) -> bool:
        """Returns whether a state is this trip's."""
        return bool(self.secret) and hmac.compare_digest(state.encode(), self.state.encode())

    def _part(self, name: str) -> str:
        return _spelt(hmac.new(self.secret.encode(), name.encode(), sha256).digest())


def _page(path: str) -> str:
    is_ours = path.startswith(HOME_PAGE) and path.isprintable() and path.isascii()
    return path if is_ours and "\\" not in path and " " not in path else HOME_PAGE


def _spelt(digest: bytes) -> str:
    return urlsafe_b64encode(digest).decode().rstrip("=")
