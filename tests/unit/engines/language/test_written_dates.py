"""Questions about dates that are stored as text, in one order of year, month and day."""

from dataclasses import replace
from datetime import date
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.answering.questions import Answerable, Reader
from modelwright.engines.language.written_dates import formats_of

COLUMNS = {"shop": "string", "sold_on": "string", "price": "float", "opened": "string"}
ROWS: list[tuple[Any, ...]] = [
    ("Ann", "1/31/2024", 10.0, "31.12.23 5:00 PM"),
    ("Ann", "02/05/2024", 20.0, "1.2.24 11:30 AM"),
    ("Bob", "3/5/2024", 40.0, "15.2.24 7:00 AM"),
    ("Bob", "3/6/2024", 80.0, None),
]  # fmt: skip


@pytest.fixture(scope="module")
def store() -> duckdb.DuckDBPyConnection:
    return store_of("sales", COLUMNS, ROWS)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of("sales", COLUMNS, ROWS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many sales were there in March 2024?", [(2,)]),
        ("Total price of sales sold on after February 2024", [(120.0,)]),
        ("Show shop and price sorted by sold on", [(10.0,), (20.0,), (40.0,), (80.0,)]),
        ("What was sold on of the sale with the price 20?", [("02/05/2024",)]),
        ("How many sales have a missing opened?", [(1,)]),
        ("How many sales were sold on 3/5/2024?", [(1,)]),
        ("Total price of sales sold on from 2/1/2024 to 3/5/2024", [(60.0,)]),
        ("How many sales were opened before 1.2.24?", [(1,)]),
        ("Average price per month of sold on", [(10.0,), (20.0,), (60.0,)]),
    ],
)
def test_are_answered_by_the_dates(
    store: duckdb.DuckDBPyConnection, reader: Reader, question: str, rows: list[Any]
):
    answer = reader.read(question, date(2024, 5, 20))
    assert isinstance(answer, Answerable), answer
    found = store.execute(answer.sql).fetchall()
    assert [row[-1:] for row in found] == rows, answer.sql


def test_are_no_dates_where_day_and_month_could_be_either():
    rows = [("Ann", "1/2/2024", 10.0, "x"), ("Bob", "3/4/2024", 20.0, "y")]
    answer = reader_of("sales", COLUMNS, rows).read("Total price per month", date(2024, 5, 20))
    assert "STRPTIME" not in getattr(answer, "sql", "")


NAMED: list[tuple[Any, ...]] = [
    ("IBM", "Jan 1 2008", 100.0),
    ("IBM", "Feb 1 2008", 110.0),
    ("IBM", "May 1 2009", 120.0),
    ("GE", "December 15 2009", 30.0),
]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("price of IBM in february 2008", [(110.0,)]),
        ("How many rows were there in 2009?", [(2,)]),
        ("average price per year", [(105.0,), (75.0,)]),
        ("price of GE on 2009-12-15", [(30.0,)]),
        ("last date", [(date(2009, 12, 15),)]),
        ("first date", [(date(2008, 1, 1),)]),
    ],
)
def test_whose_months_have_names_are_dates(question: str, rows: list[Any]):
    columns = {"symbol": "string", "date": "string", "price": "float"}
    answer = reader_of("stocks", columns, NAMED).read(question, date(2026, 5, 20))
    assert isinstance(answer, Answerable), answer
    found = store_of("stocks", columns, NAMED).execute(answer.sql).fetchall()
    assert [row[-1:] for row in found] == rows, answer.sql


def test_two_digits_of_a_year_are_no_year_of_their_own():
    columns = {"kind": "string", "made": "string"}
    rows = [("call", "16/01/15"), ("call", "2/2/2015"), ("text", "30/1/15"), ("text", "31/12/2014")]
    answer = reader_of("talks", columns, rows).read("number of talks by year", date(2026, 5, 20))
    assert isinstance(answer, Answerable), answer
    found = store_of("talks", columns, rows).execute(answer.sql).fetchall()
    assert [count for *_, count in found] == [1, 3], answer.sql


RAIN = {"day": "integer", "rain": "float"}
RAINED = [(20231230, 1.0), (20240105, 2.0), (20240131, 4.0), (20240704, 8.0)]


class TestDaysOfEightDigits:
    @pytest.mark.parametrize(
        ("question", "last"),
        [
            ("Total rain by month", [1.0, 6.0, 8.0]),
            ("Total rain in January 2024", [6.0]),
            ("rain on July 4", [8.0]),
            ("Total rain before 2024-02-01", [7.0]),
            ("Total rain after 20240105", [12.0]),
            ("wettest 2 days by rain", [8.0, 4.0]),
            ("the latest day", [date(2024, 7, 4)]),
        ],
    )
    def test_are_dates(self, question: str, last: list[Any]):
        answer = reader_of("weather", RAIN, RAINED).read(question, date(2024, 9, 1))
        assert isinstance(answer, Answerable), answer
        found = store_of("weather", RAIN, RAINED).execute(answer.sql).fetchall()
        assert [row[-1] for row in found] == last, answer.sql

    def test_other_numbers_of_eight_digits_are_numbers(self):
        rows = [(20231230, 1.0), (20241305, 2.0), (20240131, 4.0)]
        answer = reader_of("weather", RAIN, rows).read("average day", date(2024, 9, 1))
        assert "AVG" in getattr(answer, "sql", ""), answer

    def test_numbers_of_which_nothing_is_known_are_no_dates(self):
        unknown = ColumnFacts("quantity", "integer", 500, 0, 500, None, None, ())
        assert formats_of(unknown) == ()
        days = tuple((20240100 + day, 1) for day in range(1, 4))
        assert formats_of(replace(unknown, top=days)) == ("%Y%m%d",)
