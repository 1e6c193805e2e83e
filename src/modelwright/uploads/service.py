"""`Uploads`: declared, confirmed, listed, claimed by models, deleted; what came of processing.

A file may come late, twice or in parts, and a client may go away between: the moves here are the
only ones, each safe to repeat.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.database import advisory_lock, after_commit
from modelwright.core.db.queries import insert
from modelwright.core.errors import get_or_404
from modelwright.core.events import Events
from modelwright.core.http.paging import Page
from modelwright.core.limits.contract import LIMITS, Limits
from modelwright.core.logging import logger
from modelwright.core.process.disk_space import DiskSpaceGuard
from modelwright.core.state_machine import InvalidTransitionError, transition
from modelwright.core.stored_values import read_member
from modelwright.jobs.domain import Kind
from modelwright.jobs.service import Jobs
from modelwright.storage.domain import ObjectArriving
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads import confirmation, declaration, parts, pending, repository
from modelwright.uploads.domain import (
    TRANSITIONS,
    ConfirmedFile,
    FileColumn,
    FileComplete,
    FileInfo,
    FileProgress,
    MissingParts,
    ModelReference,
    NamedFile,
    NewFile,
    NewUpload,
    Status,
    TableFile,
    TrashedUpload,
    UploadCompleted,
    UploadDeleted,
    UploadEvent,
    UploadInfo,
    UploadRestored,
    options_fault,
    seconds_for,
)
from modelwright.uploads.errors import (
    AccountFull,
    FileNeverCame,
    OptionsRefused,
    UploadInUse,
    UploadIsOver,
    UploadNotComplete,
)
from modelwright.uploads.orm import ClaimRecord, OrphanedObjectsRecord, UploadRecord
from modelwright.users.service import Users

ABANDONED_AFTER = timedelta(hours=1)
"""What no writer has touched for so long belongs to one that died."""
TRASH_DAYS = 7.0
"""How long a deleted upload can be restored where no setting says otherwise."""


class Uploads:
    """Declares, confirms, reads and deletes uploads."""

    def __init__(
        self,
        clock: Clock,
        objects: ObjectStore,
        jobs: Jobs,
        events: Events,
        users: Users,
        space: DiskSpaceGuard | None = None,
        limits: Limits = LIMITS,
        trash_days: float = TRASH_DAYS,
    ) -> None:
        self._trash_time = timedelta(days=trash_days)
        self._clock = clock
        self._objects = objects
        self._jobs = jobs
        self._events = events
        self._space = space or DiskSpaceGuard()
        self._limits = limits
        events.listen(ObjectArriving, lambda db, one: pending.check(db, one, users))

    def create(self, db: Session, created_by: str, new: NewUpload) -> UploadInfo:
        """Declares files that are to come; refuses more, or larger ones, than the limits allow.

        Refuses files that the disk, or the account, has no room for, too.
        """
        declaration.check(new.files, self._limits)
        row = self._new_row(db, created_by, new)
        insert(db, row)
        return row.to_info()

    def _new_row(self, db: Session, created_by: str, new: NewUpload) -> UploadRecord:
        """Makes the row of a new upload; refuses files for which there is no room."""
        self._make_sure_of_room(db, new.files)
        self._space.check(sum(file.size_bytes or 0 for file in new.files))
        return declaration.row(new, created_by, self._clock.now(), self._expiry())

    def _make_sure_of_room(self, db: Session, files: Sequence[NewFile] = ()) -> None:
        """Refuses what does not fit beside all that is there: these files, or what has come."""
        most, undeclared = self._limits.account_bytes, self._limits.undeclared_reserve_bytes
        if not most:
            return
        advisory_lock(db, "uploads.room")
        sizes = [undeclared if f.size_bytes is None else f.size_bytes for f in files]
        wanted = repository.bytes_of_all(db, undeclared) + sum(sizes)
        if wanted > most:
            raise AccountFull(wanted, self._limits)

    def list_(
        self,
        db: Session,
        page: Page,
        status: Status | None,
        name: str,
        sort: repository.Sort,
        *,
        descending: bool,
    ) -> tuple[list[UploadInfo], int]:
        """Lists uploads whose names have a part, and counts them all."""
        rows, total = repository.page(db, page, status, name, sort, descending=descending)
        return [row.to_info() for row in rows], total

    def read(self, db: Session, upload_id: str) -> UploadInfo:
        """Finds one upload; refuses one that is not the caller's."""
        return _find(db, upload_id).to_info()

    def columns(self, db: Session, upload_id: str) -> dict[int, tuple[FileColumn, ...]]:
        """Tells what is known of the columns of an upload's processed files, by number."""
        files = repository.files_with_columns(db, upload_id)
        return {file.number: file.known_columns() for file in files if file.table_key}

    def pending(self, upload: UploadInfo) -> list[FileInfo]:
        """Lists the files of a pending upload that have not arrived; asks the storage."""
        if upload.status is not Status.PENDING:
            return []
        arrived = set(self._objects.keys(f"uploads/{upload.upload_id}"))
        return [file for file in upload.files if file.object_key not in arrived]

    def renew(self, db: Session, upload_id: str) -> UploadInfo:
        """Moves the expiry of a pending upload's addresses on."""
        row = _lock(db, upload_id)
        if row.status == Status.PENDING:
            row.expires_at = self._expiry()
        return row.to_info()

    def sign(self, upload: UploadInfo, file: FileInfo, base_url: str) -> str:
        """Makes the address that takes a file, at most as large as declared."""
        undeclared = self._limits.undeclared_bytes
        most = undeclared if file.declared_bytes is None else file.declared_bytes
        return self._objects.sign_put(
            file.object_key, max_bytes=most, expires=upload.expires_at, base_url=base_url
        )

    def named(self, db: Session, upload_id: str, filename: str) -> NamedFile:
        """Finds a file by its name; refuses an unknown one."""
        upload = _find(db, upload_id).to_info()
        return NamedFile(upload, _file(upload, filename))

    def renew_named(self, db: Session, upload_id: str, filename: str) -> NamedFile:
        """Finds a file that may come in parts, and moves the expiry of its addresses on.

        Refuses a file that was declared without its size, and an upload that is over.
        """
        upload = self.renew(db, upload_id)
        file = _file(upload, filename)
        parts.declared(upload, file)
        return NamedFile(upload, file)

    def progress(self, named: NamedFile) -> FileProgress:
        """Tells how much of a file has come; asks the storage."""
        return parts.progress(named.upload, named.file, self._objects)

    def missing_parts(self, named: NamedFile, base_url: str) -> MissingParts:
        """Makes addresses for what has not come of a file, in order; asks the storage."""
        return parts.missing(named.upload, named.file, self._objects, base_url)

    def complete_file(self, named: NamedFile, sha256: str | None) -> FileComplete:
        """Makes a file of its parts once all have come; one that came whole stays as it is.

        Refuses one of which bytes are missing, and one of another digest than the one told. Never
        inside a transaction: it may take minutes.
        """
        return parts.complete(named.upload, named.file, self._objects, sha256)

    def take(self, upload: UploadInfo, listed: Sequence[ConfirmedFile]) -> dict[str, int]:
        """Closes the files of a pending upload as they are now and tells their sizes, by name.

        Refuses files other than those declared, files that have not arrived, and files that turned
        out too large. Never inside a transaction: a bucket copies each file.
        """
        if upload.status is not Status.PENDING:
            return {}
        return confirmation.take(upload.files, listed, self._objects, self._limits)

    def confirm(self, db: Session, upload_id: str, taken: Mapping[str, int]) -> UploadInfo:
        """Asks for the processing of files that were taken.

        Answers a confirmed upload as it is. Refuses a failed one, and what the account has no room
        for; it then stays pending.
        """
        row = _lock(db, upload_id)
        if row.status in {Status.PROCESSING, Status.COMPLETE}:
            return row.to_info()
        _transition(row, UploadEvent.CONFIRM)
        for file in row.files:
            file.size_bytes = taken[file.filename]
        duration = timedelta(seconds=seconds_for(list(taken.values())))
        row.estimated_completion = self._clock.now() + duration
        if any(file.declared_bytes is None for file in row.files):
            db.flush()
            self._make_sure_of_room(db)
        self._enqueue(db, row)
        logger().info("uploads.confirmed", upload_id=row.upload_id, files=len(row.files))
        return row.to_info()

    def _enqueue(self, db: Session, row: UploadRecord) -> None:
        resource = {"upload_id": row.upload_id}
        size = sum(file.size_bytes or 0 for file in row.files)
        self._jobs.enqueue(db, Kind.PROCESSING, row.upload_id, reads_bytes=size, resource=resource)

    def make_sure_of_originals(self, upload: UploadInfo) -> None:
        """Refuses where a file of an upload never came; asks the storage."""
        for file in upload.files:
            if file.size_bytes is None or self._objects.size(file.object_key) is None:
                raise FileNeverCame(file.filename)

    def reparse(
        self,
        db: Session,
        created_by: str,
        upload_id: str,
        filename: str,
        options: dict[str, Any] | None,
    ) -> UploadInfo:
        """Has stored files read again, one of them in another way, as a new upload.

        The first one stays as it is; the new one is the next version of the same dataset. Refuses
        an upload that is not over yet; `make_sure_of_originals` came before.
        """
        former = self.to_read_again(db, upload_id, filename)
        file = _file(former, filename)
        columns = [column.name for column in self.columns(db, upload_id).get(file.number, ())]
        if fault := options_fault(file, columns, options or {}):
            raise OptionsRefused(fault)
        new = _read_again(former, filename, options)
        row = self._new_row(db, created_by, new)
        for copy in row.files:
            copy.size_bytes = copy.declared_bytes
        row.status = Status.PROCESSING
        insert(db, row)
        self._enqueue(db, row)
        logger().info("uploads.reparsed", upload_id=row.upload_id, former=upload_id)
        return row.to_info()

    def to_read_again(self, db: Session, upload_id: str, filename: str) -> UploadInfo:
        """Finds an upload that can be read again; refuses an unknown file, and one not over yet."""
        former = self.named(db, upload_id, filename).upload
        if former.status in {Status.PENDING, Status.PROCESSING}:
            raise UploadNotComplete(upload_id, former.status, former.error)
        return former

    def give_up(self, db: Session, upload_id: str) -> UploadInfo:
        """Ends an upload that will not be completed; refuses one that is complete."""
        row = _lock(db, upload_id)
        if row.status != Status.FAILED:
            self._jobs.cancel_for(db, Kind.PROCESSING, row.upload_id)
            _end(row, UploadEvent.GIVE_UP, "It was given up by the client.")
            after_commit(db, lambda: self._objects.drop_parts(f"uploads/{upload_id}"))
        return row.to_info()

    def delete(self, db: Session, upload_id: str) -> datetime:
        """Moves a complete upload to the trash, stops its processing; refuses one in use.

        What is not complete holds no data to come back to, and goes at once with its objects.
        """
        row = _lock(db, upload_id)
        users = self.users(db, upload_id)
        if users:
            raise UploadInUse(users)
        self._jobs.cancel_for(db, Kind.PROCESSING, upload_id)
        self._events.publish(db, UploadDeleted(upload_id))
        if row.status == Status.COMPLETE:
            row.trashed_at = self._clock.now()
        else:
            self._remove(db, row)
        return self._clock.now()

    def trashed(self, db: Session) -> list[TrashedUpload]:
        """Lists the uploads in the trash, newest first."""
        return [_to_trashed(row) for row in repository.trashed(db)]

    def restore(self, db: Session, upload_id: str) -> TrashedUpload | None:
        """Takes an upload back from the trash; None where it does not lie there."""
        row = repository.lock_trashed(db, upload_id)
        if row is None:
            return None
        restored = _to_trashed(row)
        row.trashed_at = None
        self._events.publish(db, UploadRestored(upload_id))
        return restored

    def purge(self, db: Session, upload_id: str) -> TrashedUpload | None:
        """Removes an upload in the trash for good; None where it does not lie there."""
        row = repository.lock_trashed(db, upload_id)
        return None if row is None else self._remove(db, row)

    def _remove(self, db: Session, row: UploadRecord) -> TrashedUpload:
        gone, upload_id = _to_trashed(row), row.upload_id
        insert(db, OrphanedObjectsRecord(upload_id=upload_id, until=self._late(row.expires_at)))
        db.delete(row)
        after_commit(db, lambda: self._clear(upload_id))
        return gone

    def users(self, db: Session, upload_id: str) -> list[ModelReference]:
        """Lists the versions of models that are made from an upload."""
        claims = repository.claims(db, upload_id)
        return [ModelReference(claim.model_id, claim.model_name, claim.version) for claim in claims]

    def claim(
        self, db: Session, upload_id: str, by: str, name: str, *, model_id: str, version: str
    ) -> None:
        """Notes that a version (its id is `by`) is made from an upload; keeps it from deletion."""
        _lock(db, upload_id)
        row = ClaimRecord(
            upload_id=upload_id, claimed_by=by, model_id=model_id, model_name=name, version=version
        )
        insert(db, row)

    def release(self, db: Session, by: str) -> None:
        """Drops a version's claims."""
        repository.release(db, by)

    def tables(self, db: Session, upload_id: str) -> list[TableFile]:
        """Lists an upload's tables; refuses an upload that is not complete."""
        row = _find(db, upload_id)
        if row.status != Status.COMPLETE:
            raise UploadNotComplete(upload_id, read_member(Status, row.status), row.error)
        return [file.table() for file in repository.files_with_columns(db, upload_id)]

    def references(self, db: Session, prefix: str) -> list[str]:
        """Lists what the scope's uploads hold in storage under `uploads` or `tables`."""
        return [f"{prefix}/{upload_id}" for upload_id in repository.ids(db)]

    def finished(self, db: Session, prefix: str) -> list[str]:
        """Lists the objects of the scope's complete uploads under `uploads` or `tables`."""
        pairs = repository.complete_objects(db)
        return [table if prefix == "tables" else original for original, table in pairs]

    def has(self, db: Session, upload_id: str) -> bool:
        """Returns whether there is an upload."""
        return repository.find(db, upload_id) is not None

    def has_named(self, db: Session, name: str) -> bool:
        """Returns whether any upload carries a name."""
        return repository.has_named(db, name)

    def table_made(
        self, db: Session, upload_id: str, number: int, key: str, table: dict[str, Any]
    ) -> None:
        """Notes what a file turned out to hold."""
        row = _lock(db, upload_id)
        file = row.files[number - 1]
        file.table_key, file.format, file.rows = key, table["format"], table["rows"]
        file.column_info, file.columns = table["columns"], len(table["columns"])
        file.notices, file.read_as = list(table["notices"]) or None, table.get("read_as")

    def finish(self, db: Session, upload_id: str) -> UploadInfo:
        """Completes an upload of which every file has its table."""
        row = _lock(db, upload_id)
        _transition(row, UploadEvent.FINISH)
        row.completed_at = self._clock.now()
        tables = tuple(file.table() for file in repository.files_with_columns(db, upload_id))
        former = _last_reading(db, row)
        done = UploadCompleted(upload_id, row.name, row.is_named, row.completed_at, tables, former)
        self._events.publish(db, done)
        logger().info("uploads.completed", upload_id=upload_id)
        return row.to_info()

    def labelled(self, db: Session, upload_id: str, version: str) -> None:
        """Notes which version of its dataset an upload is, unless it was deleted meanwhile."""
        row = repository.lock(db, upload_id)
        if row is not None:
            row.dataset_version = version

    def fail(
        self,
        db: Session,
        upload_id: str,
        why: str,
        broken: tuple[int, dict[str, Any]] | None = None,
    ) -> None:
        """Ends an upload that cannot be processed; one deleted or ended meanwhile stays so."""
        row = repository.lock(db, upload_id)
        if row is None or row.status != Status.PROCESSING:
            return
        if broken:
            row.files[broken[0] - 1].error = broken[1]
        _end(row, UploadEvent.FAIL, why)
        logger().info("uploads.failed", upload_id=upload_id, why=why)

    def sweep(self, db: Session) -> None:
        """Fails uploads that nobody confirmed in time, and clears what deleted ones left behind.

        Those that lay in the trash for their time are removed for good.

        For the platform's own transaction, which sees all accounts; safe to call at any time.
        """
        now, objects = self._clock.now(), self._objects
        for upload in repository.unconfirmed(db, now - self._grace()):
            hours = self._limits.unconfirmed_upload_hours
            _end(
                upload,
                UploadEvent.EXPIRE,
                f"Nobody confirmed it within {hours} hours of its last URL.",
            )
            after_commit(db, partial(objects.drop_parts, f"uploads/{upload.upload_id}"))
        for old in repository.trashed(db, now - self._trash_time):
            self._remove(db, old)
        for remains in repository.orphaned_objects(db):
            after_commit(db, partial(self._clear, remains.upload_id))
            if remains.until <= now:
                db.delete(remains)
        after_commit(db, partial(objects.drop_abandoned, now - ABANDONED_AFTER))

    def _clear(self, upload_id: str) -> None:
        self._objects.drop_parts(f"uploads/{upload_id}")
        self._objects.delete_all(f"uploads/{upload_id}")
        self._objects.delete_all(f"tables/{upload_id}")

    def _expiry(self) -> datetime:
        return self._clock.now() + timedelta(seconds=self._limits.signed_url_seconds)

    def _grace(self) -> timedelta:
        return timedelta(hours=self._limits.unconfirmed_upload_hours)

    def _late(self, expires_at: datetime) -> datetime:
        """Returns the moment after which no address and no job can bring an object any more."""
        return max(expires_at, self._clock.now()) + self._grace()


