"""`On average` names no date that is called Billed On."""

import pytest

from modelwright.engines.language.checks.checking import check

from .conftest import Data, Make

BILLS = """
    select i as bill_no, ['east', 'west'][1 + i % 2] as branch, date '2025-01-03' + i::int as
    billed_on, date '2025-01-17' + i::int as owed_on, date '2025-01-09' + (i + i % 9)::int as
    settled_on, (10 + i % 70)::double as total from range(1, 301) t(i)"""
SQL = """
    SELECT branch, AVG(DATE_DIFF('day', {}, settled_on)) FROM bills GROUP BY branch"""


@pytest.fixture(scope="module")
def bills(make: Make) -> Data:
    return make({"bills": BILLS})


def test_a_preposition_calls_no_date(bills: Data) -> None:
    question = "how many days from billing to settlement on average by branch"
    found = check(SQL.format("billed_on"), bills.request(question))
    assert not found


def test_a_date_that_nothing_calls_is_found(bills: Data) -> None:
    question = "how many days to settlement on average by branch"
    found = check(SQL.format("owed_on"), bills.request(question))
    assert any("billed_on" in one.message for one in found)
