"""What is noted while other threads note as well."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.orm import Session

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.usage import repository
from modelwright.usage.domain import Kind
from modelwright.usage.orm import UsageRecord
from modelwright.usage.service import Usage

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Interrupted(datetime):
    """A moment; something else happens just after it was compared for the first time."""

    meanwhile: list[Callable[[], None]] = []  # noqa: RUF012 - emptied by the first comparison

    def __lt__(self, other: datetime) -> bool:  # type: ignore[override]
        told = super().__lt__(other)
        while self.meanwhile:
            self.meanwhile.pop()()
        return told


class TestNote:
    def test_counts_for_the_hour_of_the_moment_whatever_another_thread_notes(
        self, container: Container
    ):
        clock = FrozenClock(NOON)
        usage = Usage(container.database, clock)

        def late() -> None:
            clock.moment = NOON - timedelta(milliseconds=1)
            usage.record("user_late", Kind.REQUESTS)

        usage.record("user_early", Kind.REQUESTS)
        clock.moment = Interrupted.fromisoformat(NOON.isoformat())
        Interrupted.meanwhile.append(late)
        usage.record("user_early", Kind.REQUESTS)
        assert {bucket[0]: (bucket[3], told[0]) for bucket, told in usage._pending.items()} == {
            "user_early": (NOON, 2.0),
            "user_late": (NOON - timedelta(hours=1), 1.0),
        }


class TestFlush:
    def test_writes_in_one_order_whatever_was_noted_first(
        self, container: Container, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
    ):
        written: list[str] = []
        add = repository.add

        def note(db: Session, row: UsageRecord) -> None:
            written.append(row.account_id)
            add(db, row)

        monkeypatch.setattr(repository, "add", note)
        for order in (("user_b", "user_a", "user_c"), ("user_c", "user_b", "user_a")):
            usage = Usage(container.database, clock)
            for account_id in order:
                usage.record(account_id, Kind.REQUESTS)
            usage.flush()
        assert written == ["user_a", "user_b", "user_c"] * 2
