"""Tables as they are kept by hand: money and days as text, short names; meters with readings."""

import random
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import counted, same
from tests.questions.rows import insert
from tests.unit.engines.language.tables import DatesReader

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood
from modelwright.engines.language.rules.columns.schema import TableFacts

TODAY = date(2026, 11, 24)
Asked = tuple[duckdb.DuckDBPyConnection, DatesReader]
STORED = {"string": "varchar", "integer": "bigint", "float": "double", "date": "date"}
INVOICES: dict[str, Any] = {
    "Inv #": "string", "inv_dt": "string", "Cust Name": "string", "Sales Rep": "string",
    "Area": "string", "prod_line": "string", "Qty": "integer", "amt_usd": "string",
    "Days Open": "integer", "Settled?": "string",
}  # fmt: skip
METERS: dict[str, Any] = {"meter_no": "string", "installed": "date", "district": "string"}
BOTH = "from readings natural join meters"
READINGS: dict[str, Any] = {"meter_no": "string", "read_at": "date", "kwh": "float"}


def invoices() -> list[tuple[Any, ...]]:
    chance, found = random.Random(3), []
    people = [
        f"{first} {last}" for first in ("Ida", "Jon", "Kim") for last in ("Roe", "Lim", "Fox")
    ]
    for number in range(900):
        day = date(2025, 6, 1) + timedelta(chance.randrange(540))
        name = "Zoe Hart" if number % 90 == 0 else chance.choice(people)
        line = "Cables" if name == "Zoe Hart" else chance.choice(["Cables", "Screens", "Desks"])
        place = chance.choice(["N. Reed", "O. Vance"]), chance.choice(["North", "South"])
        cents = chance.randrange(900, 250_000)
        money = f"${cents // 100:,}.{cents % 100:02}"
        rest = chance.randint(1, 9), money, chance.randint(0, 60), chance.choice("YNN")
        found.append((f"IV-{number}", f"{day:%m/%d/%Y}", name, *place[:1], place[1], line, *rest))
    return found


def readings() -> dict[str, list[tuple[Any, ...]]]:
    chance = random.Random(4)
    meters = [
        (f"M{n}", date(2015 + n % 6, 3, 1 + n), "East" if n % 2 else "West") for n in range(12)
    ]
    days = [date(2026, 9, 1) + timedelta(n) for n in range(84)]
    read = [(m[0], day, round(chance.uniform(2, 30), 2)) for m in meters for day in days]
    return {"meters": list(meters), "readings": read}


def opened(tables: dict[str, tuple[dict[str, Any], list[tuple[Any, ...]]]]) -> Asked:
    store, facts = duckdb.connect(config={"threads": 1}), []
    for name, (columns, rows) in tables.items():
        known = (
            counted(column, kind, [row[at] for row in rows])
            for at, (column, kind) in enumerate(columns.items())
        )
        facts.append(TableFacts(name, tuple(known)))
        typed = ", ".join(f'"{column}" {STORED[kind]}' for column, kind in columns.items())
        store.execute(f"create table {name} ({typed})")
        insert(store, name, rows)
    texts = {
        (one.name, c.name): [value for value, _ in c.top] for one in facts for c in one.columns
    }
    held = {
        ("invoices", "amt_usd"): [row[7] for row in invoices()],
        ("invoices", "inv_dt"): [row[1] for row in invoices()],
    }
    return store, DatesReader(facts, texts | held)


@pytest.fixture(scope="module")
def messy() -> Asked:
    store, reader = opened({"invoices": (INVOICES, invoices())})
    store.execute(
        "create view i as select *, strptime(inv_dt, '%m/%d/%Y')::date as day,"
        " replace(replace(amt_usd, '$', ''), ',', '')::double as amt from invoices"
    )
    return store, reader


@pytest.fixture(scope="module")
def energy() -> Asked:
    found = readings()
    return opened({"meters": (METERS, found["meters"]), "readings": (READINGS, found["readings"])})


