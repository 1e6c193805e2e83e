"""Lends each session's tables to its query process, as local files, for as long as it lives.

Queries run in sandboxed processes that reach no storage: their files are fetched before, shared by
queries, and removed when the last one has ended.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock

from modelwright.core.limits.contract import LIMITS
from modelwright.engines.sql.executor import BoundedStatement, Rows
from modelwright.engines.sql.pool import Pool
from modelwright.sessions.domain import SessionInfo
from modelwright.storage.object_store import ObjectStore


class _Loan:
    """The local files of one session's tables, and how many queries read them now."""

    def __init__(self) -> None:
        self.readers = 0
        self.lock = Lock()
        self.stack = ExitStack()
        self.paths: dict[str, Path] | None = None


class Executors:
    """Runs SQL in the sessions' processes. Thread-safe."""

    def __init__(self, pool: Pool, objects: ObjectStore) -> None:
        self._pool = pool
        self._objects = objects
        self._lock = Lock()
        self._most = 2 * pool.size
        self._loans: OrderedDict[str, _Loan] = OrderedDict()

    def run(self, session: SessionInfo, statement: BoundedStatement) -> Rows:
        """Runs one statement over the session's tables; refuses with a `QueryFailed`."""
        with self._lent(session) as tables:
            return self._pool.run(
                session.session_id,
                tables,
                statement.sql,
                max_rows=statement.max_rows,
                max_bytes=LIMITS.query_result_bytes,
                seconds=statement.seconds,
                cancelled=statement.cancelled,
                owner=session.account_id,
                time_zone=statement.time_zone,
            )

    def end(self, session_id: str) -> None:
        """Releases what a session holds in this process; a query that is running is stopped."""
        self._pool.end(session_id)
        with self._lock:
            loan = self._loans.pop(session_id, None)
        if loan is not None:
            with loan.lock:
                loan.stack.close()

    def sweep(self, open_ids: Collection[str], before: datetime) -> None:
        """Removes what other sessions left on this machine, unless touched since a moment."""
        self._pool.sweep(open_ids, before.timestamp())

    def close(self) -> None:
        """Releases what all sessions hold."""
        for session_id in list(self._loans):
            self.end(session_id)
        self._pool.close()

    @contextmanager
    def _lent(self, session: SessionInfo) -> Iterator[dict[str, Path]]:
        with self._lock:
            loan = self._loans.setdefault(session.session_id, _Loan())
            self._loans.move_to_end(session.session_id)
            loan.readers += 1
        try:
            with loan.lock:
                paths = loan.paths = loan.paths or self._borrow(loan, session)
            yield paths
        finally:
            with self._lock:
                loan.readers -= 1
                self._give_back()

    def _borrow(self, loan: _Loan, session: SessionInfo) -> dict[str, Path]:
        with ExitStack() as stack:
            paths = {
                one.table: stack.enter_context(self._objects.local(one.key, is_sampled=True))
                for one in session.tables
            }
            loan.stack = stack.pop_all()
        return paths

    def _give_back(self) -> None:
        """Returns the tables of the sessions used longest ago; they are lent again when asked."""
        for session_id in list(self._loans)[: max(0, len(self._loans) - self._most)]:
            if not self._loans[session_id].readers:
                self._pool.end(session_id)
                self._loans.pop(session_id).stack.close()
