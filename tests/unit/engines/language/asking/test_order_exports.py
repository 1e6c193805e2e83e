"""An export of orders: a total, the price of one, and what few rows have."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code

from .conftest import Data, Make
from .test_arbiter import decide

EXPORT = """
    select 'A-' || (100 + i) as "Order #", ['Ada', 'Bo', 'Cy'][1 + i % 3] as "Customer",
    date '2026-01-03' + i::int as "Ordered on", (1 + i % 5)::int as "Qty",
    (5 + i * 7 % 30)::double as "Unit price (EUR)",
    ((1 + i % 5) * (5 + i * 7 % 30) + i * 13 % 51)::double as "Total (EUR)",
    case when i % 3 = 0 then ['damaged', 'late'][1 + i % 2] end as "Complaint"
    from range(1, 121) t(i)"""
BOOKINGS = """
    select i as booking_id, ['north', 'south'][1 + i % 2] as wing, (1 + i % 9)::int as nights,
    (60 + i * 11 % 90)::double as price_per_night, ((1 + i % 9) * (60 + i * 11 % 90))::double
    as total_usd, case when i % 4 = 0 then 'cot' end as extra from range(1, 91) t(i)"""


@pytest.fixture(scope="module")
def orders(make: Make) -> Data:
    return make({"orders_export": EXPORT})


@pytest.fixture(scope="module")
def bookings(make: Make) -> Data:
    return make({"bookings": BOOKINGS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many orders had complaints",
         'select count(*) from {0} where "Complaint" is not null'),
        ("orders with complaints", 'select * from {0} where "Complaint" is not null'),
        ("average order value", 'select avg("Total (EUR)") from {0}'),
    ],
)  # fmt: skip
def test_is_read(orders: Data, question: str, sql: str) -> None:
    decision = decide(orders, question)
    assert isinstance(decision, Answer)
    told = orders.run(decision.reading.best.sql).rows
    assert sorted(told, key=str) == sorted(orders.run(sql.format('"orders_export"')).rows, key=str)


def test_a_column_is_listed_beside_its_rows(orders: Data) -> None:
    decision = decide(orders, "orders with their complaint")
    assert isinstance(decision, Answer)
    assert "WHERE" not in decision.reading.best.sql


@pytest.mark.parametrize(
    ("question", "of_one", "of_all", "way"),
    [
        ("most expensive order", "Unit price (EUR)", "Total (EUR)", "DESC"),
        ("cheapest order", "Unit price (EUR)", "Total (EUR)", "ASC"),
    ],
)
def test_the_price_of_one_and_of_all_are_both_offered(
    orders: Data, question: str, of_one: str, of_all: str, way: str
) -> None:
    decision = decide(orders, question)
    assert isinstance(decision, Choices)
    told = [one.best.sql for one in decision.readings]
    assert all(any(f'"{name}" {way}' in sql for sql in told) for name in (of_one, of_all))
    assert not any(f'" {"ASC" if way == "DESC" else "DESC"}' in sql.split(",")[0] for sql in told)


def test_a_price_that_is_named_is_meant(bookings: Data) -> None:
    decision = decide(bookings, "booking with the highest price per night")
    assert isinstance(decision, Answer)
    assert 'ORDER BY "price_per_night"' in decision.reading.best.sql


def test_a_list_is_no_sum(orders: Data) -> None:
    assert not isinstance(decide(orders, "list orders with total"), Answer)


@pytest.mark.parametrize("question", ["cheapest 4 qty", "the cheapest qty"])
def test_prices_rank_what_is_cheap(orders: Data, question: str) -> None:
    sql = 'SELECT "Qty" FROM orders_export ORDER BY "Qty" ASC LIMIT 4'
    found = check(sql, orders.request(question))
    assert Code.RANKED_BY_OTHER in {one.code for one in found}
