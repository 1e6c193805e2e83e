"""Files on their way in: declare, send, confirm, wait; and what became of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Unpack, cast

from modelwright_client._http import HttpTransport, drop_none, path
from modelwright_client.errors import ForbiddenError, UnauthorizedError
from modelwright_client.file_upload import Progress, Source
from modelwright_client.polling import until_made
from modelwright_client.types import (
    DeclareFile,
    FileOptions,
    ListedFile,
    PlacedFile,
    RecordPreview,
    ResumableList,
    TablePreview,
    UploadCreated,
    UploadDeleted,
    UploadDetail,
    UploadList,
    UploadsStatus,
    UploadStanding,
)


class Uploads:
    """Files sent to the server."""

    def __init__(self, calls: HttpTransport) -> None:
        self._calls = calls

    def create(
        self,
        files: Sequence[DeclareFile],
        *,
        name: str | None = None,
        description: str | None = None,
    ) -> UploadCreated:
        """Declares 1 to 50 files and gets a pre-signed URL for each.

        Args:
            files: Name, type and size of each file.
            name: Name for people.
            description: What it is for, in words.
        """
        body = drop_none({"name": name, "description": description, "files": list(files)})
        return self._calls.post("/data/upload", UploadCreated, body)

    def confirm(
        self,
        upload_id: str,
        files: Sequence[ListedFile],
        *,
        status: Literal["complete", "failed"] = "complete",
    ) -> UploadStanding:
        """Says that every declared file was sent, or with `failed` that the upload is given up.

        Args:
            upload_id: Id of the upload.
            files: Name and object key of each file that was sent.
            status: `failed` gives the upload up.
        """
        body = {"upload_id": upload_id, "status": status, "files": list(files)}
        return self._calls.post("/uploads/status", UploadStanding, body)

    def reparse(
        self, upload_id: str, filename: str, **options: Unpack[FileOptions]
    ) -> UploadStanding:
        """Reads a stored file again in another way, as a new upload and version of its dataset.

        Args:
            upload_id: the upload that has the file; it stays as it is.
            filename: the file.
            **options: `sheet`, `delimiter`, `encoding`, `header_rows`, `skip_rows`, `types` (of
                columns), `decimal` and `null_values`; what is left out is guessed.

        Returns:
            The new upload's id and status; `wait` waits until it is complete.

        Raises:
            ConflictError: the upload is not processed yet, or its files never came.
            NotFoundError: there is no such upload or file.
        """
        where = path("uploads", upload_id, "files", filename, "reparse")
        return self._calls.post(where, UploadStanding, dict(options))

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: UploadsStatus | None = None,
        name: str | None = None,
        sort: Literal["created_at", "status"] | None = None,
        order: Literal["asc", "desc"] | None = None,
    ) -> UploadList:
        """Lists the account's uploads; with `name` those that have it in theirs, in any case.

        Args:
            limit: How many entries at most.
            offset: How many entries to skip.
            status: Only those in this state.
            name: Only those whose name has this in it, in any case.
            sort: created_at or status.
            order: asc or desc.
        """
        query = {"limit": limit, "offset": offset, "status": status, "name": name}
        query |= {"sort": sort, "order": order}
        return self._calls.get("/uploads", UploadList, query)

    def resume(
        self,
        *,
        upload_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        status: UploadsStatus | None = None,
    ) -> ResumableList:
        """Lists uploads with a fresh `presigned_url` for each file that has not arrived.

        Args:
            upload_id: Only this one.
            limit: How many entries at most.
            offset: How many entries to skip.
            status: Only those in this state.
        """
        query = {"upload_id": upload_id, "limit": limit, "offset": offset, "status": status}
        return self._calls.get("/data/upload", ResumableList, query)

    def read(self, upload_id: str) -> UploadDetail:
        """Shows one upload with the columns of its files.

        Args:
            upload_id: Id of the upload.
        """
        return self._calls.get(path("uploads", upload_id), UploadDetail)

    def delete(self, upload_id: str) -> UploadDeleted:
        """Deletes an upload; refused with `ConflictError` while a model uses it.

        Args:
            upload_id: Id of the upload.
        """
        return self._calls.delete(path("uploads", upload_id), UploadDeleted)

    def preview(
        self, upload_id: str, filename: str, *, limit: int | None = None, offset: int | None = None
    ) -> TablePreview | RecordPreview:
        """Shows rows of a processed file, 10 unless `limit` (at most 100) says otherwise.

        Args:
            upload_id: Id of the upload.
            filename: Name of the file.
            limit: How many rows: 10 unless said, at most 100.
            offset: How many rows to skip.
        """
        where = path("data", "uploads", upload_id, "files", filename, "preview")
        query = {"limit": limit, "offset": offset}
        return cast("TablePreview | RecordPreview", self._calls.get(where, dict[str, Any], query))

    def send(
        self,
        paths: Sequence[Path | str] | Path | str,
        *,
        name: str | None = None,
        description: str | None = None,
        options: FileOptions | None = None,
        progress: Progress | None = None,
        wait: bool = True,
        timeout: float | None = None,
    ) -> UploadDetail:
        """Uploads files, or one, in constant memory, and waits until they are processed.

        With `options` each of the files is read as they say. Raises `OSError` for a file that
        cannot be read (nothing is created then), `JobFailedError`
        when the server cannot make a table of one, `JobTimeoutError` after `timeout` seconds.

        Args:
            paths: A file, or several.
            name: Name of the dataset; else that of the first file.
            description: What it is for, in words.
            options: How each of them is to be read.
            progress: Called with a file's name, the bytes sent and all its bytes.
            wait: Whether to wait until they are processed.
            timeout: Seconds to wait at most; without it there is no end.
        """
        files = [Path(one) for one in ([paths] if isinstance(paths, str | Path) else paths)]
        sources = {file.name: Source.of(file) for file in files}
        declared = [sources[file.name].declared for file in files]
        for one in declared if options else []:
            one["options"] = options or {}
        upload = self.create(declared, name=name, description=description)
        for slot in upload["files"]:
            self._put(upload["upload_id"], slot, sources[slot["filename"]], progress)
        arrived: list[ListedFile] = [
            {"filename": slot["filename"], "object_key": slot["object_key"]}
            for slot in upload["files"]
        ]
        self.confirm(upload["upload_id"], arrived)
        if wait:
            return self.wait(upload["upload_id"], timeout=timeout)
        return self.read(upload["upload_id"])

    def wait(self, upload_id: str, *, timeout: float | None = None) -> UploadDetail:
        """Waits until an upload is complete; `JobFailedError` carries the reason when it fails.

        Args:
            upload_id: Id of the upload.
            timeout: Seconds to wait at most; without it there is no end.
        """
        return until_made(lambda: self.read(upload_id), what=f"Upload {upload_id}", timeout=timeout)

    def _put(
        self, upload_id: str, slot: PlacedFile, source: Source, progress: Progress | None
    ) -> None:
        try:
            source.put(self._calls, slot["presigned_url"], progress)
        except (ForbiddenError, UnauthorizedError):
            # files sent before this one took longer than the URL lives
            fresh = self._fresh_url(upload_id, slot["filename"])
            if fresh is None:
                raise
            source.put(self._calls, fresh, progress)

    def _fresh_url(self, upload_id: str, filename: str) -> str | None:
        files = self.resume(upload_id=upload_id)["uploads"][0]["files"]
        urls = (file.get("presigned_url") for file in files if file["filename"] == filename)
        return next(urls, None)
