"""Writes what was asked off the path of the answer: gathered for a moment, then in one commit."""

from threading import Lock, Timer

from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.logging import logger
from modelwright.queries.domain import QueryInfo
from modelwright.queries.orm import QueryRecord

GATHER_SECONDS = 0.5
"""How long queries are gathered before they are written in one transaction."""


class History:
    """Entries on their way into the database; flush before reading them there. Thread-safe.

    Where another machine may be asked for them next, they are written `at_once`.
    """

    def __init__(self, database: Database, *, at_once: bool = False) -> None:
        self._database = database
        self._at_once = at_once
        self._lock = Lock()
        self._writing = Lock()
        self._noted: list[QueryInfo] = []
        self._timer: Timer | None = None

    def record(self, entry: QueryInfo) -> None:
        """Notes one query; it is written within a second."""
        with self._lock:
            self._noted.append(entry)
            if self._timer is None:
                self._timer = Timer(GATHER_SECONDS, self._in_time)
                self._timer.daemon = True
                self._timer.start()
        if self._at_once:
            self._in_time()

    def flush(self) -> None:
        """Writes what was noted; what cannot be written now is kept for the next time."""
        with self._writing:
            with self._lock:
                noted, self._noted = self._noted, []
                timer, self._timer = self._timer, None
            if timer is not None:
                timer.cancel()
            if not noted:
                return
            try:
                with self._database.transaction(ALL_ACCOUNTS) as db:
                    db.add_all(map(QueryRecord.of, noted))
            except Exception:
                with self._lock:
                    self._noted[:0] = noted
                raise

    def _in_time(self) -> None:
        try:
            self.flush()
        except Exception:  # noqa: BLE001 - the next query tries again
            logger().warning("queries.flush_failed", exc_info=True)
