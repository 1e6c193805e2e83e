"""Addresses that S3 itself checks: AWS Signature Version 4 in the query, with no request to sign.

Apart from the client library because that signs neither a body's length nor the name of a download.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote, urlsplit

from modelwright.core.clock import Clock
from modelwright.core.http.file_response import disposition
from modelwright.core.limits.contract import GB

LONGEST_SECONDS = 7 * 24 * 3600
"""How long S3 takes an address for at the most."""
PUT_BYTES = 5 * GB
"""The most that S3 takes in one PUT, whatever was signed."""
ALGORITHM = "AWS4-HMAC-SHA256"
_SAFE = "-_.~"


@dataclass(frozen=True, slots=True)
class Bucket:
    """Where a bucket is, and who may use it."""

    name: str
    url: str
    region: str
    access_key: str
    secret_key: str = field(repr=False)


class S3Signer:
    """Signs addresses of objects in a bucket."""

    def __init__(self, bucket: Bucket, clock: Clock) -> None:
        self._bucket = bucket
        self._clock = clock
        parts = urlsplit(bucket.url)
        self._host = parts.netloc.removesuffix(":443" if parts.scheme == "https" else ":80")
        self._base = f"{parts.scheme}://{self._host}"
        self._path = parts.path

    def sign_put(self, key: str, *, max_bytes: int, expires: datetime, base_url: str) -> str:
        """Makes an address that takes one object of exactly so many bytes.

        An address that may take as much as S3 takes in one PUT is signed for any length: a
        signature holds a length, never a ceiling.
        """
        del base_url
        headers = {} if max_bytes >= PUT_BYTES else {"content-length": str(max_bytes)}
        return self.address("PUT", key, expires, headers=headers)

    def sign_get(self, key: str, *, filename: str, expires: datetime, base_url: str) -> str:
        """Makes an address that gives one object away under a file name."""
        del base_url
        told = {
            "response-content-disposition": disposition(filename),
            "response-content-type": "application/octet-stream",
        }
        return self.address("GET", key, expires, query=told)

    def address(
        self,
        method: str,
        key: str,
        expires: datetime,
        *,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> str:
        """Makes the address of one request, which must carry the headers as they are here."""
        now = self._clock.now()
        stamp, day = now.strftime("%Y%m%dT%H%M%SZ"), now.strftime("%Y%m%d")
        scope = f"{day}/{self._bucket.region}/s3/aws4_request"
        signed = dict(sorted({**(headers or {}), "host": self._host}.items()))
        seconds = int((expires - now).total_seconds())
        asked = {
            "X-Amz-Algorithm": ALGORITHM,
            "X-Amz-Credential": f"{self._bucket.access_key}/{scope}",
            "X-Amz-Date": stamp,
            "X-Amz-Expires": str(min(max(seconds, 1), LONGEST_SECONDS)),
            "X-Amz-SignedHeaders": ";".join(signed),
            **(query or {}),
        }
        told = "&".join(sorted(f"{_quoted(name)}={_quoted(asked[name])}" for name in asked))
        path = quote(f"{self._path}/{key}", safe=f"/{_SAFE}")
        lines = [f"{name}:{value}\n" for name, value in signed.items()]
        request = [method, path, told, "".join(lines), ";".join(signed), "UNSIGNED-PAYLOAD"]
        digest = hashlib.sha256("\n".join(request).encode()).hexdigest()
        signature = self._hmac(day, f"{ALGORITHM}\n{stamp}\n{scope}\n{digest}")
        return f"{self._base}{path}?{told}&X-Amz-Signature={signature}"

    def _hmac(self, day: str, text: str) -> str:
        key = f"AWS4{self._bucket.secret_key}".encode()
        for word in (day, self._bucket.region, "s3", "aws4_request"):
            key = hmac.digest(key, word.encode(), "sha256")
        return hmac.digest(key, text.encode(), "sha256").hex()


def _quoted(text: str) -> str:
    return quote(text, safe=_SAFE)
