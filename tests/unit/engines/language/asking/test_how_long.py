"""How long something lasts, told by two dates of its rows that the question does not name."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Data, Make
from .test_arbiter import decide

RENTALS = """
    select i as rental_no, ['card', 'cash'][1 + i % 2] as payment,
    timestamp '2025-01-05 08:00' + to_hours((i * 5)::int) as pickup,
    timestamp '2025-01-05 08:00' + to_hours((i * 5)::int) + to_minutes((20 + i * i % 90)::int)
    as dropoff, ((i * 37) % 101 / 4)::double as distance from range(1, 101) t(i)"""
TICKETS = """
    select i as ticket_no, ['web', 'phone'][1 + i % 2] as channel,
    date '2025-01-05' + (i * 2)::int as opened, date '2025-01-06' + (i * 2 + i * i % 9)::int
    as closed from range(1, 101) t(i)"""
MINUTES = "date_diff('second', pickup, dropoff) / 60"
DAYS = "date_diff('day', opened, closed)"


@pytest.fixture(scope="module")
def rentals(make: Make) -> Data:
    return make({"rentals": RENTALS})


@pytest.fixture(scope="module")
def tickets(make: Make) -> Data:
    return make({"tickets": TICKETS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average duration", f"select avg({MINUTES}) from rentals"),
        ("how long does a rental take on average", f"select avg({MINUTES}) from rentals"),
        ("how long was the longest rental", f"select max({MINUTES}) from rentals"),
        ("average rental duration by payment",
         f"select payment, avg({MINUTES}) from rentals group by 1"),
    ],
)  # fmt: skip
def test_is_the_time_between_them(rentals: Data, question: str, sql: str) -> None:
    assert answered(rentals, question) == values(rentals, sql)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how long do tickets take on average", f"select avg({DAYS}) from tickets"),
        ("average duration by channel",
         f"select channel, avg({DAYS}) from tickets group by 1"),
    ],
)  # fmt: skip
def test_is_told_in_days_where_rows_have_days(tickets: Data, question: str, sql: str) -> None:
    assert answered(tickets, question) == values(tickets, sql)


def test_the_longest_may_be_the_farthest(rentals: Data) -> None:
    decision = decide(rentals, "longest rental")
    assert isinstance(decision, Answer)
    assert any("distance may be meant" in one for one in decision.warnings)


def answered(data: Data, question: str) -> list[object]:
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    return values(data, decision.reading.best.sql)


def values(data: Data, sql: str) -> list[object]:
    return sorted(
        round(one, 6) if isinstance(one, float) else one
        for row in data.run(sql).rows
        for one in row
        if not isinstance(one, str)
    )
