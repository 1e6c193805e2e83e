"""Everyday questions of letters to a newspaper and of a shop: what is least said, and denied."""

import random
from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of, tables_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def letters() -> list[Any]:
    chance, found = random.Random(6), []
    for at in range(400):
        came = datetime(2025, 1, 1) + timedelta(minutes=chance.randrange(990_000))  # noqa: DTZ001
        read = came + timedelta(minutes=chance.randint(4, 900))
        found.append((
            4000 + at, came, read if chance.random() > 0.05 else None,
            read + timedelta(hours=chance.randint(1, 90)) if chance.random() > 0.4 else None,
            chance.choice(["Politics", "Sports", "Culture"]), chance.choice(["Ada", "Bo", "Cyril"]),
            chance.choice(["Main", "Sunday"]) if chance.random() > 0.2 else None,
            chance.randint(18, 90), chance.randint(1, 5), round(chance.uniform(1, 30), 1),
            chance.randint(20, 900),
        ))  # fmt: skip
    return found


@pytest.fixture(scope="module")
def post() -> Asked:
    columns = {
        "letter_id": "integer", "received_at": "time", "opened_at": "time", "answered_at": "time",
        "topic": "string", "editor": "string", "edition": "string", "writer_age": "integer",
        "stars": "integer", "distance_km": "float", "words": "integer",
    }  # fmt: skip
    return store_of("letters", columns, letters()), reader_of("letters", columns, letters())


@pytest.fixture(scope="module")
def shop() -> Asked:
    chance = random.Random(8)
    columns = {
        "orders": {
            "order_id": "integer", "buyer_id": "integer", "product_id": "integer",
            "ordered_on": "date", "charged": "float", "quantity": "integer",
        },
        "buyers": {"buyer_id": "integer", "buyer_name": "string", "signed_up": "date"},
        "products": {
            "product_id": "integer", "product_name": "string", "kind": "string",
            "list_price": "float", "weight": "float",
        },
    }  # fmt: skip
    rows: dict[str, Any] = {
        "orders": [
            (at, chance.randrange(12), chance.randrange(9), date(2026, 1 + at % 10, 1 + at % 27),
             round(chance.uniform(5, 20), 2), chance.randint(1, 5)) for at in range(300)
        ],
        "buyers": [(at, f"Buyer {chr(65 + at)}", date(2025, 1, 1 + at)) for at in range(12)],
        "products": [
            (at, f"{['Lamp', 'Vase', 'Tray', 'Bowl', 'Mug', 'Rug', 'Clock', 'Jug', 'Sofa'][at]}",
             ["light", "table", "floor"][at % 3], 12.5 + at, 20.0 - at) for at in range(9)
        ],
    }  # fmt: skip
    return tables_of(columns, rows)


def check(asked: Asked, question: str, right: str) -> None:
    answers_as(asked, question, right, TODAY)


