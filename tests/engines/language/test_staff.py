"""A short list of staff: superlatives count there too, and a stay runs from date to date."""

import random
from datetime import date, timedelta

import duckdb
import pytest
from tests.engines.language.made import answers_as, reader_of, store_of

from modelwright.engines.language.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {
    "EmployeeID": "integer", "FullName": "string", "Department": "string",
    "AnnualSalary": "integer", "HireDate": "date", "TerminationDate": "date",
    "VacationDaysLeft": "integer", "PerformanceRating": "string",
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def asked() -> Asked:
    chance, rows = random.Random(4), []
    for at in range(90):
        hired = date(2012, 1, 1) + timedelta(chance.randrange(4000))
        left = hired + timedelta(chance.randint(100, 900)) if chance.random() < 0.3 else None
        rows.append((
            1000 + at, f"Ada {chr(65 + at % 26)}{at}", chance.choice(["Sales", "HR", "Support"]),
            30_000 + 500 * chance.randrange(200), hired, left, chance.randrange(30),
            chance.choice(["Below", "Meets", "Exceeds"]),
        ))  # fmt: skip
    return store_of("staff", COLUMNS, rows), reader_of("staff", COLUMNS, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("who earns the most in Sales?",
         ("select FullName from staff where Department = 'Sales'"
         " order by AnnualSalary desc, EmployeeID limit 1")),
        ("how long do people stay on average?",
         "select avg(date_diff('day', HireDate, TerminationDate)) from staff"),
    ],
)  # fmt: skip
def test_is_answered_by_it_all(asked: Asked, question: str, right: str) -> None:
    answers_as(asked, question, right, TODAY)


def test_a_rate_is_no_rating(asked: Asked) -> None:
    read = asked[1].read("attrition rate by department", TODAY)
    assert isinstance(read, NotUnderstood), read
