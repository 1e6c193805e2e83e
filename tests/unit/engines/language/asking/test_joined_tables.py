"""Questions on several tables, read as one of a table with all that its rows lead to."""

from typing import Any

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.catalog.inference import infer_catalog
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code
from modelwright.engines.language.rule_reader import JOINED

from .conftest import Data, Make
from .test_arbiter import decide

FARM_SHOP = {
    "buyers": """
        select i as buyer_id, 'Buyer ' || i as buyer_name,
        ['Ulm', 'Aix', 'Bari'][1 + i % 3] as town,
        date '2022-01-01' + (i * 9)::int as joined_on from range(1, 61) t(i)""",
    "goods": """
        select i as good_id, 'Good ' || i as title, ['fruit', 'cheese'][1 + i % 2] as kind,
        ['listed', 'dropped'][1 + i % 3 // 2] as status, date '2023-05-01' + (i * 20)::int
        as launched_on, (i % 7)::int as stock_qty from range(1, 31) t(i)""",
    "baskets": """
        select i as basket_id, 1 + i * 7 % 60 as buyer_id,
        date '2024-01-04' + (i * 2)::int as paid_on,
        ['paid', 'void'][1 + i % 4 // 3] as status, (2 + i % 3)::double as delivery_fee
        from range(1, 301) t(i)""",
    "basket_rows": """
        select i as row_id, 1 + i * 11 % 300 as basket_id, 1 + i * 13 % 30 as good_id,
        (1 + i % 4)::int as packs, (3 + i * 17 % 41)::double as amount from range(1, 901) t(i)""",
}
JOINS = "basket_rows join baskets using (basket_id) join buyers using (buyer_id)"


def answered(data: Data, question: str) -> list[Any]:
    """The rows of the answer, in an order of their own."""
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    return sorted(data.run(decision.reading.best.sql).rows, key=str)


@pytest.fixture(scope="module")
def shop(make: Make) -> Data:
    return make(FARM_SHOP)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total amount by town in 2025",
         f"select town, sum(amount) from {JOINS} where year(paid_on) = 2025 group by 1"),
        ("total amount by kind",
         "select kind, sum(amount) from basket_rows join goods using (good_id) group by 1"),
        ("average basket value", "select sum(amount) / count(distinct basket_id) from basket_rows"),
        ("average basket value by town",
         f"select town, sum(amount) / count(distinct basket_id) from {JOINS} group by 1"),
        ("total amount by good",
         "select title, sum(amount) from basket_rows join goods using (good_id) group by 1"),
    ],
)  # fmt: skip
def test_is_answered(shop: Data, question: str, sql: str) -> None:
    assert answered(shop, question) == sorted(shop.run(sql).rows, key=str)


def test_both_ways_of_the_rules_that_agree_are_answered(shop: Data) -> None:
    decision = decide(shop, "average basket value by town")
    assert isinstance(decision, Answer)
    assert JOINED in decision.reading.read_by


def test_what_the_grammar_reads_otherwise_is_asked_back(make: Make) -> None:
    """`Per month` may mean a column of the courses that is called so, or a piece of time."""
    data = make({
        "courses": """select i as course_id, ['Upper Hall', 'Old Barn', 'Pier'][1 + i % 3] as month
            from range(1, 13) t(i)""",
        "bookings": """select i as booking_id, 1 + i % 12 as course_id, (4 + i % 9)::double as fee,
            date '2024-01-01' + i::int as booked_on from range(1, 301) t(i)""",
    })  # fmt: skip
    decision = decide(data, "sum of fees per month")
    assert isinstance(decision, Choices)
    assert any('"courses"."month"' in one.best.sql for one in decision.readings)


def test_values_of_a_list_are_of_one_column(make: Make) -> None:
    data = make({
        "guides": """select i as guide_id, 'Guide ' || i as name,
            ['Pisa', 'Lecce'][1 + i % 2] as home from range(1, 9) t(i)""",
        "tours": """select i as tour_id, 1 + i % 8 as guide_id, (9 + i % 40)::double as fare,
            ['Pisa', 'Turin', 'Bari'][1 + i % 3] as place from range(1, 121) t(i)""",
    })  # fmt: skip
    decision = decide(data, "average fare in Pisa and Turin")
    readings = decision.readings if isinstance(decision, Choices) else (decision.reading,)  # type: ignore[union-attr]
    first = sorted(data.run(readings[0].best.sql).rows, key=str)
    wanted = "select place, avg(fare) from tours where place in ('Pisa', 'Turin') group by 1"
    assert first == sorted(data.run(wanted).rows, key=str)


