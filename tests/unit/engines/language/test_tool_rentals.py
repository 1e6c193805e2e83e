"""Rentals of tools, with a date of renting, one due and one of return: which dates are meant."""

from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {
    "rental_no": "integer", "rented_at": "time", "shop": "string", "tool": "string",
    "season": "integer", "due_date": "date", "returned_date": "date", "return_desk": "string",
    "deposit_fee": "float",
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def rows() -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for at in range(400):
        rented = datetime(2025, 1, 1, 8) + timedelta(hours=37 * at)  # noqa: DTZ001 - naive rows
        due = rented.date() + timedelta(7)
        back = None if at % 9 == 0 else due + timedelta(at * at % 11 - 5)
        found.append(
            (5000 + at, rented, ("Quay", "Mill", "Hill")[at % 3], ("Drill", "Saw")[at // 3 % 2],
             at % 12 + 1, due, back, ("Front", "Yard")[at % 2] if back else None,
             20.0 + at * 7 % 80)
        )  # fmt: skip
    return found


@pytest.fixture(scope="module")
def rentals() -> Asked:
    return store_of("rentals", COLUMNS, rows()), reader_of("rentals", COLUMNS, rows())


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many rentals were returned late?",
         "select count(*) from rentals where returned_date > due_date"),
        ("what share of rentals came back on time by shop",
         ("select shop, 100.0 * count_if(returned_date <= due_date) / count(*) from rentals"
          " group by 1")),
        ("late returns by tool",
         "select tool, count(*) from rentals where returned_date > due_date group by 1"),
        ("how many rentals were not returned on time?",
         "select count(*) from rentals where returned_date > due_date"),
        ("how many rentals were returned early?",
         "select count(*) from rentals where returned_date < due_date"),
    ],
)  # fmt: skip
def test_late_is_after_the_date_due(rentals: Asked, question: str, right: str) -> None:
    answers_as(rentals, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("rentals by weekday and return desk",
         "select dayname(rented_at), return_desk, count(*) from rentals group by 1, 2"),
        ("rentals per day in March 2026",
         ("select date_trunc('day', rented_at), count(*) from rentals"
          " where rented_at >= '2026-03-01' and rented_at < '2026-04-01' group by 1")),
    ],
)  # fmt: skip
def test_a_day_is_of_no_date_that_is_but_called_so(
    rentals: Asked, question: str, right: str
) -> None:
    answers_as(rentals, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("average days to return by shop",
         ("select shop, avg(date_diff('day', rented_at::date, returned_date)) from rentals"
          " group by 1")),
        ("average days until return",
         "select avg(date_diff('day', rented_at::date, returned_date)) from rentals"),
    ],
)  # fmt: skip
def test_the_time_to_something_is_from_the_first_date(
    rentals: Asked, question: str, right: str
) -> None:
    answers_as(rentals, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many rentals were rented in the first half of 2025?",
         "select count(*) from rentals where rented_at < '2025-07-01'"),
        ("rentals by shop in H2 2025",
         ("select shop, count(*) from rentals"
          " where rented_at >= '2025-07-01' and rented_at < '2026-01-01' group by 1")),
        ("how many rentals were rented in the 2010s?",
         "select count(*) from rentals where year(rented_at) between 2010 and 2019"),
        ("rentals per decade",
         "select 10 * (year(rented_at) // 10), count(*) from rentals group by 1"),
    ],
)  # fmt: skip
def test_halves_of_years_and_decades_are_periods(rentals: Asked, question: str, right: str) -> None:
    answers_as(rentals, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("average deposit fee by shop in season 3",
         "select shop, avg(deposit_fee) from rentals where season = 3 group by 1"),
        ("deposit fee per rental by tool", "select tool, avg(deposit_fee) from rentals group by 1"),
        ("all shops except Mill with their total deposit fee",
         "select shop, sum(deposit_fee) from rentals where shop <> 'Mill' group by 1"),
        ("shops with an average of more than 59 deposit fee",
         "select shop from rentals group by 1 having avg(deposit_fee) > 59"),
    ],
)  # fmt: skip
def test_a_group_is_what_stands_beside_its_cue(rentals: Asked, question: str, right: str) -> None:
    answers_as(rentals, question, right, TODAY)


def test_a_number_of_days_tests_no_key(rentals: Asked) -> None:
    found = rentals[1].read("how many rentals stay unreturned after 60 days?", TODAY)
    assert isinstance(found, NotUnderstood), found.sql


def test_half_an_hour_is_a_number(rentals: Asked) -> None:
    found = rentals[1].read("how many rentals were under half an hour?", TODAY)
    assert isinstance(found, NotUnderstood), found.sql
