"""Bytes of one file to its pre-signed URL, a chunk at a time.

Files are larger than memory and connections break: it sends by pieces and goes on where the server
says it stopped.
"""

import hashlib
import mimetypes
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

from modelwright_client._http import HttpTransport
from modelwright_client.errors import ModelwrightError
from modelwright_client.types import DeclareFile, MissingPart

Progress = Callable[[str, int, int], None]
"""Called with a file's name, the bytes sent so far, and its size."""

CHUNK_BYTES = 1 << 20
"""Bytes that are read and sent at a time."""
CONTENT_TYPES = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".ndjson": "application/x-ndjson",
    ".parquet": "application/vnd.apache.parquet",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".gz": "application/gzip",
    ".zst": "application/zstd",
}


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was when it was declared."""

    path: Path
    size: int
    content_type: str

    @classmethod
    def of(cls, path: Path) -> Self:
        """Looks at a file.

        Args:
            path: A file.

        Returns:
            The file with its size in bytes and its content type, by its ending.

        Raises:
            OSError: It cannot be read.
        """
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
        guess = CONTENT_TYPES.get(path.suffix.lower()) or mimetypes.guess_type(path.name)[0]
        return cls(path, size, guess or "application/octet-stream")

    @property
    def declared(self) -> DeclareFile:
        """The file as it is declared to the server."""
        return {
            "filename": self.path.name,
            "content_type": self.content_type,
            "size_bytes": self.size,
        }

    def put(self, calls: HttpTransport, url: str, progress: Progress | None) -> None:
        """Streams the file to its URL; a broken connection starts it over.

        What was added since it was declared is left out; raises `ModelwrightError` when it got
        shorter.

        Args:
            calls: The connection to the server.
            url: The pre-signed address.
            progress: Told how much has been sent.
        """
        content = partial(self._chunks, progress, 0, self.size)
        calls.put_object(url, content, self.size, self.content_type)

    def put_part(self, calls: HttpTransport, part: MissingPart, progress: Progress | None) -> None:
        """Streams a stretch of the file to its URL, once; raises when the file got shorter.

        Args:
            calls: The connection to the server.
            part: From which byte to which, and the address.
            progress: Told how much has been sent.
        """
        start, end = part["start"], part["end"]
        content = partial(self._chunks, progress, start, end)
        url = part["presigned_url"]
        calls.put_object(url, content, end - start, self.content_type, repeat=False)

    def sha256(self) -> str:
        """Reads the file for its digest, in lower-case hexadecimal.

        Returns:
            The digest, 64 characters.
        """
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def _chunks(self, progress: Progress | None, start: int, end: int) -> Iterator[bytes]:
        sent = start
        with self.path.open("rb") as content:
            content.seek(start)
            while sent < end:
                chunk = content.read(min(CHUNK_BYTES, end - sent))
                if not chunk:
                    raise ModelwrightError(
                        f"{self.path} became shorter while it was sent; send it again."
                    )
                yield chunk
                sent += len(chunk)
                if progress:
                    progress(self.path.name, sent, self.size)
