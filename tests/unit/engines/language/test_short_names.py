"""Questions of an export of orders whose columns have short names: cust_nm, amt_usd, is_actv."""

import random
from datetime import date, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def orders() -> Asked:
    chance = random.Random(12)
    columns = {
        "ord_no": "string", "ord_dt": "date", "cust_nm": "string", "rgn": "string",
        "prod_cat": "string", "kegs": "integer", "amt_usd": "float", "cst_usd": "float",
        "is_actv": "integer", "pd_flg": "string",
    }  # fmt: skip
    rows = [
        (f"SO{at}", date(2025, 1, 1) + timedelta(at), f"Inn {chance.randint(1, 9)}",
         chance.choice(["EMEA", "AMER"]), chance.choice(["Ale", "Stout", "Cider"]),
         chance.randint(1, 60), round(chance.uniform(50, 900), 2),
         round(chance.uniform(20, 800), 2), int(chance.random() < 0.8),
         chance.choice(["Y", "N"])) for at in range(600)
    ]  # fmt: skip
    return store_of("orders", columns, rows), reader_of("orders", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("kegs by region", "select rgn, sum(kegs) from orders group by 1"),
        ("sales by category and region",
         "select prod_cat, rgn, sum(amt_usd) from orders group by 1, 2"),
        ("sales this year", "select sum(amt_usd) from orders where ord_dt >= '2026-01-01'"),
        ("which day had the highest sales?",
         ("select date_trunc('day', ord_dt), sum(amt_usd) from orders group by 1"
         " order by 2 desc limit 1")),
        ("customer with most orders",
         "select cust_nm, count(*) from orders group by 1 order by 2 desc, 1 limit 1"),
        ("inactive orders", "select * from orders where is_actv = 0"),
        ("show all rows", "select * from orders"),
        ("10 largest orders", "select * from orders order by amt_usd desc limit 10"),
        ("list all orders", "select * from orders"),
        ("all customers", "select distinct cust_nm from orders"),
        ("customers in EMEA", "select distinct cust_nm from orders where rgn = 'EMEA'"),
        ("avg order value", "select avg(amt_usd) from orders"),
        ("sum of kegs and amt by rgn",
         "select rgn, sum(kegs), sum(amt_usd) from orders group by 1"),
        ("% of sales by region",
         "select rgn, 100.0 * sum(amt_usd) / sum(sum(amt_usd)) over () from orders group by 1"),
        ("customers with no cider",
         ("select distinct cust_nm from orders where cust_nm not in"
         " (select cust_nm from orders where prod_cat = 'Cider')")),
    ],
)  # fmt: skip
def test_orders(orders: Asked, question: str, right: str) -> None:
    answers_as(orders, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("unpaid orders count", "unpaid"),
        ("% refunded by region", "refunded"),
        ("profits by region", "profits"),
        ("open orders by region", "open"),
    ],
)
def test_what_decides_and_is_not_read_is_refused(orders: Asked, question: str, named: str) -> None:
    read = orders[1].read(question, TODAY)
    assert isinstance(read, NotUnderstood), read
    assert named in read.sentence


@pytest.fixture(scope="module")
def sales() -> Asked:
    chance = random.Random(13)
    columns = {
        "sold_on": "date", "region": "string", "product": "string", "revenue": "float",
        "cost": "float",
    }  # fmt: skip
    rows = [
        (date(2026, 1, 1) + timedelta(at % 200), chance.choice(["North", "South"]),
         chance.choice(["Lamp", "Desk", "Sofa"]), round(chance.uniform(50, 900), 2),
         round(chance.uniform(20, 800), 2)) for at in range(400)
    ]  # fmt: skip
    return store_of("sales", columns, rows), reader_of("sales", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("cost as a share of revenue", "select 100.0 * sum(cost) / sum(revenue) from sales"),
        ("cost as a percentage of revenue by region",
         "select region, 100.0 * sum(cost) / sum(revenue) from sales group by 1"),
        ("which product is most profitable?",
         "select product from sales group by 1 order by sum(revenue) - sum(cost) desc limit 1"),
        ("least profitable product",
         "select product, sum(revenue) - sum(cost) from sales group by 1 order by 2 limit 1"),
    ],
)  # fmt: skip
def test_sales(sales: Asked, question: str, right: str) -> None:
    answers_as(sales, question, right, TODAY)


@pytest.fixture(scope="module")
def rides() -> Asked:
    chance = random.Random(3)
    columns = {"ride": "integer", "city": "string", "duration_min": "integer", "temp_min": "float"}
    rows = [
        (at, chance.choice(["Oslo", "Rome"]), chance.randint(5, 90), chance.uniform(-5, 9))
        for at in range(200)
    ]
    return store_of("rides", columns, rows), reader_of("rides", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("minimum duration", "select min(duration_min) from rides"),
        ("minimum duration by city", "select city, min(duration_min) from rides group by 1"),
        ("average duration by city", "select city, avg(duration_min) from rides group by 1"),
        ("longest duration in hours", "select max(duration_min) / 60 from rides"),
        ("what is the minimum temperature in Oslo",
         "select min(temp_min) from rides where city = 'Oslo'"),
    ],
)  # fmt: skip
def test_minutes_are_no_minimum(rides: Asked, question: str, right: str) -> None:
    answers_as(rides, question, right, TODAY)