def _read_again(former: UploadInfo, filename: str, options: dict[str, Any] | None) -> NewUpload:
    """Declares the files of an upload once more, one of them with other options."""
    files = tuple(
        NewFile(
            file.filename,
            file.content_type,
            file.size_bytes,
            options if file.filename == filename else file.options,
            copied_from=file.object_key,
        )
        for file in former.files
    )
    return NewUpload(former.name if former.is_named else None, former.description, files)


def _last_reading(db: Session, row: UploadRecord) -> str | None:
    """Tells which upload is the last reading of the same files that did not fail."""
    former = _copied_from(row)
    while former is not None:
        found = repository.find(db, former)
        if found is None or found.status != Status.FAILED:
            return former
        former = _copied_from(found)
    return None


def _copied_from(row: UploadRecord) -> str | None:
    """Tells which upload's stored files it reads; its objects are called after that one."""
    copied = next((file.copied_from for file in row.files if file.copied_from), None)
    return copied.split("/")[1] if copied else None


def _find(db: Session, upload_id: str) -> UploadRecord:
    return get_or_404(repository.find(db, upload_id), "upload_id", upload_id)


def _to_trashed(row: UploadRecord) -> TrashedUpload:
    size = sum(file.size_bytes or 0 for file in row.files)
    return TrashedUpload(row.upload_id, row.name, size, row.trashed_at or row.created_at)


def _file(upload: UploadInfo, filename: str) -> FileInfo:
    named = next((file for file in upload.files if file.filename == filename), None)
    return get_or_404(named, "filename", filename)


def _lock(db: Session, upload_id: str) -> UploadRecord:
    return get_or_404(repository.lock(db, upload_id), "upload_id", upload_id)


def _transition(row: UploadRecord, verb: UploadEvent) -> None:
    status = read_member(Status, row.status)
    try:
        row.status = transition(TRANSITIONS, status, verb)
    except InvalidTransitionError:
        raise UploadIsOver(status) from None


def _end(row: UploadRecord, verb: UploadEvent, why: str) -> None:
    _transition(row, verb)
    row.error, row.estimated_completion = why, None
