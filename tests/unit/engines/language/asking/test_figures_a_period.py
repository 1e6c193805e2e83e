"""Figures a period, shares of others, reasons, and months of which there are several."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Make
from .test_arbiter import decide
from .test_two_figures import told

TABLES = {
    "bakery": """
        select i as sale_no, date '2023-01-02' + (i * 2)::int as sold_on,
        ['Nord', 'Süd'][1 + i % 2] as shop, (2 + i * 7 % 23)::int as units,
        (10 + i * 11 % 70)::double as revenue, (1 + i % 5)::double as oven_temp
        from range(1, 401) t(i)""",
    "claims": """
        select i as claim_id, date '2024-01-01' + i::int as filed_on,
        ['open', 'settled', 'rejected', 'on hold'][1 + i % 4] as state,
        case when i % 4 = 2 then ['moved', 'too late', 'paid elsewhere'][1 + i // 4 % 3] end
        as rejection_reason, (100 + i * 7 % 900)::double as asked_usd, (50 + i * 13 % 1200)::double
        as paid_amount, case when i % 4 = 2 then date '2024-02-01' + i::int end as rejected_on,
        ['hail', 'fire'][1 + i % 2] as peril from range(1, 241) t(i)""",
}


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("bakery", "average monthly revenue",
         "select sum(revenue) / count(distinct date_trunc('month', sold_on)) from bakery"),
        ("bakery", "what is our average weekly turnover by shop",
         ("select shop, sum(revenue) / count(distinct date_trunc('week', sold_on)) from bakery"
         " group by 1")),
        ("bakery", "average daily units",
         "select sum(units) / count(distinct sold_on) from bakery"),
        ("bakery", "average oven temp per month",
         "select date_trunc('month', sold_on), avg(oven_temp) from bakery group by 1"),
        ("bakery", "mean units per week",
         "select sum(units) / count(distinct date_trunc('week', sold_on)) from bakery"),
        ("claims", "average claims per week",
         "select count(*) / count(distinct date_trunc('week', filed_on)) from claims"),
        ("claims", "claims excluding rejected and on hold by peril",
         "select peril, count(*) from claims where state in ('open', 'settled') group by 1"),
        ("claims", "why were claims rejected",
         "select rejection_reason, count(*) from claims where state = 'rejected' group by 1"),
        ("claims", "how much was paid for hail",
         "select sum(paid_amount) from claims where peril = 'hail'"),
        ("claims", "claims where the paid amount is more than 20% above the asked usd",
         "select * from claims where paid_amount > 1.2 * asked_usd"),
        ("claims", "how many claims have a paid amount of at least twice the asked usd",
         "select count(*) from claims where paid_amount >= 2 * asked_usd"),
        ("claims", "claims whose paid amount is more than 30 percent below the asked usd",
         "select * from claims where paid_amount < 0.7 * asked_usd"),
        ("claims", "number of claims excluding rejected by peril",
         "select peril, count(*) from claims where rejected_on is null group by 1"),
    ],
)  # fmt: skip
def test_is_answered(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    assert told(data, decision.reading.best.sql) == told(data, sql)
    assert not decision.warnings


@pytest.mark.parametrize(
    ("question", "ways"),
    [
        ("revenue in march by shop",
         ["select shop, sum(revenue) from bakery where month(sold_on) = 3 group by 1",
          ("select shop, sum(revenue) from bakery where sold_on between date '2025-03-01' "
          "and date '2025-03-31' group by 1")]),
    ],
)  # fmt: skip
def test_what_may_be_meant_in_two_ways_is_asked_back(
    make: Make, question: str, ways: list[str]
) -> None:
    data = make({"bakery": TABLES["bakery"]})
    decision = decide(data, question)
    assert isinstance(decision, Choices), decision
    offered = [told(data, one.best.sql) for one in decision.readings]
    assert all(told(data, sql) in offered for sql in ways)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("bakery", "revenue by season ticket"),
        ("bakery", "sales per cashier"),
        ("bakery", "average review score by shop"),
        ("bakery", "average monthly sale value"),
        ("bakery", "why is the revenue so low"),
        ("claims", "what % of claims with hail were not settled"),
    ],
)
def test_what_is_not_held_or_left_out_is_not_answered(
    make: Make, table: str, question: str
) -> None:
    decision = decide(make({table: TABLES[table]}), question)
    if isinstance(decision, Answer):  # a share is right wherever it is one
        assert "100.0 *" in decision.reading.best.sql
        assert "%" in question