MONTH = "date_trunc('month', received_at)"
MOST = "group by 1 order by count(*) desc, 1 limit 1"
SHARE = "100.0 * count(*) / sum(count(*)) over ()"
ADDED = "sum(sum(words)) over (order by m)"
TO_OPEN = "date_diff('second', received_at, opened_at) / 60.0"


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("letters not printed in any edition", "select * from letters where edition is null"),
        ("letters where the editor never answered",
         "select * from letters where answered_at is null"),
        ("share of letters that got an answer",
         "select 100.0 * count(answered_at) / count(*) from letters"),
        ("how many letters took longer than 30 minutes to open?",
         f"select count(*) from letters where {TO_OPEN} > 30"),
        ("writers aged 20 to 30 on sports",
         "select * from letters where writer_age between 20 and 30 and topic = 'Sports'"),
        ("letters with more words than average",
         "select * from letters where words > (select avg(words) from letters)"),
        ("first and last letter of 2026",
         "select min(received_at), max(received_at) from letters where year(received_at) = 2026"),
        ("how many more letters does Ada have than Cyril?",
         "select count_if(editor = 'Ada') - count_if(editor = 'Cyril') from letters"),
        ("how many fewer letters does Ada have than Cyril?",
         "select count_if(editor = 'Cyril') - count_if(editor = 'Ada') from letters"),
        ("which editor drove the most kilometers?",
         "select editor from letters group by 1 order by sum(distance_km) desc limit 1"),
        ("which editor answers the most sports letters?",
         f"select editor from letters where topic = 'Sports' {MOST}"),
        ("running total of letters by month",
         f"select {MONTH} m, count(*), sum(count(*)) over (order by m) from letters group by 1"),
        ("running total of words per month",
         f"select {MONTH} m, sum(words), {ADDED} from letters group by 1"),
        ("did stars improve from 2025 to 2026?",
         "select year(received_at), avg(stars) from letters group by 1"),
        ("letters not opened within a day",
         f"select * from letters where {TO_OPEN} > 24 * 60 or opened_at is null"),
        ("letters since august", "select * from letters where received_at >= '2026-08-01'"),
        ("letters with no edition and no answer",
         "select * from letters where edition is null and answered_at is null"),
        ("editors ranked by number of 5 star letters",
         "select editor, count(*) from letters where stars = 5 group by 1"),
        ("percentage of letters per topic in Main",
         f"select topic, {SHARE} from letters where edition = 'Main' group by 1"),
        ("best editor by average stars",
         "select editor, avg(stars) from letters group by 1 order by 2 desc limit 1"),
    ],
)  # fmt: skip
def test_letters(post: Asked, question: str, right: str) -> None:
    check(post, question, right)


def test_oldest_is_the_first_by_the_date_that_rows_begin_with(post: Asked) -> None:
    read = post[1].read("newest letter of Bo", TODAY)
    assert isinstance(read, Answerable), read
    rows = post[0].sql(read.sql).fetchall()
    assert (
        rows
        == post[0]
        .sql("select * from letters where editor = 'Bo' order by received_at desc limit 1")
        .fetchall()
    )


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("letters that are not boring", '"not"'),
        ("running total of words", '"running total"'),
        ("how many letters were longer than 45 minutes", "45"),
        ("how many more letters does Ada have than her rival?", '"more"'),
        ("unprinted letters of Bo", '"unprinted"'),
        ("which editor improved the most", '"improved the most"'),
        ("letters opened in the last 24 hours", '"24"'),
        ("letters opened on the same day", '"same"'),
        ("letters not opened since 2025", '"not"'),
        ("average response time", "average time from received at to opened at"),
    ],
)
def test_what_would_be_another_question_is_refused(post: Asked, question: str, named: str) -> None:
    read = post[1].read(question, TODAY)
    assert isinstance(read, NotUnderstood), read
    assert named in read.sentence


JOINED = "orders join products using (product_id) join buyers using (buyer_id)"
MEAN = "select avg(list_price) from products"
LAMPS = "product_name = 'Lamp'"
DEAREST = "partition by kind order by list_price desc"
FIRST = "order by ordered_on, order_id limit 1"
ORDERED, RUNNING = "date_trunc('month', ordered_on)", "sum(sum(quantity)) over (order by m)"
DAYS = "date_diff('second', signed_up, ordered_on) / 86400.0"


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("average time between signed up and ordered on", f"select avg({DAYS}) from {JOINED}"),
        ("average days from sign up to order per buyer",
         f"select buyer_name, avg({DAYS}) from {JOINED} group by 1"),
        ("ratio of charged to list price per kind",
         f"select kind, sum(charged) / sum(list_price) from {JOINED} group by 1"),
        ("average difference between list price and charged",
         f"select avg(list_price - charged) from {JOINED}"),
        ("ratio of weight to list price for each product",
         "select product_name, weight / list_price from products"),
        ("how many lamps did we sell in march 2026",
         f"select sum(quantity) from {JOINED} where {LAMPS} and month(ordered_on) = 3"),
        ("how many different products did Buyer C order",
         f"select count(distinct product_id) from {JOINED} where buyer_name = 'Buyer C'"),
        ("average quantity per order", "select avg(quantity) from orders"),
        ("products more expensive than average",
         f"select product_name from products where list_price > ({MEAN})"),
        ("most expensive product of each kind",
         f"select * from products qualify row_number() over ({DEAREST}) = 1"),
        ("first order of Buyer C",
         f"select orders.* from {JOINED} where buyer_name = 'Buyer C' {FIRST}"),
        ("running total of quantity by month",
         f"select {ORDERED} m, sum(quantity), {RUNNING} from orders group by 1"),
    ],
)  # fmt: skip
def test_a_shop(shop: Asked, question: str, right: str) -> None:
    check(shop, question, right)


