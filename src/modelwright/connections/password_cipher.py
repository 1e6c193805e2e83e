"""Passwords at rest, each bound to the connection it belongs to."""

from collections.abc import Callable, Sequence

from modelwright.connections.errors import PasswordUnreadable
from modelwright.core.config.sealing import SealBrokenError, Sealer


class PasswordCipher:
    """Closes with the first of some secrets, and opens with any: the operator's, or key files'."""

    def __init__(self, secrets: Callable[[], Sequence[bytes]]) -> None:
        self._sealer = Sealer(secrets, b"modelwright connections\n")
        self.close = self._sealer.close

    def open(self, sealed: str, owner: str) -> str:
        """Opens what was sealed; refuses what an unknown key sealed, and what was changed."""
        try:
            return self._sealer.open(sealed, owner)
        except SealBrokenError:
            raise PasswordUnreadable from None
