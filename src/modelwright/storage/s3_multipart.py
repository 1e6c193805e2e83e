"""Objects that come to a bucket in parts: S3's multipart uploads, begun, listed and completed here.

Apart from the client library because that neither lists parts nor goes on with an upload. All that
is known of one lies in the bucket, so that any server goes on where another one stopped.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from html import unescape
from http import HTTPStatus

import httpx

from modelwright.core.clock import Clock
from modelwright.core.logging import logger
from modelwright.storage.domain import PART_BYTES, ByteRange, split
from modelwright.storage.errors import ObjectMissing, PartsMissing, StorageUnavailable
from modelwright.storage.s3_bucket import ERROR_CODE
from modelwright.storage.s3_signing import S3Signer

SIGNED_FOR = timedelta(minutes=5)
"""How long a request of the server itself is signed for."""
QUICK = httpx.Timeout(5.0)
"""Seconds; some requests are made while the database waits."""
JOINING = httpx.Timeout(5.0, read=300.0)
"""Seconds; a storage may take minutes to put the parts of a large file together."""
MOST_PARTS = 10_000
"""How many parts S3 lists, and takes, of one object at the most."""

_UPLOAD = re.compile(
    r"<Upload>.*?<Key>(?P<key>.*?)</Key>.*?<UploadId>(?P<id>.*?)</UploadId>.*?</Upload>", re.DOTALL
)
_PART = re.compile(r"<Part>(?P<told>.*?)</Part>", re.DOTALL)
_MEMBER = re.compile(r"<(?P<name>PartNumber|ETag|Size)>(?P<value>.*?)</(?P=name)>")
_ID = re.compile(r"<UploadId>(.*?)</UploadId>")
_MARKER = re.compile(r"<NextPartNumberMarker>(\d+)</NextPartNumberMarker>")
_TRUNCATED = "<IsTruncated>true</IsTruncated>"


class S3Multipart:
    """Multipart uploads of one bucket, by the paths of their objects."""

    def __init__(self, signer: S3Signer, clock: Clock) -> None:
        self._signer = signer
        self._clock = clock

    def missing(self, path: str, size: int) -> list[ByteRange]:
        """Lists the parts that have not come, or not whole."""
        upload = self._find(path)
        have = {} if upload is None else self._etags(path, upload, size)
        return [part for part in split(0, size, PART_BYTES) if _number(part) not in have]

    def sign(self, path: str, parts: Sequence[ByteRange], expires: datetime) -> list[str]:
        """Makes an address for each part, of exactly its bytes; begins the upload where need be."""
        upload = self._find(path) or self._begin(path)
        return [
            self._signer.address(
                "PUT",
                path,
                expires,
                headers={"content-length": str(part.end - part.start)},
                query={"partNumber": str(_number(part)), "uploadId": upload},
            )
            for part in parts
        ]

    def complete(self, path: str, size: int) -> None:
        """Makes the object of its parts; refuses one of which some are missing."""
        upload = self._find(path)
        etags = {} if upload is None else self._etags(path, upload, size)
        parts = split(0, size, PART_BYTES)
        missing = [part for part in parts if _number(part) not in etags]
        if upload is None or missing:
            raise PartsMissing(missing or parts)
        listed = "".join(
            f"<Part><PartNumber>{number}</PartNumber><ETag>{etag}</ETag></Part>"
            for number, etag in sorted(etags.items())
        )
        body = f"<CompleteMultipartUpload>{listed}</CompleteMultipartUpload>"
        self._ask("POST", path, {"uploadId": upload}, body)

    def abort(self, prefix: str) -> None:
        """Removes what has come of the objects whose paths begin so."""
        for path, upload in self._listed(prefix):
            self._ask("DELETE", path, {"uploadId": upload})

    def _begin(self, path: str) -> str:
        found = _ID.search(self._ask("POST", path, {"uploads": ""}))
        if found is None:
            raise StorageUnavailable("NoUploadId")
        # Of two that began one at once both go on with the first, which is what later ones find.
        return self._find(path) or unescape(found[1])

    def _find(self, path: str) -> str | None:
        return next((upload for key, upload in self._listed(path) if key == path), None)

    def _listed(self, prefix: str) -> list[tuple[str, str]]:
        answer = self._ask("GET", "", {"uploads": "", "prefix": prefix})
        return [(unescape(one["key"]), unescape(one["id"])) for one in _UPLOAD.finditer(answer)]

    def _etags(self, path: str, upload: str, size: int) -> dict[int, str]:
        """Tells the tags of the parts that are as large as they must be, by number."""
        whole = {_number(part): part.end - part.start for part in split(0, size, PART_BYTES)}
        found: dict[int, str] = {}
        marker = "0"
        while True:
            query = {"uploadId": upload, "part-number-marker": marker}
            answer = self._ask("GET", path, query)
            for one in _PART.finditer(answer):
                told = {part["name"]: part["value"] for part in _MEMBER.finditer(one["told"])}
                number = int(told["PartNumber"])
                if whole.get(number) == int(told["Size"]):
                    found[number] = told["ETag"]
            after = _MARKER.search(answer)
            if _TRUNCATED not in answer or after is None or int(after[1]) >= MOST_PARTS:
                return found
            marker = after[1]

    def _ask(self, method: str, path: str, query: dict[str, str], body: str = "") -> str:
        address = self._signer.address(method, path, self._clock.now() + SIGNED_FOR, query=query)
        try:
            timeout = JOINING if body else QUICK
            answer = httpx.request(method, address, content=body.encode(), timeout=timeout)
        except httpx.TransportError as fault:
            logger().warning("storage.away", why=type(fault).__name__)
            raise StorageUnavailable(type(fault).__name__) from None
        code = ERROR_CODE.search(answer.text)
        why = code[1] if code else str(answer.status_code)
        if answer.status_code == HTTPStatus.NOT_FOUND and why != "NoSuchBucket":
            raise ObjectMissing(path)
        if answer.status_code >= HTTPStatus.MULTIPLE_CHOICES or code:  # 200 may hold an error too
            logger().warning("storage.away", why=why)
            raise StorageUnavailable(why)
        return answer.text


def _number(part: ByteRange) -> int:
    return part.start // PART_BYTES + 1