def test_a_total_over_tables_that_nothing_tells_is_refused(shop: Asked) -> None:
    read = shop[1].read("total luck by kind", TODAY)
    assert isinstance(read, NotUnderstood), read


def test_expensive_is_of_a_price_before_a_cost() -> None:
    columns = {"label": "string", "cost": "float", "price": "float"}
    rows = [(f"Item {chr(65 + at)}", 30.0 - at, 40.0 + at) for at in range(20)]
    asked = store_of("goods", columns, rows), reader_of("goods", columns, rows)
    check(
        asked,
        "which label is the most expensive?",
        "select label from goods order by price desc limit 1",
    )


def test_a_number_whose_name_ends_in_the_word_is_meant_before_one_that_is_alike() -> None:
    columns = {"app": "string", "stars": "integer", "helpful_votes": "integer"}
    rows = [("AB"[at % 2], 1 + at % 5, at % 90) for at in range(300)]
    asked = store_of("reviews", columns, rows), reader_of("reviews", columns, rows)
    check(asked, "total votes", "select sum(helpful_votes) from reviews")


def test_the_oldest_has_the_earliest_date() -> None:
    columns = {"client_id": "integer", "client_name": "string", "client_since": "date"}
    rows = [(at, f"Client {chr(65 + at)}", date(2024 - at % 7, 1, 1 + at)) for at in range(9)]
    asked = store_of("clients", columns, rows), reader_of("clients", columns, rows)
    check(asked, "oldest client", "select * from clients order by client_since limit 1")


@pytest.fixture(scope="module")
def meters() -> Asked:
    chance = random.Random(9)
    columns = {
        "meter": "string", "read_on": "date", "energy_mwh": "float", "temperature": "float",
        "price_eur": "float", "Kidhome": "integer",
    }  # fmt: skip
    rows = [
        (f"M{at % 7}", date(2026, 1, 1) + timedelta(at // 7), round(chance.uniform(100, 30000), 1),
         round(chance.uniform(-5, 30), 1), round(chance.uniform(500, 90000), 2),
         chance.randint(0, 2)) for at in range(700)
    ]  # fmt: skip
    return store_of("readings", columns, rows), reader_of("readings", columns, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("average daily energy", "select sum(energy_mwh) / count(distinct read_on) from readings"),
        ("average daily energy per meter",
         "select meter, sum(energy_mwh) / count(distinct read_on) from readings group by 1"),
        ("average daily temperature",
         "select read_on::timestamp, avg(temperature) from readings group by 1"),
        ("readings with energy above 12.500", "select * from readings where energy_mwh > 12500"),
        ("readings with energy between 12.500 and 13.000",
         "select * from readings where energy_mwh between 12500 and 13000"),
        ("temperature above 12.500", "select * from readings where temperature > 12.5"),
        ("readings with more than 1 kid at home", "select * from readings where Kidhome > 1"),
        ("average kids at home", "select avg(Kidhome) from readings"),
    ],
)  # fmt: skip
def test_meters(meters: Asked, question: str, right: str) -> None:
    check(meters, question, right)
