"""Reads previews in sandboxed children: bounded in bytes and time, and fair among accounts."""

from dataclasses import dataclass
from datetime import timedelta

from modelwright.core.clock import Clock
from modelwright.core.limits.contract import MB
from modelwright.datasets.domain import Preview
from modelwright.datasets.errors import PreviewTooLarge, PreviewUnavailable
from modelwright.engines.sql import failures
from modelwright.engines.sql.executor import PreviewRequest
from modelwright.engines.sql.pool import Pool
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import TableFile

MAX_PREVIEW_BYTES = 8 * MB
"""What the rows of one preview take at most; there are fewer where they would take more."""
TABLE = "table"
MIN_IDLE = timedelta(hours=1)
"""A process's folder that nobody has touched for so long is left over from one that was killed."""


@dataclass(eq=False)
class PreviewReader:
    """Reads some rows of stored tables, each in a process that can reach that table alone."""

    pool: Pool
    objects: ObjectStore
    clock: Clock
    seconds: float

    def read(self, account_id: str, table: TableFile, wanted: PreviewRequest) -> Preview:
        """Reads a page of a table, fewer rows where these are very large.

        Refuses where too many previews are being read, and one that takes too long or too much.
        """
        with self.objects.local(table.key, is_sampled=True) as path:
            try:
                # By its path, as a copy of an object in a bucket may lie elsewhere the next time
                # and a process reaches what it was started with alone.
                found = self.pool.preview(
                    str(path),
                    {TABLE: path},
                    wanted,
                    max_bytes=MAX_PREVIEW_BYTES,
                    seconds=self.seconds,
                    owner=account_id,
                )
            except (failures.TooLarge, failures.OutOfMemory):
                raise PreviewTooLarge(table.filename, MAX_PREVIEW_BYTES) from None
            except failures.Busy:
                raise PreviewUnavailable("Other previews are being read just now") from None
            except failures.QueryFailed as failure:
                raise PreviewUnavailable(failure.message.rstrip(".")) from failure
        rows = found.rows
        if wanted.as_records:
            records = [dict(zip(found.columns, row, strict=True)) for row in rows]
            return Preview(table.filename, found.total_rows or 0, None, records)
        return Preview(table.filename, found.total_rows or 0, found.columns, rows)

    def sweep(self) -> None:
        """Removes what killed processes left on this machine; safe to call at any time."""
        self.pool.sweep((), (self.clock.now() - MIN_IDLE).timestamp())

    def close(self) -> None:
        """Ends all children."""
        self.pool.close()
