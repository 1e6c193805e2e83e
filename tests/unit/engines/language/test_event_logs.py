"""Questions of a log of events: percentiles of a duration, kinds of events over time."""

import random
from datetime import date, datetime, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def log() -> Asked:
    chance = random.Random(4)
    columns = {
        "event_id": "string", "ts": "time", "user_id": "string", "session_id": "string",
        "event_type": "string",
        "platform": "string", "duration_ms": "integer", "status_code": "integer",
    }  # fmt: skip
    rows = [
        (f"e{at:05d}", datetime(2026, 8, 1) + timedelta(minutes=37 * at),  # noqa: DTZ001
         f"u{chance.randint(1, 40):03d}", f"s{chance.randint(1, 300):04d}",
         chance.choice(["page_view", "login", "signup", "purchase"]),
         chance.choice(["web", "ios", "android"]), int(chance.lognormvariate(6, 1)),
         chance.choice([200, 302, 404, 500])) for at in range(900)
    ]  # fmt: skip
    return store_of("events", columns, rows), reader_of("events", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("90th percentile of duration", "select quantile_cont(duration_ms, 0.9) from events"),
        ("p95 duration", "select quantile_cont(duration_ms, 0.95) from events"),
        ("duration 99.5 percentile", "select quantile_cont(duration_ms, 0.995) from events"),
        ("upper quartile of the duration", "select quantile_cont(duration_ms, 0.75) from events"),
        ("p50 and p90 duration by platform",
         ("select platform, quantile_cont(duration_ms, 0.5), quantile_cont(duration_ms, 0.9)"
         " from events group by 1")),
        ("95th percentile of duration for web logins",
         ("select quantile_cont(duration_ms, 0.95) from events"
         " where platform = 'web' and event_type = 'login'")),
        ("which platform has the highest p95 duration?",
         ("select platform from events group by 1"
         " order by quantile_cont(duration_ms, 0.95) desc limit 1")),
    ],
)  # fmt: skip
def test_percentiles(log: Asked, question: str, right: str) -> None:
    answers_as(log, question, right, TODAY)


@pytest.mark.parametrize(
    "question",
    [
        "events with a duration above the 90th percentile",
        "90th percentile of platform",
        "4xx events",
        "new users by month",
        "events with duration over 9 hours",
    ],
)
def test_what_nothing_computes_or_holds_is_refused(log: Asked, question: str) -> None:
    assert isinstance(log[1].read(question, TODAY), NotUnderstood)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("events longer than 2000 ms", "select * from events where duration_ms > 2000"),
        ("events slower than 500 ms", "select * from events where duration_ms > 500"),
        ("duration over 2 seconds", "select * from events where duration_ms > 2000"),
        ("events since 2026", "select * from events where ts >= '2026-01-01'"),
        ("average duration per event", "select avg(duration_ms) from events"),
        ("how many sessions", "select count(distinct session_id) from events"),
        ("sessions on ios", "select distinct session_id from events where platform = 'ios'"),
    ],
)
def test_units_and_what_an_id_names(log: Asked, question: str, right: str) -> None:
    answers_as(log, question, right, TODAY)
