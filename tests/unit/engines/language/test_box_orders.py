"""Orders of boxes: what took longest, what came late, and stars that are written out."""

import random
from datetime import date, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {
    "Order No.": "string", "Order date": "date", "Customer": "string", "Country": "string",
    "Price": "float", "Discount": "float", "Delivered on": "date", "Months subscribed": "integer",
    "Rating": "string", "Complained?": "string",
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def asked() -> Asked:
    chance, rows = random.Random(3), []
    for at in range(400):
        ordered = date(2025, 1, 1) + timedelta(chance.randrange(500))
        came = ordered + timedelta(chance.randint(1, 12))
        stars = chance.choice([*range(1, 6), None])
        rating = f"{stars} star{'s' * (stars > 1)}" if stars else None
        rows.append((
            f"ORD-{at:04d}", ordered, chance.choice(["Ann", "Bob", "Cid"]),
            chance.choice(["Spain", "Italy"]), round(chance.uniform(5, 90), 2),
            float(chance.choice([0, 10, 20])), came if chance.random() < 0.9 else None,
            chance.randrange(36), rating, chance.choice(["yes", "no"]),
        ))  # fmt: skip
    return store_of("orders", COLUMNS, rows), reader_of("orders", COLUMNS, rows)


STARS = "regexp_extract(Rating, '[0-9]+')::double"
DAYS = 'date_diff(\'day\', "Order date", "Delivered on")'
NUMBER = '"Order No."'


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("orders delivered more than 7 days after the order date",
         f"select {NUMBER} from orders where {DAYS} > 7"),
        ("how many orders were delivered later than 7 days after the order date",
         f"select count(*) from orders where {DAYS} > 7"),
        ("slowest delivery",
         f"select {NUMBER} from orders order by {DAYS} desc, 1 limit 1"),
        ("5 slowest deliveries in Spain",
         f"select {NUMBER} from orders where Country = 'Spain' order by {DAYS} desc, 1 limit 5"),
        ("the 3 fastest deliveries", f"select {NUMBER} from orders order by {DAYS}, 1 limit 3"),
        ("top 5 orders by delivery time",
         f"select {NUMBER} from orders order by {DAYS} desc, 1 limit 5"),
        ("orders with the longest delivery time",
         f"select {NUMBER} from orders order by {DAYS} desc, 1 limit 1"),
        ("longest delivery time", f"select max({DAYS}) from orders"),
    ],
)  # fmt: skip
def test_times_are_ranked_and_tested(asked: Asked, question: str, right: str) -> None:
    read = asked[1].read(question, TODAY)
    assert isinstance(read, Answerable), read
    told, wanted = (asked[0].sql(sql).fetchall() for sql in (read.sql, right))
    assert sorted(_plain(row[0]) for row in told) == sorted(_plain(row[0]) for row in wanted)


def _plain(value: object) -> str:
    return f"{value:.6f}" if isinstance(value, float | int) else str(value)


def test_after_is_of_dates(asked: Asked) -> None:
    read = asked[1].read("net price after discount by country", TODAY)
    assert '"Price" >' not in str(getattr(read, "sql", "")), read


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("average rating by country", f"select Country, avg({STARS}) from orders group by 1"),
        ("what is the median rating?", f"select median({STARS}) from orders"),
        ("how many orders have a rating above 3?",
         f"select count(*) from orders where {STARS} > 3"),
        ("how many orders were rated 4 or more?",
         f"select count(*) from orders where {STARS} >= 4"),
        ("which customer has the highest average rating?",
         f"select Customer from orders group by 1 order by avg({STARS}) desc limit 1"),
        ("customers with an average rating below 3",
         f"select Customer from orders group by 1 having avg({STARS}) < 3"),
        ("how many orders were rated 1 star?",
         "select count(*) from orders where Rating = '1 star'"),
        ("number of orders by rating", "select Rating, count(*) from orders group by 1"),
        ("average price by rating", "select Rating, avg(Price) from orders group by 1"),
        ("share of 5 star ratings by country",
         "select Country, 100.0 * count_if(Rating = '5 stars') / count(*) from orders group by 1"),
    ],
)  # fmt: skip
def test_stars_are_counted_and_are_kinds(asked: Asked, question: str, right: str) -> None:
    answers_as(asked, question, right, TODAY)


@pytest.mark.parametrize(
    ("question", "kind", "tested"),
    [
        ("which customers complained most?", "Customer", "yes"),
        ("who complained most often", "Customer", "yes"),
        ("which country complains most", "Country", "yes"),
        ("who ordered most often", "Customer", "%"),
    ],
)
def test_who_did_so_most(asked: Asked, question: str, kind: str, tested: str) -> None:
    rows = f"from orders where \"Complained?\" like '{tested}' group by 1"
    answers_as(asked, question, f"select {kind} {rows} order by count(*) desc limit 1", TODAY)
