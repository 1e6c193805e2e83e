"""Addresses this server signs itself, for stores that cannot: one key, one method, until a moment.

HMAC-SHA256 over everything the address grants; whatever is changed in it no longer matches.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from modelwright.storage.domain import ByteRange
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
    start: int | None = None
    """Where the bytes belong in an object that comes in parts; None for a whole object."""


class UrlSigner:
    """Signs addresses and recognises its own."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def sign_put(self, key: str, *, max_bytes: int, expires: datetime, base_url: str) -> str:
        """Makes an address that takes one object of at most so many bytes, without a key."""
        return self._address(base_url, Grant("PUT", key, int(expires.timestamp()), max_bytes))

    def sign_parts(
        self, key: str, parts: Sequence[ByteRange], *, expires: datetime, base_url: str
    ) -> list[str]:
        """Makes an address for each of some parts of an object, without a key."""
        moment = int(expires.timestamp())
        grants = [Grant("PUT", key, moment, p.end - p.start, start=p.start) for p in parts]
        return [self._address(base_url, grant) for grant in grants]

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
        query = {name: str(value) for name, value in _members(grant).items() if value != ""}
        del query["key"]
        query["signature"] = self._signature(grant)
        return f"{base_url}{MOUNT}/{quote(grant.key)}?{urlencode(query)}"

    def _signature(self, grant: Grant) -> str:
        granted = json.dumps(_members(grant), sort_keys=True).encode()
        return hmac.new(self._secret, granted, hashlib.sha256).hexdigest()


def _members(grant: Grant) -> dict[str, Any]:
    """Returns what an address says; what is not granted of a part is not said."""
    return {name: value for name, value in asdict(grant).items() if value is not None}


def _presented(key: str, query: Mapping[str, str]) -> Grant | None:
    try:
        expires, max_bytes = int(query.get("expires", "")), int(query.get("max_bytes", "0"))
        start = int(query["start"]) if "start" in query else None
    except ValueError:
        return None
    method, filename = query.get("method", ""), query.get("filename", "")
    return Grant(method, key, expires, max_bytes, filename, start)
