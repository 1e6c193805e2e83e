"""Bytes of one file to its pre-signed URL, a chunk at a time."""

import mimetypes
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from modelwright_client._http import HttpTransport
from modelwright_client.errors import ModelwrightError
from modelwright_client.types import DeclareFile

Progress = Callable[[str, int, int], None]
"""Called with a file's name, the bytes sent so far, and its size."""

CHUNK = 1 << 20
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
        """Looks at a file; raises `OSError` when it cannot be read."""
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
        guess = CONTENT_TYPES.get(path.suffix.lower()) or mimetypes.guess_type(path.name)[0]
        return cls(path, size, guess or "application/octet-stream")

    @property
    def declared(self) -> DeclareFile:
        """The file as the server is told of it."""
        return {
            "filename": self.path.name,
            "content_type": self.content_type,
            "size_bytes": self.size,
        }

    def put(self, calls: HttpTransport, url: str, progress: Progress | None) -> None:
        """Streams the file to its URL; a broken connection starts it over.

        What was added since it was declared is left out; raises `ModelwrightError` when it got
        shorter.
        """
        calls.put_object(url, lambda: self._chunks(progress), self.size, self.content_type)

    def _chunks(self, progress: Progress | None) -> Iterator[bytes]:
        sent = 0
        with self.path.open("rb") as content:
            while sent < self.size:
                chunk = content.read(min(CHUNK, self.size - sent))
                if not chunk:
                    raise ModelwrightError(f"{self.path} became shorter while it was sent.")
                yield chunk
                sent += len(chunk)
                if progress:
                    progress(self.path.name, sent, self.size)
