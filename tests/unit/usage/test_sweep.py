"""Old usage is kept by the day, and no answer changes by it."""

from datetime import date

import pytest
from sqlalchemy import select

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.usage import service
from modelwright.usage.domain import DAYS_BY_HOURS, Kind
from modelwright.usage.orm import UsageRecord
from modelwright.usage.service import Usage

USED = (("user_a", "key_a"), ("user_a", ""), ("user_b", "key_b"))


@pytest.fixture
def usage(container: Container, clock: FrozenClock) -> Usage:
    """Two days of usage by three keys, six hours from each other, of which the last is kept."""
    made = Usage(container.database, clock)
    for _ in range(8):
        for account, key in USED:
            made.record(account, Kind.PREDICTIONS, 300.0, key)
        made.flush()
        clock.advance(hours=6)
    return made


def sweep(container: Container) -> None:
    duty = next(duty for duty in container.duties if duty.name == "usage.sweep")
    with container.database.transaction(ALL_ACCOUNTS) as db:
        duty.carry_out(db)


def rows(container: Container) -> list[tuple[str, str, float]]:
    with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
        wanted = select(UsageRecord).order_by(
            UsageRecord.account_id, UsageRecord.key_id, UsageRecord.hour
        )
        return [(row.key_id, row.hour.isoformat(), row.quantity) for row in db.scalars(wanted)]


def told(container: Container, usage: Usage) -> object:
    with container.database.transaction("user_a", write=False) as db:
        days = usage.between(db, "user_a", date(2026, 1, 1), date(2026, 12, 31))
        return days, usage.consumption(db, "user_a"), usage.last_used(db, ["key_a"])


def test_a_day_that_is_old_is_one_row_and_answers_stay(
    container: Container, usage: Usage, clock: FrozenClock
):
    before = told(container, usage)
    clock.advance(days=DAYS_BY_HOURS)
    sweep(container)
    sweep(container)
    assert told(container, usage) == before
    assert [row for row in rows(container) if row[0] == "key_a"] == [
        ("key_a", "2026-03-02T00:00:00+00:00", 600.0),
        ("key_a", "2026-03-03T00:00:00+00:00", 1200.0),
        ("key_a", "2026-03-04T00:00:00+00:00", 300.0),
        ("key_a", "2026-03-04T06:00:00+00:00", 300.0),
    ]


def test_only_some_rows_are_summed_up_at_a_time(
    container: Container, usage: Usage, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "CLEANUP_BATCH_ROWS", 1)
    before = told(container, usage)
    clock.advance(days=365)
    counts = [len(rows(container))]
    while counts[-1] > 9:
        sweep(container)
        counts.append(len(rows(container)))
        assert counts[-2] - counts[-1] <= 1
    assert told(container, usage) == before
