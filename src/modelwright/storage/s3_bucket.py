"""What is asked of a bucket, request by request, and what its refusals mean."""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import BaseError, PermissionDeniedError
from obstore.store import S3Store

from modelwright.core.logging import logger
from modelwright.storage.errors import ObjectMissing, StorageUnavailable
from modelwright.storage.s3_signing import Bucket

if TYPE_CHECKING:
    from obstore import GetOptions, GetResult, ObjectMeta
    from obstore.store import ClientConfig, RetryConfig, S3Credential

CONNECTING = timedelta(seconds=3)
"""How long a connection may take."""
SHORT: "ClientConfig" = {"timeout": timedelta(seconds=5), "connect_timeout": CONNECTING}
"""How long a request may take that moves no file; some are made while the database waits."""
LONG: "ClientConfig" = {
    "timeout": timedelta(hours=2),
    "read_timeout": timedelta(seconds=30),
    "connect_timeout": CONNECTING,
}
"""How long moving a file may take, and its pauses."""
COPYING: "ClientConfig" = LONG | {"read_timeout": timedelta(minutes=5)}
"""How long a copy within the bucket may take; one of 5 GB is one pause."""
RETRY: "RetryConfig" = {
    "max_retries": 3,
    "retry_timeout": timedelta(seconds=5),
    "backoff": {"max_backoff": timedelta(seconds=1)},
}
"""How often, and for how long, what failed is asked again."""
AWAY_SECONDS = 3.0
"""How long a bucket that gave no answer is taken to be away: what is asked of it meanwhile is
refused at once, so that not every caller waits for it, one after the other."""
PART_BYTES = 16 * 1024 * 1024
"""Files above this go in parts of this size."""
PARTS_AT_ONCE = 4
"""Parts of a file that are sent at once, and in memory."""

ERROR_CODE = re.compile(r"<Code>(\w+)</Code>")
"""What a refusal of S3 is called, in its body."""


class S3Bucket:
    """One bucket; refuses what is not there, and everything else as away."""

    def __init__(self, bucket: Bucket) -> None:
        self._quick = _store(bucket, SHORT)
        self._slow = _store(bucket, LONG)
        self._copying = _store(bucket, COPYING)
        self._away_until = 0.0

    def head(self, path: str) -> "ObjectMeta | None":
        """Tells what is known of an object, or None where there is none."""
        try:
            with self._told(path):
                return obstore.head(self._quick, path)
        except ObjectMissing:
            return None

    def list(self, prefix: str) -> "Sequence[ObjectMeta]":
        """Lists what is stored under a prefix."""
        with self._told(prefix):
            return obstore.list(self._quick, prefix).collect()

    def paths(self) -> Iterator[str]:
        """Lists all that is stored in pieces, so that a look at the first costs little."""
        with self._told("these"):
            for metas in obstore.list(self._quick, chunk_size=50):
                yield from (meta["path"] for meta in metas)

    def get(self, path: str, options: "GetOptions | None" = None) -> "GetResult":
        """Begins to read an object; refuses a missing one."""
        with self._told(path):
            return obstore.get(self._slow, path, options=options)

    def pieces(self, path: str, found: "GetResult", size: int) -> Iterator[memoryview]:
        """Reads on in pieces of at most a size."""
        with self._told(path):
            for chunk in found.stream(min_chunk_size=size):
                view = memoryview(chunk)
                for at in range(0, len(view), size):
                    yield view[at : at + size]

    def put(self, path: str, source: Path | bytes) -> None:
        """Stores an object, whole or not at all."""
        with self._told(path):
            obstore.put(
                self._quick if isinstance(source, bytes) else self._slow,
                path,
                source,
                chunk_size=PART_BYTES,
                max_concurrency=PARTS_AT_ONCE,
            )

    def copy(self, source: str, target: str) -> None:
        """Stores an object once more within the bucket; refuses a missing one."""
        with self._told(source):
            obstore.copy(self._copying, source, target)

    def delete(self, paths: Sequence[str]) -> None:
        """Removes objects; missing ones are no fault."""
        try:
            with self._told("these"):
                obstore.delete(self._quick, paths)
        except ObjectMissing:  # S3 does not say so, others do, and leave the rest
            if len(paths) > 1:
                for path in paths:
                    self.delete([path])

    @contextmanager
    def _told(self, path: str) -> Iterator[None]:
        if time.monotonic() < self._away_until:
            raise StorageUnavailable("It gave no answer a moment ago.")
        try:
            yield
        except (BaseError, FileNotFoundError) as fault:
            why, is_answer = _why(fault)
            if isinstance(fault, FileNotFoundError) and why != "NoSuchBucket":
                raise ObjectMissing(path) from None
            logger().warning("storage.away", why=why)
            if not is_answer:
                self._away_until = time.monotonic() + AWAY_SECONDS
            raise StorageUnavailable(why) from None


def _store(bucket: Bucket, timeouts: "ClientConfig") -> S3Store:
    """Makes the client; what it would read from its own environment variables is said here."""

    def credential() -> "S3Credential":
        return {
            "access_key_id": bucket.access_key,
            "secret_access_key": bucket.secret_key,
            "token": None,
            "expires_at": None,
        }

    return S3Store(
        bucket.name,
        # With the bucket's own address no second rule decides between host and path.
        aws_endpoint_url_s3=bucket.url,
        virtual_hosted_style_request=True,
        region=bucket.region,
        credential_provider=credential,
        skip_signature=False,
        disable_bulk_delete=True,  # not every such storage has it
        client_options={"allow_http": bucket.url.startswith("http:"), **timeouts},
        retry_config=RETRY,
    )


def _why(fault: Exception) -> tuple[str, bool]:
    """Says in S3's own word, else in the client's last one, what went wrong.

    Says too whether S3 answered: then what it is asked next may well be done.
    """
    text = str(fault)
    code = ERROR_CODE.search(text)
    if code:
        return code[1], True
    if isinstance(fault, PermissionDeniedError):
        return "AccessDenied", True
    why = text.partition("\n")[0].rpartition(" - ")[2].strip()
    return why, isinstance(fault, FileNotFoundError)
