"""`Datasets`: labels complete uploads, finds them by name, looks into their tables.

Uploads know nothing of versions; the label is given in the transaction that completes an upload, so
that two that end together never get the same.
"""

from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.queries import insert_if_absent
from modelwright.core.errors import NotFound, not_found
from modelwright.core.events import Events
from modelwright.core.http.paging import Page
from modelwright.datasets import repository
from modelwright.datasets.domain import (
    DatasetVersionInfo,
    Preview,
    ResolvedDataset,
    VersionsNow,
    next_label,
    parse_reference,
    shape_of,
)
from modelwright.datasets.errors import DatasetNotComplete, unknown_file
from modelwright.datasets.orm import DatasetVersionRecord
from modelwright.datasets.preview_reader import PreviewReader
from modelwright.engines.sql.executor import PreviewRequest
from modelwright.uploads.domain import TableFile, UploadCompleted, UploadDeleted, UploadRestored
from modelwright.uploads.service import Uploads

RECORD_FORMATS = {"json"}


@dataclass(eq=False)
class Datasets:
    """Reads the versions of datasets and previews of their files."""

    clock: Clock
    uploads: Uploads
    events: Events
    previews: PreviewReader

    def __post_init__(self) -> None:
        self.events.listen(UploadCompleted, self.label)
        self.events.listen(UploadDeleted, self.purge)
        self.events.listen(UploadRestored, self.remember)

    def label(self, db: Session, done: UploadCompleted) -> None:
        """Gives a completed upload its version label."""
        own = "" if done.is_named else _own(db, done)
        shape = shape_of(done.tables)
        while True:
            last = repository.last(db, done.name, own)
            is_same = last is not None and last.shape == shape
            label = next_label(last.label if last else None, same_shape=is_same)
            row = DatasetVersionRecord(
                upload_id=done.upload_id,
                name=done.name,
                own=own,
                major=label.major,
                minor=label.minor,
                shape=shape,
                created_at=done.completed_at,
                file_count=len(done.tables),
                total_size_bytes=sum(table.size_bytes for table in done.tables),
            )
            if insert_if_absent(db, row):
                self.uploads.labelled(db, done.upload_id, str(label))
                return

    def purge(self, db: Session, deleted: UploadDeleted) -> None:
        """Takes a deleted upload's version away, but never frees its label."""
        row = repository.find(db, deleted.upload_id)
        if row is not None:
            row.deleted_at = self.clock.now()

    def remember(self, db: Session, restored: UploadRestored) -> None:
        """Brings a restored upload's version back under the label that it had."""
        row = repository.find_deleted(db, restored.upload_id)
        if row is not None:
            row.deleted_at = None

    def versions(self, db: Session, name: str, page: Page) -> tuple[list[DatasetVersionInfo], int]:
        """Lists a dataset's versions, newest first; refuses a name that no upload carries."""
        own = repository.own_of(db, name)
        if own is None:
            if not self.uploads.has_named(db, name):
                raise not_found("dataset_name", name)
            return [], 0
        rows, total = repository.page(db, name, own, page)
        return [row.to_info() for row in rows], total

    def resolve(self, db: Session, dataset_id: str, field: str = "dataset_id") -> ResolvedDataset:
        """Finds what an upload's id, a dataset's name or `name@v1.2` stands for.

        Refuses, naming the field, what is not the caller's, and what is not complete.
        """
        version = repository.find(db, dataset_id) or _named(db, dataset_id)
        if version is not None:
            tables = self.uploads.tables(db, version.upload_id)
            label, own = str(version.label), version.own
            return ResolvedDataset(version.upload_id, version.name, label, tables, own)
        with suppress(NotFound):
            self.uploads.tables(db, dataset_id)
        if self.uploads.has_named(db, dataset_id):
            raise DatasetNotComplete(field, dataset_id)
        raise not_found(field, dataset_id)

    def versions_now(self, db: Session, upload_id: str) -> VersionsNow | None:
        """Tells which version an upload is, and which one is the newest; None of a deleted one."""
        version = repository.find(db, upload_id)
        if version is None:
            return None
        newest = repository.labelled(db, version.name, version.own, None) or version
        return VersionsNow(version.name, str(version.label), str(newest.label), newest.upload_id)

    def has_own(self, db: Session, own: str) -> bool:
        """Returns whether any version is left of a dataset without a name."""
        return repository.has_own(db, own)

    def left_by(self, db: Session, upload_id: str) -> str | None:
        """Names the dataset without a name of which a deleted upload was the last version."""
        gone = repository.find_deleted(db, upload_id)
        if gone is None or not gone.own or repository.has_own(db, gone.own):
            return None
        return gone.own

    def table(self, db: Session, upload_id: str, filename: str) -> TableFile:
        """Finds a file's table; refuses an unknown upload or file, and one not complete."""
        files = self.uploads.read(db, upload_id).files
        if all(file.filename != filename for file in files):
            raise unknown_file(filename)
        tables = self.uploads.tables(db, upload_id)
        return next(table for table in tables if table.filename == filename)

    def preview(self, account_id: str, table: TableFile, page: Page) -> Preview:
        """Reads some rows of a table, outside of any transaction: it may take seconds.

        Refuses what `PreviewReader.read` refuses.
        """
        as_records = table.format in RECORD_FORMATS
        wanted = PreviewRequest(page.limit, page.offset, as_records=as_records)
        return self.previews.read(account_id, table, wanted)

    def close(self) -> None:
        """Ends the processes that read previews."""
        self.previews.close()


def _own(db: Session, done: UploadCompleted) -> str:
    """Tells which dataset an upload without a name belongs to."""
    former = repository.find_deleted(db, done.read_again) if done.read_again else None
    return former.own if former is not None else done.upload_id


def _named(db: Session, dataset_id: str) -> DatasetVersionRecord | None:
    """Finds the newest version of a name, or the one that `name@v1.2` asks for."""
    own = repository.own_of(db, dataset_id)
    if own is not None:
        return repository.labelled(db, dataset_id, own, None)
    name, label = parse_reference(dataset_id) or ("", None)
    own = repository.own_of(db, name)
    return None if own is None else repository.labelled(db, name, own, label)
