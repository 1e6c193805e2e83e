"""`Exports`: asked for, made by a job, read, fetched, forgotten after a week.

Files that are made fill the disk as uploads do: they end after some days, and with the upload that
they were made from.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from itertools import repeat

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.database import after_commit
from modelwright.core.db.queries import insert
from modelwright.core.errors import get_or_404, not_found
from modelwright.core.events import Events
from modelwright.core.ids import ExportId, new_id
from modelwright.core.limits.contract import LIMITS, Limits
from modelwright.core.logging import logger
from modelwright.core.mail import Mail
from modelwright.exports import repository
from modelwright.exports.domain import (
    ExportFile,
    ExportInfo,
    ExportRequest,
    SignedDownload,
    Status,
    plan_files,
    seconds_for,
)
from modelwright.exports.errors import (
    AccountFull,
    ExportNotCompleted,
    MailNotConfigured,
    NoSuchExportedFile,
    UnknownFile,
)
from modelwright.exports.orm import ExportRecord
from modelwright.jobs.domain import Kind
from modelwright.jobs.service import Jobs
from modelwright.storage.domain import ObjectLeaving
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import TableFile, UploadDeleted
from modelwright.uploads.service import Uploads
from modelwright.users.service import Users


class Exports:
    """Makes exports and signs addresses of their files; `mail` is None where none is set up."""

    def __init__(
        self,
        clock: Clock,
        objects: ObjectStore,
        uploads: Uploads,
        jobs: Jobs,
        events: Events,
        users: Users,
        mail: Mail | None = None,
        *,
        download_minutes: float,
        public_url: str = "",
        limits: Limits = LIMITS,
    ) -> None:
        self._clock = clock
        self._objects = objects
        self._uploads = uploads
        self._jobs = jobs
        self._mail = mail
        self._public_url = public_url.rstrip("/")
        self._limits = limits
        self._download_life = timedelta(minutes=download_minutes)
        self._users = users
        events.listen(UploadDeleted, self._forsake)
        events.listen(ObjectLeaving, self._check_leaving)

    def create(self, db: Session, request: ExportRequest) -> ExportInfo:
        """Asks for an upload's files in a format; tells `request.email` when they are there.

        Refuses an upload that is not complete, files that it does not have, and mail without a
        mail server.
        """
        if request.email is not None and self._mail is None:
            raise MailNotConfigured.of(
                "email_notification",
                "this server sends no mail, for want of MODELWRIGHT_SMTP_HOST; leave it out.",
            )
        tables = _chosen(self._uploads.tables(db, request.upload_id), request.files)
        pieces = plan_files(tables, request.format, include_headers=request.include_headers)
        seconds = seconds_for([table.size_bytes for table in tables])
        size = sum(table.size_bytes for table in tables)
        return self.promise(db, request, pieces, seconds=seconds, reads_bytes=size)

    def promise(
        self,
        db: Session,
        request: ExportRequest,
        pieces: Sequence[ExportFile],
        *,
        seconds: float,
        reads_bytes: int,
        kind: Kind = Kind.EXPORT,
        resource: Mapping[str, str] | None = None,
    ) -> ExportInfo:
        """Opens an export of these files and asks for the job, of any kind, that makes them.

        The job's subject is the export; `seconds` is how long it may take. Refuses more than the
        account may have.
        """
        self.make_sure_of_room(db)
        now = self._clock.now()
        export_id = ExportId(new_id("exp"))
        named = {"upload_id": request.upload_id, "export_id": export_id, **(resource or {})}
        row = ExportRecord(
            export_id=export_id,
            upload_id=request.upload_id,
            upload_name=self._uploads.read(db, request.upload_id).name,
            job_id=self._jobs.enqueue(db, kind, export_id, reads_bytes=reads_bytes, resource=named),
            status=Status.PROCESSING,
            format=request.format,
            include_headers=request.include_headers,
            email=request.email,
            base_url=self._public_url,
            created_at=now,
            estimated_completion=now + timedelta(seconds=seconds),
            files=[asdict(piece) for piece in pieces],
        )
        insert(db, row)
        return row.to_info()

    def make_sure_of_room(self, db: Session) -> None:
        """Refuses where the account's exports take all the room that they may."""
        most = self._limits.account_bytes
        if most and repository.bytes_of_all(db) >= most:
            raise AccountFull(self._limits)

    def read(self, db: Session, export_id: str) -> ExportInfo:
        """Finds an export; refuses one that is not the caller's, or whose time is over."""
        row = repository.find(db, export_id)
        if row is None or (row.expires_at is not None and row.expires_at <= self._clock.now()):
            raise not_found("export_id", export_id)
        return row.to_info()

    def find(self, db: Session, export_id: str, filename: str) -> tuple[str, ExportFile]:
        """Finds a file of an export and the key it lies under; refuses one that is not there."""
        export = self.read(db, export_id)
        if export.status is not Status.COMPLETED:
            raise ExportNotCompleted(
                f"The export {export_id} is {export.status}" + _reason(export.error)
            )
        for number, piece in enumerate(export.pieces):
            if piece.filename == filename:
                return export.key(number), piece
        raise NoSuchExportedFile(f"filename: the export has no file {filename!r}.")

    def sign(self, export: ExportInfo, number: int, base_url: str) -> SignedDownload:
        """Makes an address that gives a file away without a key, for some minutes."""
        expires_at = self._clock.now() + self._download_life
        address = self._objects.sign_get(
            export.key(number),
            filename=export.pieces[number].filename,
            expires=expires_at,
            base_url=base_url,
        )
        return SignedDownload(address, expires_at)

    def send(self, key: str, start: int, end: int) -> Iterator[bytes]:
        """Reads a stretch of a file; refuses one that is gone."""
        return self._objects.open(key, start, end)

    def finish(
        self,
        db: Session,
        export_id: str,
        sizes: Sequence[int],
        notices: Iterable[str | None] = repeat(None),
    ) -> ExportInfo:
        """Completes an export whose files are stored, with what is to be said of each."""
        row = get_or_404(repository.lock(db, export_id), "export_id", export_id)
        if row.status == Status.PROCESSING:
            row.files = [
                {**file, "size_bytes": size, "notice": notice}
                for file, size, notice in zip(row.files, sizes, notices, strict=False)
            ]
            self._end(row, Status.COMPLETED)
            logger().info("exports.completed", export_id=export_id)
        return row.to_info()

    def fail(self, db: Session, export_id: str, why: str) -> None:
        """Ends an export that cannot be made; one that has ended stays as it is."""
        row = repository.lock(db, export_id)
        if row is not None and row.status == Status.PROCESSING:
            row.error = why
            self._end(row, Status.FAILED)

    def notify(self, export: ExportInfo) -> None:
        """Tells by mail that an export is completed; refuses with `MailFailed`.

        It leads to a page of the console, which asks who is there: whoever else reads the mail
        gets nothing. It has that address where the operator said what this server's is: a
        request's `Host`, which says it otherwise, is whatever its sender likes.
        """
        if self._mail is None or export.email is None:
            return
        title, days = f"Your export of {export.upload_name} is ready", self._limits.export_days
        names = [piece.filename for piece in export.pieces]
        if export.base_url:
            last = (
                f"\nFetch them within {days} days:\n"
                f"{export.base_url}/console/exports/{export.export_id}"
            )
        else:
            last = (
                f"\nGET /data/export/{export.export_id} with your key gives the files' addresses"
                f" for {days} days."
            )
        self._mail.send(export.email, title, "\n".join((f"{title}:", "", *names, last)))

    def notified(self, db: Session, export_id: str) -> None:
        """Notes that the mail is on its way, so that it is not sent again."""
        row = repository.lock(db, export_id)
        if row is not None:
            row.notified_at = self._clock.now()

    def sweep(self, db: Session) -> None:
        """Removes exports whose time is over, then their files.

        For the platform's own transaction, which sees all accounts; safe to call at any time.
        """
        for row in repository.expired(db, self._clock.now()):
            after_commit(db, partial(self._objects.delete_all, f"exports/{row.export_id}"))
            db.delete(row)

    def references(self, db: Session) -> list[str]:
        """Lists what the scope's exports hold in storage."""
        return [f"exports/{export_id}" for export_id in repository.ids(db)]

    def finished(self, db: Session) -> list[str]:
        """Lists the files of the scope's completed exports."""
        made = (row.to_info() for row in repository.completed(db))
        return [export.key(number) for export in made for number in range(len(export.pieces))]

    def _end(self, row: ExportRecord, status: Status) -> None:
        now: datetime = self._clock.now()
        row.status, row.completed_at = status, now
        row.expires_at = now + timedelta(days=self._limits.export_days)

    def _check_leaving(self, db: Session, leaving: ObjectLeaving) -> None:
        """Refuses what belongs to an account that is shut out."""
        prefix, export_id, *_ = leaving.key.split("/")
        row = repository.find(db, export_id) if prefix == "exports" else None
        if row is not None:
            self._users.check_active(db, row.account_id)

    def _forsake(self, db: Session, deleted: UploadDeleted) -> None:
        for row in repository.being_made_of(db, deleted.upload_id):
            for kind in (Kind.EXPORT, Kind.SCORING):
                self._jobs.cancel_for(db, kind, row.export_id)


def _chosen(tables: list[TableFile], files: Sequence[str] | None) -> list[TableFile]:
    if files is None:
        return tables
    known = {table.filename for table in tables}
    unknown = [name for name in files if name not in known]
    if unknown or not files:
        has = ", ".join(sorted(known))
        named = f"{unknown[0]!r} is not in this upload" if unknown else "must not be empty"
        raise UnknownFile.of("files", f"{named}; it has {has}.")
    return [table for table in tables if table.filename in files]


def _reason(error: str | None) -> str:
    return f": {error}" if error else "; wait until it is completed."
