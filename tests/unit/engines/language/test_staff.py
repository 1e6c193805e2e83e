"""A short list of staff: superlatives count there too, and a stay runs from date to date."""

import random
from datetime import date, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

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


@pytest.fixture(scope="module")
def many() -> Asked:
    """Two hundred of them, men and women."""
    columns, rows = COLUMNS | {"Sex": "string"}, []
    for at in range(200):
        hired = date(2012, 1, 1) + timedelta(at * 17)
        left = hired + timedelta(100 + at * 3) if at % 3 == 0 else None
        rows.append((
            1000 + at, f"Ada {at}", ("Sales", "HR", "Support")[at % 3],
            30_000 + 500 * (at * 7 % 150), hired, left, at % 30,
            ("Below", "Meets", "Exceeds")[at // 2 % 3], "MF"[at // 5 % 2],
        ))  # fmt: skip
    return store_of("staff", columns, rows), reader_of("staff", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("who left in 2016", "select * from staff where year(TerminationDate) = 2016"),
        ("how many people left in 2016",
         "select count(*) from staff where year(TerminationDate) = 2016"),
        ("employees who left", "select * from staff where TerminationDate is not null"),
        ("who joined in 2015", "select * from staff where year(HireDate) = 2015"),
        ("how many vacation days are left", "select sum(VacationDaysLeft) from staff"),
    ],
)  # fmt: skip
def test_who_left_has_a_date_of_termination(many: Asked, question: str, right: str) -> None:
    answers_as(many, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("gender pay gap", "select Sex, avg(AnnualSalary) from staff group by 1"),
        ("gender pay gap by department",
         "select Department, Sex, avg(AnnualSalary) from staff group by 1, 2"),
        ("payroll by department", "select Department, sum(AnnualSalary) from staff group by 1"),
    ],
)  # fmt: skip
def test_a_gap_is_between_two_kinds(many: Asked, question: str, right: str) -> None:
    answers_as(many, question, right, TODAY)


def test_a_gap_between_nothing_is_asked_back(many: Asked) -> None:
    read = many[1].read("pay gap by department", TODAY)
    assert isinstance(read, NotUnderstood), read
