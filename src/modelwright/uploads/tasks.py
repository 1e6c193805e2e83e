"""Processes a confirmed upload: every file becomes a table, in a child process of its own.

Files come from anybody: one that breaks the parser or unpacks to terabytes ends its child, not the
worker.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from modelwright.core.config.settings import Settings
from modelwright.core.db.database import after_commit
from modelwright.core.errors import ValidationFailed
from modelwright.core.limits.contract import GB
from modelwright.jobs.context import ChildKilled, JobContext, JobRefused
from modelwright.jobs.domain import Kind, Lane
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import FileInfo, Status, UploadInfo
from modelwright.uploads.service import Uploads
from modelwright.usage.domain import Kind as Used
from modelwright.usage.service import Usage

CHILD_FUNCTION = "modelwright.uploads.conversion:convert_file"
MEMORY_SHARE = 0.7
"""What of a child's memory the engine may plan with; the rest is Python and its libraries."""


class UnreadableUpload(Exception):
    """A file that cannot be made into a table."""

    def __init__(self, file: FileInfo, reason: dict[str, Any]) -> None:
        super().__init__(reason["message"])
        self.file = file
        self.reason = reason

    @property
    def sentence(self) -> str:
        """Tells file, line and reason."""
        line, expected = self.reason["line"], self.reason["expected"]
        where = self.file.filename + (f", line {line}" if line else "")
        return f"{where}: {self.reason['message']}" + (
            f" Expected: {expected}." if expected else ""
        )


@dataclass
class ProcessUpload:
    """The handler; a file that already has its table is not read again."""

    uploads: Uploads
    objects: ObjectStore
    settings: Settings
    usage: Usage

    kind = Kind.PROCESSING.value
    lane = Lane.SHORT

    def run(self, step: JobContext) -> None:
        """Converts every file and completes the upload, or fails it with what is broken."""
        with step.transaction() as db:
            upload = self.uploads.read(db, step.subject)
        if upload.status is not Status.PROCESSING:
            return
        try:
            for file in upload.files:
                if not file.has_table:
                    self._process(step, upload, file)
        except UnreadableUpload as broken:
            step.log(broken.sentence, "ERROR")
            with step.transaction() as db:
                found = broken.file.number, broken.reason
                self.uploads.fail(db, upload.upload_id, broken.sentence, found)
            raise ValidationFailed(broken.sentence) from None
        with step.transaction() as db:
            self.uploads.finish(db, upload.upload_id)
            total = sum(file.size_bytes or 0 for file in upload.files)
            after_commit(
                db,
                lambda: self.usage.record(step.account_id, Used.GIGABYTES_PROCESSED, total / GB),
            )

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Fails the upload with the reason its job ended."""
        self.uploads.fail(db, subject, f"Its processing ended: {why}")

    def _process(self, step: JobContext, upload: UploadInfo, file: FileInfo) -> None:
        target = step.scratch / f"{file.number}.parquet"
        table = self._convert(step, upload, file, target)
        key = f"tables/{upload.upload_id}/{file.number}.parquet"
        self.objects.put_file(key, target)
        with step.transaction() as db:
            self.uploads.table_made(db, upload.upload_id, file.number, key, table)
        step.log(f"{file.filename}: {table['rows']} rows, {len(table['columns'])} columns.")
        for notice in table["notices"]:
            step.log(f"{file.filename}: {notice}", "WARNING")

    def _bring_copy(self, file: FileInfo) -> None:
        """Copies the stored original of a file that is read again in another way."""
        if file.copied_from is None or self.objects.size(file.object_key) is not None:
            return
        if self.objects.size(file.copied_from) is None:
            reason = "The original was deleted before it could be read again: upload it anew."
            raise UnreadableUpload(file, {"message": reason, "line": None, "expected": None})
        with self.objects.local(file.copied_from) as original:
            self.objects.put_file(file.object_key, original)

    def _convert(
        self, step: JobContext, upload: UploadInfo, file: FileInfo, target: Path
    ) -> dict[str, Any]:
        """Has a child make a file a table; a file that is too large for it counts as unreadable."""
        sizes = [one.size_bytes or 0 for one in upload.files]
        report = step.progress_of_file(sizes, file.number - 1, f"Reading {file.filename}")
        memory = self.settings.processing_memory_mb
        self._bring_copy(file)
        with self.objects.local(file.object_key) as source:
            payload = {
                "source": str(source),
                "target": str(target),
                "filename": file.filename,
                "content_type": file.content_type,
                "scratch": str(step.scratch),
                "memory_bytes": int(memory * MEMORY_SHARE) << 20,
                "options": file.options or {},
            }
            try:
                return step.child(
                    CHILD_FUNCTION,
                    payload,
                    memory_mb=memory,
                    seconds=self.settings.processing_seconds,
                    readable=[source],
                    on_report=report,
                )
            except JobRefused as refused:
                raise UnreadableUpload(file, refused.reason) from None
            except ChildKilled as killed:
                if killed.why == "crash":
                    raise
                reason = {"message": killed.message, "line": None, "expected": None}
                raise UnreadableUpload(file, reason) from None
