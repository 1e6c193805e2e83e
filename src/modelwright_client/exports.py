"""Exports of uploads as files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.arguments import refuse_misread
from modelwright_client.polling import until_made
from modelwright_client.types import Export, ExportedFile


class Exports(Resource):
    """Exports of uploads as files."""

    def create(
        self,
        upload_id: str,
        *,
        files: Sequence[str] | None = None,
        format: Literal["csv", "json", "parquet"] | None = None,  # noqa: A002 - the contract's word
        include_headers: bool | None = None,
        email_notification: bool | None = None,
    ) -> Export:
        """Starts an export of all files of an upload, or of those named, in their own format.

        Args:
            upload_id: Id of the upload.
            files: Names of the files; all of them without it.
            format: csv, json or parquet; else each file keeps its own.
            include_headers: Whether the first line of a CSV names the columns.
            email_notification: Whether to write to the account when it is ready.

        Returns:
            The export, still being made; `wait` takes its id.
        """
        refuse_misread("files", files, Sequence[str])
        body = {
            "upload_id": upload_id,
            "files": files,
            "format": format,
            "include_headers": include_headers,
            "email_notification": email_notification,
        }
        return self._calls.post("/data/export", Export, drop_none(body))

    def read(self, export_id: str) -> Export:
        """Shows the state of an export and the addresses of its files.

        Args:
            export_id: Id of the export.

        Returns:
            Status, and once it is complete the files with their addresses.
        """
        return self._calls.get(path("data", "export", export_id), Export)

    def wait(self, export_id: str, *, timeout: float | None = None) -> Export:
        """Waits until the files are ready; `JobFailedError` carries the reason when they are not.

        Args:
            export_id: Id of the export.
            timeout: Seconds to wait at most; without it there is no end.

        Returns:
            The completed export.
        """
        return until_made(lambda: self.read(export_id), what=f"Export {export_id}", timeout=timeout)

    def download(self, file: ExportedFile, target: Path | str) -> Path:
        """Downloads an exported file in constant memory, into a file or a folder.

        Args:
            file: One of the `files` of a completed export.
            target: A file, or a folder to put it in.

        Returns:
            Where the file was written.
        """
        refuse_misread("file", file, ExportedFile)
        where, name = file["download_url"], file["filename"]
        return self._calls.download(where, Path(target), name, signed=False)
