"""Files on their way in: declare, send, confirm, wait; and what became of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from os import PathLike
from typing import Any, Literal, Unpack, cast

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.arguments import checked_paths, refuse_misread, refuse_unknown
from modelwright_client.errors import (
    ForbiddenError,
    ModelwrightError,
    UnauthorizedError,
    UnreachableError,
    UploadBrokenError,
)
from modelwright_client.file_upload import Progress, Source
from modelwright_client.part_upload import RESUMABLE_BYTES, check_same, send_parts
from modelwright_client.polling import until_made
from modelwright_client.types import (
    DeclareFile,
    FileComplete,
    FileOptions,
    FileProgress,
    ListedFile,
    MissingParts,
    PlacedFile,
    RecordPreview,
    ResumableFile,
    ResumableList,
    TablePreview,
    UploadCreated,
    UploadDeleted,
    UploadDetail,
    UploadList,
    UploadsStatus,
    UploadStanding,
)


class Uploads(Resource):
    """Uploads of files."""

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

        Returns:
            The upload's id, and a pre-signed URL for each file.
        """
        refuse_misread("files", files, Sequence[DeclareFile])
        body = drop_none({"name": name, "description": description, "files": list(files)})
        return self._calls.post("/data/upload", UploadCreated, body)

    def confirm(
        self,
        upload_id: str,
        files: Sequence[ListedFile],
        *,
        status: Literal["complete", "failed"] = "complete",
    ) -> UploadStanding:
        """Confirms that every declared file was sent, or with `failed` gives the upload up.

        Args:
            upload_id: Id of the upload.
            files: Name and object key of each file that was sent.
            status: `failed` gives the upload up.

        Returns:
            The upload's status.
        """
        refuse_misread("files", files, Sequence[ListedFile])
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
        refuse_unknown("reparse", options, FileOptions)
        where = path("uploads", upload_id, "files", filename, "reparse")
        return self._calls.post(where, UploadStanding, dict(options))

    def progress(self, upload_id: str, filename: str) -> FileProgress:
        """Returns how many bytes of a file have arrived.

        Args:
            upload_id: Id of the upload.
            filename: Name of the file.

        Returns:
            Bytes received, and bytes in all.
        """
        return self._calls.get(path("uploads", upload_id, "files", filename, "parts"), FileProgress)

    def missing_parts(self, upload_id: str, filename: str) -> MissingParts:
        """Returns addresses for the rest of a file; `send` sends the bytes there.

        Args:
            upload_id: Id of the upload.
            filename: Name of the file.

        Returns:
            Stretches of bytes, each with its address; none when all have come.
        """
        where = path("uploads", upload_id, "files", filename, "parts")
        return self._calls.ask(where, MissingParts, None)

    def complete_file(
        self, upload_id: str, filename: str, *, sha256: str | None = None
    ) -> FileComplete:
        """Joins the parts of a file once all have been sent.

        Args:
            upload_id: The upload that has the file.
            filename: The file.
            sha256: Its digest in lower-case hexadecimal; other bytes are refused.

        Returns:
            The file's size and, where it is known, its digest.

        Raises:
            ConflictError: Bytes of the file are missing.
            ValidationError: The bytes that came have another digest; they were dropped.
        """
        where = path("uploads", upload_id, "files", filename, "complete")
        return self._calls.ask(where, FileComplete, drop_none({"sha256": sha256}))

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

        Returns:
            A page of uploads.
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

        Returns:
            A page of uploads, each with the files that are missing.
        """
        query = {"upload_id": upload_id, "limit": limit, "offset": offset, "status": status}
        return self._calls.get("/data/upload", ResumableList, query)

    def read(self, upload_id: str) -> UploadDetail:
        """Shows one upload with the columns of its files.

        Args:
            upload_id: Id of the upload.

        Returns:
            The upload with its files, their columns and notices.
        """
        return self._calls.get(path("uploads", upload_id), UploadDetail)

    def delete(self, upload_id: str) -> UploadDeleted:
        """Deletes an upload; refused with `ConflictError` while a model uses it.

        Args:
            upload_id: Id of the upload.

        Returns:
            The id of what was deleted; it can be restored from the trash.
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

        Returns:
            Columns and rows as they were read; objects where the file holds records.
        """
        where = path("data", "uploads", upload_id, "files", filename, "preview")
        query = {"limit": limit, "offset": offset}
        return cast("TablePreview | RecordPreview", self._calls.get(where, dict[str, Any], query))

    def send(
        self,
        paths: Iterable[PathLike[str] | str] | PathLike[str] | str,
        *,
        name: str | None = None,
        description: str | None = None,
        options: FileOptions | None = None,
        progress: Progress | None = None,
        begun: Callable[[str], None] | None = None,
        resume: str | None = None,
        wait: bool = True,
        timeout: float | None = None,
    ) -> UploadDetail:
        """Uploads files, or one, in constant memory, and waits until they are processed.

        Files above 16 MB are sent in parts, so that what breaks off goes on where it stopped: by
        itself while this call lasts, and after that, also in another process, with `resume`.

        Args:
            paths: The files.
            name: Name of the dataset that they are a version of.
            description: What they are.
            options: How each of the files is to be read; what is left out is guessed.
            progress: Called with a file's name, the bytes that have come, and its size.
            begun: Called with the upload's id before the first byte is sent.
            resume: Id of an upload that broke off, to go on with; `paths` are its files.
            wait: Whether to wait until the files are processed.
            timeout: For how many seconds to wait at the most.

        Returns:
            The upload with its files.

        Raises:
            OSError: A file cannot be read; nothing is created then.
            MisreadError: What is given is no path.
            ModelwrightError: A file is not the one that was begun, or became shorter.
            UploadBrokenError: The connection broke too often; its `upload_id` can be resumed.
            JobFailedError: The server cannot make a table of a file.
            JobTimeoutError: It takes longer than `timeout`.
        """
        refuse_misread("options", options, FileOptions)
        files = checked_paths(paths)
        sources = {file.name: Source.of(file) for file in files}
        if resume is None:
            declared = [sources[file.name].declared for file in files]
            for one in declared if options else []:
                one["options"] = options or {}
            created = self.create(declared, name=name, description=description)
            upload_id, slots = created["upload_id"], created["files"]
            if begun:
                begun(upload_id)
            self._carry(upload_id, slots, sources, progress)
        else:
            upload_id = self._go_on(resume, sources, progress)
        if wait:
            return self.wait(upload_id, timeout=timeout)
        return self.read(upload_id)

    def _go_on(
        self, upload_id: str, sources: Mapping[str, Source], progress: Progress | None
    ) -> str:
        """Sends what is missing of an upload; one that is no longer awaited stays as it is."""
        self.read(upload_id)  # refuses an unknown one
        upload = self.resume(upload_id=upload_id)["uploads"][0]
        if upload["status"] != "pending":
            return upload_id
        names = [file["filename"] for file in upload["files"]]
        if set(names) != set(sources):
            message = f"{upload_id} awaits {', '.join(names)}; name exactly these files."
            raise ModelwrightError(message)
        for file in upload["files"]:
            check_same(sources[file["filename"]], file["size_bytes"], upload_id)
        self._carry(upload_id, upload["files"], sources, progress)
        return upload_id

    def _carry(
        self,
        upload_id: str,
        slots: Sequence[PlacedFile] | Sequence[ResumableFile],
        sources: Mapping[str, Source],
        progress: Progress | None,
    ) -> None:
        """Sends the files that have not arrived, and confirms the upload."""
        try:
            for slot in slots:
                if slot["presigned_url"] is not None:
                    self._put(upload_id, slot, sources[slot["filename"]], progress)
        except UnreachableError as broken:
            raise UploadBrokenError(upload_id, broken) from broken
        arrived: list[ListedFile] = [
            {"filename": slot["filename"], "object_key": slot["object_key"]} for slot in slots
        ]
        self.confirm(upload_id, arrived)

    def wait(self, upload_id: str, *, timeout: float | None = None) -> UploadDetail:
        """Waits until an upload is complete; `JobFailedError` carries the reason when it fails.

        Args:
            upload_id: Id of the upload.
            timeout: Seconds to wait at most; without it there is no end.

        Returns:
            The completed upload.
        """
        return until_made(lambda: self.read(upload_id), what=f"Upload {upload_id}", timeout=timeout)

    def _put(
        self,
        upload_id: str,
        slot: PlacedFile | ResumableFile,
        source: Source,
        progress: Progress | None,
    ) -> None:
        """Sends a file; a large one in parts, and one whose address ran out to a fresh one."""
        filename = slot["filename"]
        if source.size > RESUMABLE_BYTES:
            ask = partial(self.missing_parts, upload_id, filename)
            send_parts(self._calls, source, ask, progress)
            self.complete_file(upload_id, filename, sha256=source.sha256())
            return
        try:
            source.put(self._calls, slot["presigned_url"] or "", progress)
        except (ForbiddenError, UnauthorizedError):
            # files sent before this one took longer than the URL lives
            fresh = self._fresh_url(upload_id, filename)
            if fresh is None:
                raise
            source.put(self._calls, fresh, progress)

    def _fresh_url(self, upload_id: str, filename: str) -> str | None:
        files = self.resume(upload_id=upload_id)["uploads"][0]["files"]
        urls = (file.get("presigned_url") for file in files if file["filename"] == filename)
        return next(urls, None)