def test_what_is_in_stock_brings_nothing_in(make: Make) -> None:
    """Revenue is of the lines alone: goods have a quantity in stock and a price as well."""
    data = make({
        "products": """select i as sku, 'P' || i as title, (i % 9)::int as stock_qty,
            (2 + i)::double as price from range(1, 31) t(i)""",
        "lines": """select i as line_id, 1 + i % 30 as sku, (1 + i % 3)::int as quantity,
            (2 + i % 7)::double as unit_price from range(1, 121) t(i)""",
    })  # fmt: skip
    (revenue,) = infer_catalog(data.tables).metrics
    assert (revenue.table, revenue.expression) == ("lines", "sum(quantity * unit_price)")


def test_a_thing_is_its_name_rather_than_its_status(make: Make) -> None:
    data = make({
        "sales": """select i as sale_id, 'Kit ' || (i % 25) as "kit title",
            ['new', 'used'][1 + i % 2] as "kit status", (5 + i % 80)::double as revenue
            from range(1, 301) t(i)""",
    })  # fmt: skip
    wanted = 'select "kit title", sum(revenue) from sales group by 1'
    assert answered(data, "revenue by kit") == sorted(data.run(wanted).rows, key=str)


@pytest.mark.parametrize("question", ["basket value by month in 2025", "sales per month in 2025"])
def test_a_part_of_what_rows_are_worth_is_not_their_worth(shop: Data, question: str) -> None:
    sql = """select date_trunc('month', paid_on), sum(delivery_fee) from baskets
        where paid_on >= date '2025-01-01' and paid_on < date '2026-01-01' group by 1"""
    found = check(sql, request=shop.request(question))
    assert any(one.code is Code.FIGURE_FROM_NOWHERE for one in found)


def test_a_part_that_is_named_is_asked_for(shop: Data) -> None:
    sql = "select sum(delivery_fee) from baskets"
    found = check(sql, request=shop.request("value of all delivery fees"))
    assert not any(one.code is Code.FIGURE_FROM_NOWHERE for one in found)


def test_a_number_of_rows_is_no_number_of_their_own(make: Make) -> None:
    """`Lines with at least 300 trips` counts trips, whose column `trip` is only their number."""
    data = make({
        "trips": """select 100 + i as trip, ['A', 'B', 'C'][1 + i % 3] as line,
            (i % 60)::double as delay from range(1, 901) t(i)""",
    })  # fmt: skip
    sql = "select line, median(delay) from trips where trip >= 300 group by 1"
    found = check(sql, request=data.request("median delay by line, with at least 300 trips"))
    assert any(one.code is Code.OTHER_KIND for one in found)


def test_the_last_quarter_of_a_year_ends_it(make: Make) -> None:
    data = make({
        "bills": """select i as bill_id, date '2023-01-01' + (i * 3)::int as billed_on,
            (i % 50)::double as total from range(1, 301) t(i)""",
    })  # fmt: skip
    wanted = """select sum(total) from bills
        where billed_on >= date '2024-10-01' and billed_on < date '2025-01-01'"""
    assert answered(data, "sum of total in the last quarter of 2024") == list(data.run(wanted).rows)


GALLERY = {
    "lands": """
        select i as land_id, ['Peru', 'Chad', 'Laos', 'Oman'][i] as land_name
        from range(1, 5) t(i)""",
    "artists": """
        select i as artist_id, 'Artist ' || i as artist_name, 1 + i % 4 as land_id
        from range(1, 21) t(i)""",
    "paintings": """
        select i as painting_id, 'Painting ' || i as title, 1 + i * 7 % 20 as artist_id,
        1 + (i // 3) % 4 as land_id, (100 + i * 37 % 900)::double as price
        from range(1, 203) t(i)""",
}


@pytest.mark.parametrize(
    ("question", "figure"),
    [("paintings by land", "count(*)"), ("average price by land", "avg(price)")],
)
def test_of_two_keys_on_the_way_to_a_table_the_nearer_is_meant(
    make: Make, question: str, figure: str
) -> None:
    data = make(GALLERY)
    sql = f"select land_name, {figure} from paintings join lands using (land_id) group by 1"
    assert answered(data, question) == sorted(data.run(sql).rows, key=str)


def test_a_table_that_is_named_may_be_whose_key_is_meant(make: Make) -> None:
    decision = decide(make(GALLERY), "number of paintings by artists from Peru")
    read = decision.reading.read_by if isinstance(decision, Answer) else ()
    assert JOINED not in read
