"""Rows with several dates, and a time of which no word says the date: likely ones are offered."""

from collections.abc import Sequence
from datetime import date

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Data, Make
from .test_arbiter import decide

REFUNDS = """
    select 'R' || i as refund_no, 'P' || (i // 2) as purchase, date '2025-01-03' + i::int as
    purchase_date, date '2025-01-09' + (i + i % 5)::int as asked_on,
    case when i % 4 > 0 then date '2025-02-01' + i::int end as granted_on,
    (5 + i % 40)::double as amount from range(1, 601) t(i)"""
CLAIMS = """
    select i as claim_no, ['fire', 'theft'][1 + i % 2] as peril, date '2025-01-03' + i::int as
    incident_date, date '2025-01-05' + (i + i % 7)::int as reported_on,
    case when i % 4 > 0 then date '2025-03-01' + i::int end as settled_on,
    (100 + i)::double as sum_paid from range(1, 601) t(i)"""
PUPILS = """
    select i as pupil_no, date '2012-03-01' + (i * 3)::int as birth_date, date '2025-01-05' +
    (i * 2)::int as enrolled_on, date '2025-06-01' + (i * 2)::int as left_on,
    ['a', 'b'][1 + i % 2] as class
    from range(1, 301) t(i)"""


@pytest.fixture(scope="module")
def refunds(make: Make) -> Data:
    return make({"shop_refunds": REFUNDS})


@pytest.fixture(scope="module")
def claims(make: Make) -> Data:
    return make({"fire_claims": CLAIMS})


@pytest.fixture(scope="module")
def pupils(make: Make) -> Data:
    return make({"school_pupils": PUPILS})


@pytest.mark.parametrize(
    "question", ["refunds per month", "refunds per month over the past year", "refunds in June"]
)
def test_the_date_of_another_thing_is_not_taken_for_that_of_the_rows(
    refunds: Data, question: str
) -> None:
    assert {"purchase_date", "asked_on"} <= set(offered(refunds, question, REFUND_DATES))


@pytest.mark.parametrize("question", ["claims per month", "claims this year", "claims by year"])
def test_a_name_that_ends_with_date_is_no_likelier(claims: Data, question: str) -> None:
    assert offered(claims, question, CLAIM_DATES) == ["incident_date", "reported_on", "settled_on"]


@pytest.mark.parametrize("question", ["pupils per month", "how many pupils this year"])
def test_a_time_is_never_of_a_birth(pupils: Data, question: str) -> None:
    decision = decide(pupils, question)
    assert isinstance(decision, Answer)
    assert "enrolled_on" in decision.reading.best.sql


def test_the_same_days_are_meant_by_all_readers(claims: Data) -> None:
    decision = decide(claims, "claims reported in the last 12 months")
    assert isinstance(decision, Answer)
    assert decision.reading.read_by == ("rules", "grammar")
    first = date(2025, 11, 20)
    assert f"{first}" in decision.reading.best.sql


REFUND_DATES = ("purchase_date", "asked_on", "granted_on")
CLAIM_DATES = ("incident_date", "reported_on", "settled_on")


def offered(data: Data, question: str, dates: Sequence[str]) -> list[str]:
    """Returns the dates that the choices are told by."""
    decision = decide(data, question)
    assert isinstance(decision, Choices), decision
    told = [one.best.sql for one in decision.readings]
    return [next(day for day in dates if day in sql) for sql in told]
