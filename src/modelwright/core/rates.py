"""Sliding-window counters, exact and shared by every server process on this machine."""

import sqlite3
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fastapi import Request

from modelwright.core.access import Caller, Tier
from modelwright.core.clock import Clock
from modelwright.core.errors import LockedOut, RateLimited
from modelwright.core.limits import LIMITS, Limits


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a bucket stands after a hit."""

    limit: int
    remaining: int
    reset: int
    """Epoch second at which the oldest counted hit leaves the window."""
    allowed: bool
    retry_after: int
    """Seconds until one more hit is allowed; 0 while there is room."""


class Counters(Protocol):
    """Counts hits of named buckets."""

    def hit(self, bucket: str, limit: int, seconds: int, now: float) -> Standing:
        """Counts one hit unless the last `seconds` already hold `limit` of them."""
        ...

    def look(self, bucket: str, limit: int, seconds: int, now: float) -> Standing:
        """Tells what a hit would be answered, and counts none."""
        ...


CONSOLE_PER_MINUTE = 600
"""Requests of the console: a page asks for several things at once, and follows what is running."""


class MemoryCounters:
    """Counts within one process; the twin for tests."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hits: dict[str, deque[float]] = defaultdict(deque)

    def hit(self, bucket: str, limit: int, seconds: int, now: float) -> Standing:
        """Counts one hit unless the last `seconds` already hold `limit` of them."""
        with self._lock:
            hits = self._hits[bucket]
            while hits and hits[0] <= now - seconds:
                hits.popleft()
            count = len(hits)
            if count < limit:
                hits.append(now)
            return _standing(limit, count, hits[0] if hits else now, seconds, now)

    def look(self, bucket: str, limit: int, seconds: int, now: float) -> Standing:
        """Tells what a hit would be answered, and counts none."""
        with self._lock:
            hits = [at for at in self._hits[bucket] if at > now - seconds]
        return _standing(limit, len(hits), hits[0] if hits else now, seconds, now)


class FileCounters:
    """Counts in a small SQLite file beside the data; nothing in it outlives its window."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()

    def hit(self, bucket: str, limit: int, seconds: int, now: float) -> Standing:
        """Counts one hit unless the last `seconds` already hold `limit` of them."""
        connection = self._connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute(
                "DELETE FROM hits WHERE bucket = ? AND at <= ?", (bucket, now - seconds)
            )
            count, oldest = connection.execute(
                "SELECT count(*), min(at) FROM hits WHERE bucket = ?", (bucket,)
            ).fetchone()
            if count < limit:
                connection.execute("INSERT INTO hits VALUES (?, ?)", (bucket, now))
        finally:
            connection.execute("COMMIT")
        return _standing(limit, count, now if oldest is None else oldest, seconds, now)

    def look(self, bucket: str, limit: int, seconds: int, now: float) -> Standing:
        """Tells what a hit would be answered, and counts none."""
        count, oldest = (
            self._connection()
            .execute(
                "SELECT count(*), min(at) FROM hits WHERE bucket = ? AND at > ?",
                (bucket, now - seconds),
            )
            .fetchone()
        )
        return _standing(limit, count, now if oldest is None else oldest, seconds, now)

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._path, timeout=10, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("CREATE TABLE IF NOT EXISTS hits (bucket TEXT, at REAL)")
            connection.execute("CREATE INDEX IF NOT EXISTS by_bucket ON hits (bucket, at)")
            self._local.connection = connection
        return connection


def _standing(limit: int, before: int, oldest: float, seconds: int, now: float) -> Standing:
    allowed = before < limit
    leaves = oldest + seconds
    return Standing(
        limit=limit,
        remaining=max(0, limit - before - 1),
        reset=int(leaves) + 1,
        allowed=allowed,
        retry_after=0 if allowed else max(1, int(leaves - now) + 1),
    )


class RequestRates:
    """The contract's rates for requests and for failed authentications."""

    def __init__(
        self, counters: Counters, clock: Clock, enterprise: int, limits: Limits = LIMITS
    ) -> None:
        self._counters = counters
        self._clock = clock
        self._limits = limits
        self._per_minute = {
            Tier.BASIC: limits.requests_per_minute_basic,
            Tier.PRO: limits.requests_per_minute_pro,
            Tier.ENTERPRISE: enterprise,
        }

    def count(self, request: Request, caller: Caller) -> None:
        """Counts one request of an account, the console's apart; refuses it above the rate."""
        limit, bucket = self._per_minute[caller.tier], "requests"
        if not limit:
            return
        if caller.key_id is None:
            limit, bucket = max(limit, CONSOLE_PER_MINUTE), "console"
        now = self._clock.now().timestamp()
        standing = self._counters.hit(f"{bucket}:{caller.account_id}", limit, 60, now)
        request.state.standing = standing
        if not standing.allowed:
            message = f"More than {limit} requests in a minute; wait {standing.retry_after} s."
            raise RateLimited(message, retry_after=standing.retry_after)

    def is_instant(self, caller: Caller) -> bool:
        """Says whether this account has no rate, so that counting waits for no file."""
        return not self._per_minute[caller.tier]

    def failed(self, request: Request) -> None:
        """Counts a failed authentication; refuses it above the limit for its address."""
        self._bar(request, self._counters.hit)

    def let_try(self, request: Request) -> None:
        """Refuses an address that may not try again yet, whatever it tries."""
        self._bar(request, self._counters.look)

    def _bar(self, request: Request, ask: Callable[[str, int, int, float], Standing]) -> None:
        minutes = self._limits.failed_authentication_minutes
        limit = self._limits.failed_authentications
        address = request.client.host if request.client else "unknown"
        now = self._clock.now().timestamp()
        standing = ask(f"failures:{address}", limit, minutes * 60, now)
        if not standing.allowed:
            message = f"More than {limit} failed attempts in {minutes} minutes from your address."
            raise LockedOut(message, retry_after=standing.retry_after)