def check(asked: Asked, question: str, sql: str) -> None:
    store, reader = asked
    found = reader.read(question, TODAY)
    assert isinstance(found, Answerable), found
    right = store.execute(sql).fetchall()
    assert right, sql
    assert same(right, store.execute(found.sql).fetchall()), found.sql


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        # revenue is the amount, not the Sales Rep; an amount is not the quantity
        ("total revenue by area", "select Area, sum(amt) from i group by 1"),
        ("revenue per month in 2026",
         "select date_trunc('month', day), sum(amt) from i where year(day) = 2026 group by 1"),
        ("sales by product line", "select prod_line, sum(amt) from i group by 1"),
        ("top 3 customers by amount",
         'select "Cust Name", sum(amt) from i group by 1 order by 2 desc limit 3'),
        ("average amount by rep", 'select "Sales Rep", avg(amt) from i group by 1'),
        ("how much did we sell in q2 2026",
         "select sum(amt) from i where day >= '2026-04-01' and day < '2026-07-01'"),
        ("unsettled amount per sales rep",
         "select \"Sales Rep\", sum(amt) from i where \"Settled?\" = 'N' group by 1"),
        ("how many units did we sell in the south",
         "select sum(Qty) from i where Area = 'South'"),
        # how often a text stands in the rows, and whose rows are never so
        ("customers who ordered more than 100 times",
         'select "Cust Name" from i group by 1 having count(*) > 100'),
        ("which customers never bought desks",
         'select distinct "Cust Name" from i where "Cust Name" = \'Zoe Hart\''),
        # units
        ("how many invoices were open longer than 3 weeks",
         'select count(*) from i where "Days Open" > 21'),
        # two groups, one of them a time
        ("revenue by area and month",
         "select Area, date_trunc('month', day), sum(amt) from i group by 1, 2"),
        ("share of revenue by area",
         "select Area, 100 * sum(amt) / (select sum(amt) from i) from i group by 1"),
        # the row that a superlative is of
        ("when was the largest amount", "select inv_dt, amt_usd from i order by amt desc limit 1"),
        ("which customer spent the most",
         'select "Cust Name" from i group by 1 order by sum(amt) desc limit 1'),
        # every row is an invoice of its own, by its number
        ("average amount per invoice by area", "select Area, avg(amt) from i group by 1"),
        # as many months as are asked for
        ("revenue in the last 12 months by month",
         "select date_trunc('month', day), sum(amt) from i where day >= '2025-11-24' group by 1"),
        ("how many invoices in the last seven days",
         "select count(*) from i where day between '2026-11-18' and '2026-11-24'"),
    ],
)  # fmt: skip
def test_is_right(messy: Asked, question: str, sql: str) -> None:
    check(messy, question, sql)


@pytest.mark.parametrize(
    "question", ["invoices within 5 miles", "customers who never complained", "total headcount"]
)
def test_is_refused(messy: Asked, question: str) -> None:
    assert isinstance(messy[1].read(question, TODAY), NotUnderstood)


def test_what_is_counted_but_not_held_is_told(messy: Asked) -> None:
    found = messy[1].read("how many unicorns per area", TODAY)
    assert isinstance(found, Answerable)
    assert found.ignored == ("unicorns",)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("consumption last week",
         "select sum(kwh) from readings where read_at >= '2026-11-16' and read_at < '2026-11-23'"),
        ("daily consumption", "select read_at, sum(kwh) from readings group by 1"),
        ("kwh by district in october",
         f"select district, sum(kwh) {BOTH} where month(read_at) = 10 group by 1"),
        ("average kwh by district and month",
         f"select district, date_trunc('month', read_at), avg(kwh) {BOTH} group by 1, 2"),
        ("meters installed before 2017",
         "select meter_no from meters where year(installed) < 2017"),
        ("how many meters were installed in 2016",
         "select count(*) from meters where year(installed) = 2016"),
    ],
)  # fmt: skip
def test_a_period_is_of_the_rows_asked_about(energy: Asked, question: str, sql: str) -> None:
    check(energy, question, sql)


