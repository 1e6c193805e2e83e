"""Files made to be taken away."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from modelwright_client._http import Calls, given, path
from modelwright_client.polling import until_made
from modelwright_client.types import Export, ExportedFile


class Exports:
    """Verbs of the exports room."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(
        self,
        upload_id: str,
        *,
        files: Sequence[str] | None = None,
        format: Literal["csv", "json", "parquet"] | None = None,  # noqa: A002 - the contract's word
        include_headers: bool | None = None,
        email_notification: bool | None = None,
    ) -> Export:
        """Starts an export of all files of an upload, or of those named, in their own format."""
        body = {
            "upload_id": upload_id,
            "files": files,
            "format": format,
            "include_headers": include_headers,
            "email_notification": email_notification,
        }
        return self._calls.post("/data/export", Export, given(body))

    def read(self, export_id: str) -> Export:
        """Shows how far an export is, and the addresses of its files."""
        return self._calls.get(path("data", "export", export_id), Export)

    def wait(self, export_id: str, *, timeout: float | None = None) -> Export:
        """Waits until the files are there; `FailedError` carries the reason when they are not."""
        return until_made(lambda: self.read(export_id), what=f"Export {export_id}", timeout=timeout)

    def download(self, file: ExportedFile, target: Path | str) -> Path:
        """Fetches one exported file in constant memory, into a file or a folder."""
        where, name = file["download_url"], file["filename"]
        return self._calls.download(where, Path(target), name, signed=False)
