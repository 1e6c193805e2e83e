"""What buyers spend is what is brought in; averages of each of them, and what sells best."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.catalog.inference import infer_catalog
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code

from .conftest import Data, Make
from .test_arbiter import decide
from .test_joined_tables import answered

TILLS = """
    select i as till_no, date '2024-02-01' + (i * 2)::int as sold_on,
    'Guest ' || (i * 7 % 45) as guest, ['Dijon', 'Metz'][1 + i % 2] as town,
    'Dish ' || (i * 11 % 28) as dish, (1 + i % 6)::int as units,
    (4 + i * 13 % 57)::double as revenue from range(1, 401) t(i)"""


@pytest.fixture(scope="module")
def tills(make: Make) -> Data:
    return make({"tills": TILLS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("top 5 guests by total spend",
         "select guest, sum(revenue) from tills group by 1 order by 2 desc, 1 limit 5"),
        ("total spend by town", "select town, sum(revenue) from tills group by 1"),
    ],
)  # fmt: skip
def test_spend_is_what_is_brought_in(tills: Data, question: str, sql: str) -> None:
    assert answered(tills, question) == sorted(tills.run(sql).rows, key=str)


def synonyms(data: Data) -> set[str]:
    tables = infer_catalog(data.tables).tables
    return {word for table in tables for one in table.columns for word in one.synonyms}


def test_spend_is_no_revenue_where_another_column_tells_it_or_nobody_buys(make: Make) -> None:
    told = make({"ads": "select i as ad, 'C' || i as client, i as revenue, 2 * i as spend"
                 " from range(1, 40) t(i)"})  # fmt: skip
    nobody = make({"wells": "select i as well, i * 1.5 as revenue from range(1, 40) t(i)"})
    assert "spend" not in synonyms(told) | synonyms(nobody)


@pytest.mark.parametrize(
    "question",
    ["average spend per guest", "average revenue per dish", "mean revenue for each dish"],
)
def test_a_mean_of_each_thing_may_be_that_of_its_sums(tills: Data, question: str) -> None:
    decision = decide(tills, question)
    assert isinstance(decision, Choices)
    thing = question.rsplit(maxsplit=1)[-1]
    wanted = f"select sum(revenue) / count(distinct {thing}) from tills"
    told = [tills.run(one.best.sql).rows for one in decision.readings]
    assert tills.run(wanted).rows in told


def test_kinds_are_compared_by_their_means(tills: Data) -> None:
    wanted = "select town, avg(revenue) from tills group by 1"
    assert answered(tills, "average revenue per town") == sorted(tills.run(wanted).rows, key=str)


def test_how_much_is_no_list(tills: Data) -> None:
    decision = decide(tills, "how much revenue from guests in Dijon")
    sql = "select revenue, guest from tills where town = 'Dijon'"
    told = decision.reading.best.sql if isinstance(decision, Answer) else ""
    assert tills.run(told or "select 1").rows != tills.run(sql).rows


def test_what_sells_best_may_be_told_by_revenue_or_by_units(tills: Data) -> None:
    decision = decide(tills, "top 5 best selling dishes")
    assert isinstance(decision, Choices)
    told = " ".join(one.best.sql for one in decision.readings)
    assert 'SUM("revenue")' in told
    assert 'SUM("units")' in told


def test_what_goods_cost_is_not_what_was_spent(make: Make) -> None:
    """The cost of a good is of the good, however many rows of baskets have it."""
    data = make({
        "goods": """select i as good_id, 'Good ' || i as title, (2 + i % 9)::double as cost,
            (3 + i % 11)::double as price from range(1, 31) t(i)""",
        "clients": """select i as client_id, 'Client ' || i as name,
            ['Nord', 'Sud'][1 + i % 2] as region from range(1, 41) t(i)""",
        "sold": """select i as sold_id, 1 + i * 7 % 30 as good_id, 1 + i * 3 % 40 as client_id,
            (1 + i % 3)::int as quantity, (5 + i * 17 % 40)::double as revenue
            from range(1, 501) t(i)""",
    })  # fmt: skip
    wanted = "select region, sum(revenue) from sold join clients using (client_id) group by 1"
    decision = decide(data, "total spend by region")
    assert isinstance(decision, Answer)
    told = sorted(data.run(decision.reading.best.sql).rows, key=str)
    assert told == sorted(data.run(wanted).rows, key=str)


CLAIMS = {
    "claims": """
        select i as claim_no, ['hail', 'theft'][1 + i % 2] as peril,
        (100 + i * 17 % 900)::double as claimed_amount, (60 + i * 13 % 700)::double as paid_amount,
        (10 + i * 7 % 300)::double as reserve_amount from range(1, 201) t(i)"""
}


def test_rows_that_are_named_name_no_figure(make: Make) -> None:
    """The payout of claims is not the amount that was claimed, because claims are spoken of."""
    decision = decide(make(CLAIMS), "average payout on hail claims")
    assert isinstance(decision, Choices)
    assert any("paid_amount" in one.best.sql for one in decision.readings)


def test_a_figure_that_is_named_is_told(make: Make) -> None:
    data = make(CLAIMS)
    wanted = "select peril, avg(claimed_amount) from claims group by 1"
    told = answered(data, "average claimed amount by peril")
    assert told == sorted(data.run(wanted).rows, key=str)


def test_a_status_is_no_thing_that_rows_are_counted_for(make: Make) -> None:
    """Seats per booking are not rows for each booking status."""
    data = make({
        "seats": """select i as seat_no, ['row', 'box'][1 + i % 2] as seat_type,
            ['open', 'paid', 'void'][1 + i % 3] as booking_status from range(1, 201) t(i)""",
    })  # fmt: skip
    sql = """select seat_type, count(booking_status) / count(distinct booking_status)
        from seats group by 1"""
    found = check(sql, request=data.request("average number of seats per booking by seat type"))
    assert any(one.code is Code.OTHER_KIND for one in found)


def test_one_row_is_nothing_of_every_thing(make: Make) -> None:
    data = make({"tills": TILLS})
    sql = "select sold_on from tills order by sold_on desc limit 1"
    found = check(sql, request=data.request("last day of every guest in Dijon"))
    assert any(one.code is Code.EACH_DROPPED for one in found)


LINES = {
    "line_items": """
        select i as line_no, 1 + i // 3 as order_id, ['to go', 'table'][1 + i % 2] as dining,
        (2 + i % 9)::double as price from range(1, 241) t(i)"""
}


def test_a_share_of_things_is_not_one_of_each(make: Make) -> None:
    sql = """select order_id, 100.0 * count_if(dining = 'to go') / count(*)
        from line_items group by 1"""
    data = make(LINES)
    found = check(sql, request=data.request("what share of orders is to go"))
    assert any(one.code is Code.GROUP_ADDED for one in found)
    kept = check(sql, request=data.request("what share of line items is to go for each order"))
    assert not any(one.code is Code.GROUP_ADDED for one in kept)
