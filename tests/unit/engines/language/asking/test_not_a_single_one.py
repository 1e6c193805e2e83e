"""What only goes with a denial, `not a single booking`, says no more than the denial does."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Data, Make
from .test_arbiter import decide

HOTEL = {
    "guests": """
        select i as guest_id, 'Guest ' || i as guest_name from range(1, 41) t(i)""",
    "rooms": """
        select i as room_id, 'Room ' || i as room_name from range(1, 31) t(i)""",
    "bookings": """
        select i as booking_id, 1 + i * 7 % 35 as guest_id, 1 + i * 11 % 26 as room_id,
        date '2023-01-01' + (i * 3)::int as booked_on from range(1, 201) t(i)""",
}
NEVER = "select guest_name from guests where guest_id not in (select guest_id from bookings{})"
UNREAD = "select room_name from rooms where room_id not in (select room_id from bookings{})"
IN_2024 = " where year(booked_on) = 2024"


@pytest.fixture(scope="module")
def hotel(make: Make) -> Data:
    return make(HOTEL)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("guests who did not have a single booking", NEVER.format("")),
        ("which guests have not booked anything in 2024", NEVER.format(IN_2024)),
        ("guests without a single booking in 2024", NEVER.format(IN_2024)),
        ("rooms nobody has ever booked", UNREAD.format("")),
        ("rooms that no one booked in 2024", UNREAD.format(IN_2024)),
    ],
)
def test_is_told_by_the_denial(hotel: Data, question: str, sql: str) -> None:
    decision = decide(hotel, question)
    assert isinstance(decision, Answer), decision
    wanted = hotel.run(sql).rows
    assert sorted(map(tuple, decision.reading.result.rows)) == sorted(map(tuple, wanted))
    assert "single" not in decision.reading.best.interpretation


def test_is_never_turned_round(hotel: Data) -> None:
    for question in ("rooms nobody cleaned", "guests who booked nothing in 2024"):
        decision = decide(hotel, question)
        assert not isinstance(decision, Answer) or "NOT" in decision.reading.best.sql
