"""The one row that a superlative means, and the figure of it that is asked for."""

import pytest

from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code, Severity

from .conftest import Data, Make

PAYOUTS = """
    select ['fire', 'theft', 'water'][1 + i % 3] as cause, (20 + i * 7 % 50)::int as age,
    (100 + i * 37 % 900)::double as amount, (1 + i * 11 % 48)::int as duration
    from range(1, 101) t(i)"""
DAYS = """
    select date '2025-01-01' + i::int as day, (i * 37 % 101)::int as rain_mm
    from range(1, 101) t(i)"""


@pytest.fixture(scope="module")
def loans(make: Make) -> Data:
    return make({"loans": PAYOUTS})


@pytest.fixture(scope="module")
def weather(make: Make) -> Data:
    return make({"weather": DAYS})


def faults(data: Data, question: str, sql: str) -> set[Code]:
    found = check(sql, data.request(question))
    return {one.code for one in found if one.severity is Severity.FAULT}


ONE = "SELECT {} FROM loans ORDER BY {} DESC, amount ASC LIMIT 1"


@pytest.mark.parametrize(
    ("question", "shown", "ranked", "is_faulty"),
    [
        ("longest loan", "amount", "duration", True),
        ("longest loan", "*", "duration", False),
        ("largest loan", "amount", "amount", False),
        ("amount of the longest loan", "amount", "duration", False),
        ("how much did the oldest borrower get", "amount", "age", False),
        ("how much did the oldest borrower get", "age", "age", True),
        ("what age is the oldest borrower", "age", "age", False),
    ],
)
def test_is_told_by_what_is_asked_of_it(
    loans: Data, question: str, shown: str, ranked: str, is_faulty: bool
) -> None:
    assert (Code.OTHER_KIND in faults(loans, question, ONE.format(shown, ranked))) is is_faulty


@pytest.mark.parametrize(
    ("question", "sql", "is_faulty"),
    [
        ("how much did the youngest get", "SELECT MIN(age) FROM loans", True),
        ("how much is the cheapest", "SELECT MIN(amount) FROM loans", False),
        ("how much was the largest loan", "SELECT MAX(amount) FROM loans", False),
    ],
)
def test_an_amount_is_no_age(loans: Data, question: str, sql: str, is_faulty: bool) -> None:
    assert (Code.OTHER_KIND in faults(loans, question, sql)) is is_faulty


def test_rows_are_no_months(loans: Data) -> None:
    question = "how many months is the longest loan"
    wrong = "SELECT MAX(amount), COUNT(*) FROM loans"
    assert Code.OTHER_ROWS in faults(loans, question, wrong)
    assert not faults(loans, question, "SELECT MAX(duration) FROM loans")


def test_rows_are_days_where_each_has_one(weather: Data) -> None:
    question = "how many days had more than 50 mm of rain"
    assert not faults(weather, question, "SELECT COUNT(*) FROM weather WHERE rain_mm > 50")
