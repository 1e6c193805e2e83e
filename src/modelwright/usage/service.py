"""Notes usage in memory, writes it once a second, and answers what was used."""

import threading
from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.regular_flush import RegularFlush
from modelwright.core.stored_values import read_member
from modelwright.usage import domain, repository
from modelwright.usage.domain import Kind
from modelwright.usage.orm import UsageRecord

HOUR = timedelta(hours=1)
CLEANUP_BATCH_ROWS = 2000
"""Rows that are summed up in one transaction, so that it keeps nobody waiting."""
Bucket = tuple[str, str, str, datetime]


class Usage:
    """Records and reports consumption; what is noted but not yet written counts in every answer."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._lock = threading.Lock()
        self._pending: dict[Bucket, tuple[float, datetime]] = {}
        self._writing: dict[Bucket, tuple[float, datetime]] = {}
        regular = RegularFlush("usage", self.flush)
        self.flush_regularly, self.stop = regular.run, regular.stop
        self._hour = datetime.min.replace(tzinfo=UTC)

    def record(self, account_id: str, kind: Kind, quantity: float = 1.0, key_id: str = "") -> None:
        """Notes some usage; it is written within a second."""
        now = self._clock.now()
        hour = self._hour
        if not hour <= now < hour + HOUR:
            self._hour = hour = domain.hour_of(now)
        bucket = (account_id, kind.value, key_id, hour)
        with self._lock:
            before = self._pending.get(bucket)
            self._pending[bucket] = ((before[0] if before else 0.0) + quantity, now)

    def flush(self) -> None:
        """Writes what was noted; what cannot be written now is kept for the next time."""
        with self._lock:
            pending, self._pending = self._pending, {}
            self._writing = pending
        if not pending:
            return
        try:
            with self._database.transaction(ALL_ACCOUNTS) as db:
                # In one order everywhere, or two processes wait for each other's rows for ever.
                for (account_id, kind, key_id, hour), (quantity, moment) in sorted(pending.items()):
                    row = UsageRecord(
                        account_id=account_id,
                        kind=kind,
                        key_id=key_id,
                        hour=hour,
                        quantity=quantity,
                        last_at=moment,
                    )
                    repository.add(db, row)
        except Exception:
            with self._lock:
                self._writing = {}
                for bucket, (quantity, moment) in pending.items():
                    more = self._pending.get(bucket, (0.0, moment))
                    self._pending[bucket] = (more[0] + quantity, max(more[1], moment))
            raise
        with self._lock:
            self._writing = {}

    def sweep(self, db: Session) -> None:
        """Sums old days up, a kind and key to a row, some rows at a time; no sum changes.

        For the platform's own transaction, which sees all accounts; safe to call at any time.
        """
        today = datetime.combine(self._clock.now(), time.min, UTC)
        repository.sum_up(db, today - timedelta(days=domain.DAYS_BY_HOURS), CLEANUP_BATCH_ROWS)

    def requests_of(self, db: Session, key_id: str) -> tuple[int, int, int]:
        """Counts a key's requests of the last 24 hours, 7 days and 30 days."""
        now = self._clock.now()
        fresh = sum(
            quantity
            for (_, kind, key, _), (quantity, _) in self._noted()
            if key == key_id and kind == Kind.REQUESTS
        )
        day, week, month = (
            int(fresh + repository.total(db, Kind.REQUESTS, key_id, now - timedelta(days=days)))
            for days in (1, 7, 30)
        )
        return day, week, month

    def last_used(self, db: Session, key_ids: Collection[str]) -> dict[str, datetime]:
        """Tells when keys were last used; those that never were are left out."""
        last = repository.last_used(db, key_ids)
        for (_, _, key, _), (_, moment) in self._noted():
            if key in key_ids:
                last[key] = max(moment, last.get(key, moment))
        return last

    def consumptions(self, db: Session, account_ids: Collection[str]) -> dict[str, int]:
        """Counts the units that each of some accounts has consumed, for the operator."""
        stored = repository.totals_of(db, account_ids)
        return {one: self._consumption(one, stored.get(one, {})) for one in account_ids}

    def consumption(self, db: Session, account_id: str) -> int:
        """Counts the units an account has consumed."""
        return self._consumption(account_id, dict(repository.totals(db)))

    def _consumption(self, account_id: str, stored: Mapping[str, float]) -> int:
        """Adds what is noted and not written yet."""
        totals = {read_member(Kind, kind): total for kind, total in stored.items()}
        for (account, kind, _, _), (quantity, _) in self._noted():
            if account == account_id:
                totals[Kind(kind)] = totals.get(Kind(kind), 0.0) + quantity
        return domain.consumption(totals)

    def days(self, start: date | None, end: date | None, span: int) -> tuple[date, date]:
        """Fills in a stretch of days: up to today, `span` days long."""
        last = end or self._clock.now().date()
        return start or max(date.min + timedelta(days=span), last) - timedelta(days=span - 1), last

    def between(
        self, db: Session, account_id: str, first: date, last: date
    ) -> list[tuple[date, str, str, float]]:
        """Lists day, kind, key and quantity from one day up to another, both included."""
        start, stop = datetime.combine(first, time.min, UTC), datetime.combine(last, time.max, UTC)
        sums: dict[tuple[date, str, str], float] = defaultdict(float)
        for row in repository.since(db, start, stop):
            sums[row.hour.date(), row.kind, row.key_id] += row.quantity
        for (account, kind, key, hour), (quantity, _) in self._noted():
            if account == account_id and start <= hour < stop:
                sums[hour.date(), kind, key] += quantity
        return [(*bucket, quantity) for bucket, quantity in sorted(sums.items())]

    def _noted(self) -> list[tuple[Bucket, tuple[float, datetime]]]:
        with self._lock:
            return [*self._writing.items(), *self._pending.items()]