def test_dates_kept_as_text_are_read_through_joins() -> None:
    rows = [(f"{n % 5}", f"{1 + n % 28:02}/{1 + n % 12:02}/2026", n % 7) for n in range(300)]
    kinds: dict[str, Any] = {"item": "string", "moved": "string", "qty": "integer"}
    items = [(f"{n}", f"Item {n}") for n in range(5)]
    named: dict[str, Any] = {"item": "string", "title": "string"}
    asked = opened({"moves": (kinds, list(rows)), "items": (named, list(items))})
    day = "strptime(moved, '%d/%m/%Y')"
    check(asked, "how many moves last month", f"select count(*) from moves where month({day}) = 10")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how many invoices in march 2026", "is between 2026-03-01 and 2026-03-31"),
        ("invoices in the north", "All columns of invoices where Area is North."),
    ],
)
def test_is_told_plainly(messy: Asked, question: str, told: str) -> None:
    found = messy[1].read(question, TODAY)
    assert isinstance(found, Answerable)
    assert told in found.interpretation


EITHER = "'Albion' in (HomeTeam, AwayTeam)"
GAMES = [
    (f"{2023 + n % 2}/{24 + n % 2}", home, away, n % 4)
    for n in range(20)
    for home in ("Rovers", "Albion", "Wanderers")
    for away in ("Albion", "Wanderers", "Rovers", "Athletic")
    if home != away
]


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many games did Albion play",
         f"select count(*) from games where {EITHER}"),
        ("how many games between Rovers and Albion",
         f"select count(*) from games where {EITHER} and 'Rovers' in (HomeTeam, AwayTeam)"),
        ("how many home games did Rovers play",
         "select count(*) from games where HomeTeam = 'Rovers'"),
        ("how many games in 2024/25", "select count(*) from games where season = '2024/25'"),
    ],
)  # fmt: skip
def test_a_value_of_two_columns_is_of_either(question: str, sql: str) -> None:
    kinds: dict[str, Any] = {
        "season": "string", "HomeTeam": "string", "AwayTeam": "string", "goals": "integer"
    }  # fmt: skip
    check(opened({"games": (kinds, list(GAMES))}), question, sql)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many loans in california over 5000",
         "select count(*) from loans where state = 'CA' and amount > 5000"),
        ("loans in new york", "select * from loans where state = 'NY'"),
        ("average amount outside Texas", "select avg(amount) from loans where state <> 'TX'"),
        ("how many loans in the UK", "select count(*) from loans where land = 'United Kingdom'"),
        ("how many loans in Germany", "select count(*) from loans where land = 'Germany'"),
        ("total amount in the US",
         "select sum(amount) from loans where land = 'United States'"),
    ],
)  # fmt: skip
def test_places_have_several_names(question: str, sql: str) -> None:
    lands = ["United Kingdom", "United States", "Germany"]
    rows = [(n, ["CA", "NY", "TX"][n % 3], lands[n % 4 % 3], 37 * n % 9000) for n in range(400)]
    kinds: dict[str, Any] = {
        "loan_id": "integer", "state": "string", "land": "string", "amount": "integer"
    }  # fmt: skip
    check(opened({"loans": (kinds, list(rows))}), question, sql)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average max temp by month",
         "select date_trunc('month', day), avg(temp_max) from weather group by 1"),
        ("highest max temp", "select max(temp_max) from weather"),
    ],
)  # fmt: skip
def test_a_shortened_word_is_a_part_of_a_name(question: str, sql: str) -> None:
    rows = [(date(2026, 1, 1) + timedelta(n), n * 7 % 31, n * 7 % 31 - 9) for n in range(300)]
    kinds: dict[str, Any] = {"day": "date", "temp_max": "integer", "temp_min": "integer"}
    check(opened({"weather": (kinds, list(rows))}), question, sql)


