"""Addresses this server signs itself, for stores that cannot: one key, one method, until a moment.

HMAC-SHA256 over everything the address grants; whatever is changed in it no longer matches.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from urllib.parse import quote, urlencode

from modelwright.storage.errors import AddressExpired, AddressRefused

MOUNT = "/storage"


@dataclass(frozen=True, slots=True)
class Grant:
    """What an address allows."""

    method: str
    key: str
    expires: int
    """Epoch second."""
    max_bytes: int = 0
    filename: str = ""


class UrlSigner:
    """Signs addresses and recognises its own."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def sign_put(self, key: str, *, max_bytes: int, expires: datetime, base_url: str) -> str:
        """Makes an address that takes one object of at most so many bytes, without a key."""
        return self._address(base_url, Grant("PUT", key, int(expires.timestamp()), max_bytes))

    def sign_get(self, key: str, *, filename: str, expires: datetime, base_url: str) -> str:
        """Makes an address that gives one object away under a file name, without a key."""
        grant = Grant("GET", key, int(expires.timestamp()), filename=filename)
        return self._address(base_url, grant)

    def recognise(self, method: str, key: str, query: Mapping[str, str], now: datetime) -> Grant:
        """Reads what a presented address grants; refuses one changed, expired or of other use."""
        grant = _presented(key, query)
        signature = query.get("signature", "").encode()
        if grant is None or not hmac.compare_digest(signature, self._signature(grant).encode()):
            raise AddressRefused("This address was not signed by this server, or was changed.")
        if method != grant.method and (method, grant.method) != ("HEAD", "GET"):
            raise AddressRefused(f"This address was signed for {grant.method}, not for {method}.")
        if now.timestamp() >= grant.expires:
            raise AddressExpired("This address has expired; ask for a new one.")
        return grant

    def _address(self, base_url: str, grant: Grant) -> str:
        query = {name: str(value) for name, value in asdict(grant).items() if value}
        del query["key"]
        query["signature"] = self._signature(grant)
        return f"{base_url}{MOUNT}/{quote(grant.key)}?{urlencode(query)}"

    def _signature(self, grant: Grant) -> str:
        granted = json.dumps(asdict(grant), sort_keys=True).encode()
        return hmac.new(self._secret, granted, hashlib.sha256).hexdigest()


def _presented(key: str, query: Mapping[str, str]) -> Grant | None:
    try:
        expires, max_bytes = int(query.get("expires", "")), int(query.get("max_bytes", "0"))
    except ValueError:
        return None
    return Grant(query.get("method", ""), key, expires, max_bytes, query.get("filename", ""))
