"""Sliding-window counters, exact and shared: within a process, a machine, or through Redis.

Hits later than now were counted before the clock was set back, and count no more.

`core.redis_counters` has the twin for several machines; it is apart because its library is slow
to load.
"""

import sqlite3
import threading
from collections import defaultdict, deque
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from modelwright.core.clock import Clock
from modelwright.core.db.database import write_ahead
from modelwright.core.db.errors import translate_database_errors


@dataclass(frozen=True, slots=True)
class WindowStats:
    """Where a bucket stands after a hit."""

    limit: int
    remaining: int
    reset: int
    """Epoch second at which the oldest counted hit leaves the window."""
    allowed: bool
    retry_after: int
    """Seconds until one more hit is allowed; 0 while there is room."""


class RateLimitStore(Protocol):
    """Counts hits of named buckets."""

    def hit(self, bucket: str, limit: int, seconds: int) -> WindowStats:
        """Counts one hit unless the last `seconds` already hold `limit` of them."""

    def peek(self, bucket: str, limit: int, seconds: int) -> WindowStats:
        """Tells what a hit would be answered, and counts none."""

    def probe(self) -> None:
        """Raises unless all that share these counters are counted together now."""


class MemoryRateLimitStore:
    """Counts within one process; the twin for tests."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._hits: dict[str, deque[float]] = defaultdict(deque)

    def hit(self, bucket: str, limit: int, seconds: int) -> WindowStats:
        """Counts one hit unless the last `seconds` already hold `limit` of them."""
        with self._lock:
            now = self._clock.now().timestamp()
            hits = self._hits[bucket]
            while hits and hits[0] <= now - seconds:
                hits.popleft()
            while hits and hits[-1] > now:
                hits.pop()
            count = len(hits)
            if count < limit:
                hits.append(now)
            return window_stats(limit, count, hits[0] if hits else now, seconds, now)

    def peek(self, bucket: str, limit: int, seconds: int) -> WindowStats:
        """Tells what a hit would be answered, and counts none."""
        with self._lock:
            now = self._clock.now().timestamp()
            hits = [at for at in self._hits[bucket] if now - seconds < at <= now]
        return window_stats(limit, len(hits), hits[0] if hits else now, seconds, now)

    def probe(self) -> None:
        """Is always well."""


MAX_WINDOW_SECONDS = 3600
"""No window is longer than this."""
BUSY_TIMEOUT_SECONDS = 10
"""How long one waits for the file while others write."""
DELETE_EXPIRED_SQL = (
    "DELETE FROM hits WHERE rowid IN (SELECT rowid FROM hits WHERE at <= ? LIMIT 20)"
)


class FileRateLimitStore:
    """Counts in a small SQLite file beside the data; what has left its window leaves the file."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._local = threading.local()

    def hit(self, bucket: str, limit: int, seconds: int) -> WindowStats:
        """Counts one hit unless the last `seconds` already hold `limit` of them."""
        with translate_database_errors():
            return self._hit(bucket, limit, seconds)

    def _hit(self, bucket: str, limit: int, seconds: int) -> WindowStats:
        connection = self._connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            now = self._clock.now().timestamp()
            connection.execute(
                "DELETE FROM hits WHERE bucket = ? AND (at <= ? OR at > ?)",
                (bucket, now - seconds, now),
            )
            count, oldest = connection.execute(
                "SELECT count(*), min(at) FROM hits WHERE bucket = ?", (bucket,)
            ).fetchone()
            if not count:
                # Buckets that nobody asks for again go faster than new ones come.
                connection.execute(DELETE_EXPIRED_SQL, (now - MAX_WINDOW_SECONDS,))
            if count < limit:
                connection.execute("INSERT INTO hits VALUES (?, ?)", (bucket, now))
        finally:
            connection.execute("COMMIT")
        return window_stats(limit, count, now if oldest is None else oldest, seconds, now)

    def peek(self, bucket: str, limit: int, seconds: int) -> WindowStats:
        """Tells what a hit would be answered, and counts none."""
        now = self._clock.now().timestamp()
        sought = "SELECT count(*), min(at) FROM hits WHERE bucket = ? AND at > ? AND at <= ?"
        with translate_database_errors():
            found = self._connection().execute(sought, (bucket, now - seconds, now))
            count, oldest = found.fetchone()
        return window_stats(limit, count, now if oldest is None else oldest, seconds, now)

    def probe(self) -> None:
        """Raises unless the file can be read."""
        self._connection().execute("SELECT 1 FROM hits LIMIT 1").fetchone()

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                self._path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None
            )
            write_ahead(connection, BUSY_TIMEOUT_SECONDS)
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("CREATE TABLE IF NOT EXISTS hits (bucket TEXT, at REAL)")
            connection.execute("CREATE INDEX IF NOT EXISTS by_bucket ON hits (bucket, at)")
            connection.execute("CREATE INDEX IF NOT EXISTS by_time ON hits (at)")
            self._local.connection = connection
        return connection


def window_stats(limit: int, before: int, oldest: float, seconds: int, now: float) -> WindowStats:
    """Says where a bucket stands that held `before` hits, the oldest at epoch second `oldest`."""
    allowed = before < limit
    leaves = oldest + seconds
    return WindowStats(
        limit=limit,
        remaining=max(0, limit - before - 1),
        reset=int(leaves) + 1,
        allowed=allowed,
        retry_after=0 if allowed else max(1, int(leaves - now) + 1),
    )