def test_a_period_is_of_the_table_named_before_it() -> None:
    people = [(n, date(2020 + n % 5, 2, 1), ["retail", "trade"][n % 2]) for n in range(60)]
    orders = [(n, n % 50, date(2024 + n % 3, 5, 1)) for n in range(400)]
    kinds: dict[str, Any] = {"customer_id": "integer", "signup": "date", "segment": "string"}
    told: dict[str, Any] = {"order_id": "integer", "customer_id": "integer", "order_date": "date"}
    asked = opened({"customers": (kinds, list(people)), "orders": (told, list(orders))})
    sql = (
        "select count(distinct customer_id) from orders join customers using (customer_id)"
        " where segment = 'trade' and year(order_date) = 2025"
    )
    check(asked, "how many trade customers ordered in 2025", sql)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many tickets were reopened",
         "select count(*) from tickets where \"Reopened 7d\" = 'Y'"),
        ("average hours of 2 bedroom flats", "select avg(hours) from tickets where beds = 2"),
        ("agents with more than 60 tickets",
         "select agent from tickets where agent is not null group by 1 having count(*) > 60"),
    ],
)  # fmt: skip
def test_of_tickets_is_right(question: str, sql: str) -> None:
    people = ["Ann", "Bob", None, "Cid", "Ann"]
    rows = [(n, people[n % 5], n % 4 + 1, n % 13, "NNY"[n % 3]) for n in range(320)]
    kinds: dict[str, Any] = {
        "ticket_id": "integer", "agent": "string", "beds": "integer", "hours": "integer",
        "Reopened 7d": "string",
    }  # fmt: skip
    check(opened({"tickets": (kinds, list(rows))}), question, sql)


MEALS: dict[str, Any] = {
    "id": "integer", "day": "date", "name": "string", "size": "string", "price": "float"
}  # fmt: skip


@pytest.fixture(scope="module")
def meals() -> Asked:
    start = date(2026, 1, 1)
    rows = [
        (
            n,
            start + timedelta(n % 300),
            "abcdeaab"[n % 8] + "-soup",
            "SML"[n % 7 % 3],
            4.5 + n * 7 % 41 / 2,
        )
        for n in range(900)
    ]
    return opened({"meals": (MEALS, list(rows))})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total revenue by size", "select size, sum(price) from meals group by 1"),
        ("revenue per month", "select date_trunc('month', day), sum(price) from meals group by 1"),
        ("revenue from a-soup in march",
         "select sum(price) from meals where name = 'a-soup' and month(day) = 3"),
        ("how many different meals do we sell", "select count(distinct name) from meals"),
        ("how many meals were sold in march", "select count(*) from meals where month(day) = 3"),
        ("best selling meal",
         "select name, count(*) from meals group by 1 order by 2 desc limit 1"),
        ("top 3 meals by revenue",
         "select name, sum(price) from meals group by 1 order by 2 desc limit 3"),
        ("which size costs the most on average",
         "select size from meals group by 1 order by avg(price) desc limit 1"),
        ("average price by size", "select size, avg(price) from meals group by 1"),
        ("which size sells the most",
         "select size from meals group by 1 order by count(*) desc limit 1"),
    ],
)  # fmt: skip
def test_revenue_of_lines_is_the_sum_of_their_prices(meals: Asked, question: str, sql: str) -> None:
    check(meals, question, sql)


@pytest.mark.parametrize("question", ["meals by hour", "share of tall meals"])
def test_what_no_column_tells_is_refused(meals: Asked, question: str) -> None:
    assert isinstance(meals[1].read(question, TODAY), NotUnderstood)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average größe by prénom", 'select "prénom", avg("Größe") from leute group by 1'),
        ("average grosse by prenom", 'select "prénom", avg("Größe") from leute group by 1'),
        ("total año", 'select sum("Año") from leute'),
    ],
)
def test_letters_with_marks_do_not_part_a_word(question: str, sql: str):
    rows = [(f"Zoë {n % 3}", 1.5 + n, 10 * n) for n in range(30)]
    columns = {"prénom": "string", "Größe": "float", "Año": "integer"}
    check(opened({"leute": (columns, rows)}), question, sql)
