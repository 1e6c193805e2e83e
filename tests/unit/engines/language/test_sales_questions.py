"""Questions that an office asks of a table of sales lines: what they gave wrongly before."""

import random
from datetime import date
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import counted, fill, same
from tests.questions.rows import insert

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader
from modelwright.engines.language.rules.columns.schema import TableFacts

TODAY = date(2026, 11, 24)
PLACES = {
    "Texas": ("South", ("Houston", "Dallas", "Austin")),
    "Florida": ("South", ("Miami", "Tampa")),
    "Ohio": ("East", ("Columbus", "Toledo")),
    "California": ("West", ("Fresno", "Oakland", "San Diego")),
}
KINDS = {"Paper": "Office Supplies", "Binders": "Office Supplies", "Phones": "Technology"}
NAMES = (
    "Ship Mode", "Region", "State", "City", "Category", "Sub-Category", "Sales", "Quantity",
    "Discount", "Profit",
)  # fmt: skip
TYPES: tuple[Any, ...] = (*["string"] * 6, "float", "integer", "float", "float")


def lines() -> list[tuple[Any, ...]]:
    chance = random.Random(7)
    found: list[tuple[Any, ...]] = []
    for number in range(400):
        state = chance.choice(sorted(PLACES))
        region, cities = PLACES[state]
        kind = chance.choice(sorted(KINDS))
        mode = chance.choice(["First Class", "Second Class", "Standard Class"])
        sales = round(chance.uniform(5, 900), 2)
        lost = kind == "Binders" or chance.random() < 0.2
        profit = round(sales * (-0.3 if lost else 0.2), 2)
        city = chance.choice(cities) if number else "El Paso"
        state, region = ("Texas", "South") if number == 0 else (state, region)
        place = mode, region, state, city, KINDS[kind], kind
        found.append((*place, sales, number % 7 + 1, chance.choice([0.0, 0.2, 0.6]), profit))
    return found


@pytest.fixture(scope="module")
def asked() -> tuple[duckdb.DuckDBPyConnection, Reader]:
    rows, store = lines(), duckdb.connect(config={"threads": 1})
    facts = (
        counted(name, kind, [row[at] for row in rows])
        for at, (name, kind) in enumerate(zip(NAMES, TYPES, strict=True))
    )
    table = TableFacts("lines", tuple(facts))
    fill(store, table, rows)
    return store, Reader([table])


GROUPS = "from lines group by"
RIGHT = [
    ("sales per unit by category",
     f'select "Category", sum("Sales") / sum("Quantity") {GROUPS} 1'),
    # a value's own column is not what other words name better
    ("how many different cities are in Texas?",
     "select count(distinct City) from lines where State = 'Texas'"),
    ("which cities in Ohio have the most lines?",
     "select City from lines where State = 'Ohio' group by 1 order by count(*) desc limit 1"),
    ("list the sub-categories of office supplies",
     "select distinct \"Sub-Category\" from lines where Category = 'Office Supplies'"),
    ("how many lines were not shipped by standard class?",
     "select count(*) from lines where \"Ship Mode\" <> 'Standard Class'"),
    # kinds are counted, not rows
    ("how many states are there?", "select count(distinct State) from lines"),
    ("how many cities in Texas?", "select count(distinct City) from lines where State = 'Texas'"),
    # negations
    ("how many lines outside the west?", "select count(*) from lines where Region <> 'West'"),
    # tests of groups, counted
    ("how many states have more than 100 rows?",
     f"select count(*) from (select State {GROUPS} 1 having count(*) > 100)"),
    ("how many cities have only one order?",
     f"select count(*) from (select City {GROUPS} 1 having count(*) = 1)"),
    ("how many sub-categories have a negative total profit?",
     f'select count(*) from (select "Sub-Category" {GROUPS} 1 having sum(Profit) < 0)'),
    # places
    ("what is the second best selling sub-category?",
     f'select "Sub-Category", sum(Sales) {GROUPS} 1 order by 2 desc limit 1 offset 1'),
    ("which state has the second highest sales?",
     f"select State {GROUPS} 1 order by sum(Sales) desc limit 1 offset 1"),
    ("third highest sales", "select Sales from lines order by 1 desc limit 1 offset 2"),
    ("what is the third largest state by sales?",
     f"select State, sum(Sales) {GROUPS} 1 order by 2 desc limit 1 offset 2"),
    # signs
    ("number of rows with a negative profit", "select count(*) from lines where Profit < 0"),
    ("average sales of orders that made a loss",
     "select avg(Sales) from lines where Profit < 0"),
    ("average discount of unprofitable lines", "select avg(Discount) from lines where Profit < 0"),
    # percentages of a column of shares
    ("how many lines have a discount over 50%?", "select count(*) from lines where Discount > 0.5"),
    ("average profit when discount is between 10 and 30 percent",
     "select avg(Profit) from lines where Discount between 0.1 and 0.3"),
    # one sum over another
    ("profit margin by state", f"select State, sum(Profit) / sum(Sales) {GROUPS} 1"),
    ("ratio of profit to sales by region",
     f"select Region, sum(Profit) / sum(Sales) {GROUPS} 1"),
    ("which region has the lowest profit margin?",
     f"select Region {GROUPS} 1 order by sum(Profit) / sum(Sales) limit 1"),
    # a number and the groups that it ranks
    ("least profitable state",
     f"select State, sum(Profit) {GROUPS} 1 order by 2 limit 1"),
    ("which state has the largest difference between sales and profit?",
     f"select State {GROUPS} 1 order by sum(Sales) - sum(Profit) desc limit 1"),
    ("which sub-category loses the most money?",
     f'select "Sub-Category" {GROUPS} 1 order by sum(Profit) limit 1'),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql"), RIGHT)
def test_is_right(asked: tuple[duckdb.DuckDBPyConnection, Reader], question: str, sql: str) -> None:
    store, reader = asked
    found = reader.read(question, TODAY)
    assert isinstance(found, Answerable), found
    told, right = store.execute(found.sql).fetchall(), store.execute(sql).fetchall()
    assert right, sql
    assert same(right, told), found.sql


@pytest.mark.parametrize(
    "question",
    [
        "top 10% of states",
        "which state is the happiest?",
        "total sales before 1990",
        "the second state",
        "sales in march 2005",
        "average sales of men and women",
    ],
)
def test_what_is_not_read_is_not_answered_as_if_it_were(
    asked: tuple[duckdb.DuckDBPyConnection, Reader], question: str
) -> None:
    assert isinstance(asked[1].read(question, TODAY), NotUnderstood)


CARS: list[tuple[Any, ...]] = [
    (
        f"{'ford' if number % 3 else 'opel'} {number}",
        3 + number % 6,
        10.0 + number % 37,
        year,
        grams,
    )
    for number, (year, grams) in enumerate(
        (1990 + number % 9, 900_000.0 + 700 * number) for number in range(240)
    )
]
CAR_NAMES: tuple[str, ...] = ("name", "cyl", "mpg", "year", "mass_g")
CAR_KINDS: tuple[Any, ...] = ("string", "integer", "float", "integer", "float")


@pytest.fixture(scope="module")
def cars() -> tuple[duckdb.DuckDBPyConnection, Reader]:
    store = duckdb.connect(config={"threads": 1})
    facts = (
        counted(name, kind, [row[at] for row in CARS])
        for at, (name, kind) in enumerate(zip(CAR_NAMES, CAR_KINDS, strict=True))
    )
    table = TableFacts("cars", tuple(facts))
    fill(store, table, CARS)
    return store, Reader([table])


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many cars have 8 cylinders?", "select count(*) from cars where cyl = 8"),
        ("average mpg by number of cylinders", "select cyl, avg(mpg) from cars group by 1"),
        ("how did mpg develop over the years?", "select year, avg(mpg) from cars group by 1"),
        ("number of cars heavier than 1000 kg", "select count(*) from cars where mass_g > 1e6"),
        (
            "lightest car with 8 cylinders",
            "select * from cars where cyl = 8 order by mass_g limit 1",
        ),
        (
            "car with the second highest mass",
            "select * from cars order by mass_g desc limit 1 offset 1",
        ),
        ("how many cars are called opel?", "select count(*) from cars where name like 'opel%'"),
        ("how many cars were made by Ford?", "select count(*) from cars where name like 'ford%'"),
    ],
)
def test_of_cars_is_right(
    cars: tuple[duckdb.DuckDBPyConnection, Reader], question: str, sql: str
) -> None:
    test_is_right(cars, question, sql)


@pytest.mark.parametrize(
    "question", ["cars with 4 doors", "population of opel", "how many cars were sold in 2030?"]
)
def test_of_cars_is_not_answered_beside_the_point(
    cars: tuple[duckdb.DuckDBPyConnection, Reader], question: str
) -> None:
    found = cars[1].read(question, TODAY)
    assert isinstance(found, NotUnderstood) or found.ignored, found


WEB: list[tuple[Any, ...]] = [
    (
        date(2026, 3, 1 + number % 28),
        ["/home", "/blog", "/docs"][number % 3],
        ["closed", "open"][number % 5 == 0],
        ["Acme Corp", "Globex", "Initech"][number % 3],
        100 + 7 * number % 900,
        number % 40,
        2.5 * number,
        0.2 + number % 60 / 100,
    )
    for number in range(400)
]
WEB_NAMES: tuple[str, ...] = (
    "opened", "page", "state", "client", "visitors", "conversions", "revenue", "bounce_rate"
)  # fmt: skip
WEB_KINDS: tuple[Any, ...] = (
    "date", "string", "string", "string", "integer", "integer", "float", "float"
)  # fmt: skip


@pytest.fixture(scope="module")
def web() -> tuple[duckdb.DuckDBPyConnection, Reader]:
    store = duckdb.connect(config={"threads": 1})
    store.execute(
        "create table web (opened date, page varchar, state varchar, client varchar,"
        " visitors bigint, conversions bigint, revenue double, bounce_rate double)"
    )
    insert(store, "web", WEB)
    facts = (
        counted(name, kind, [row[at] for row in WEB])
        for at, (name, kind) in enumerate(zip(WEB_NAMES, WEB_KINDS, strict=True))
    )
    return store, Reader([TableFacts("web", tuple(facts))])


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "conversion rate by page",
            "select page, sum(conversions) / sum(visitors) from web group by 1",
        ),
        (
            "revenue per visitor by page",
            "select page, sum(revenue) / sum(visitors) from web group by 1",
        ),
        (
            "visitors on the blog in march 2026",
            "select sum(visitors) from web where page = '/blog'",
        ),
        ("bounce rate above 70%", "select * from web where bounce_rate > 0.7"),
        (
            "weekly visitors",
            "select date_trunc('week', opened), sum(visitors) from web group by 1",
        ),
        ("total revenue of Acme", "select sum(revenue) from web where client = 'Acme Corp'"),
        (
            "how many clients have more than 133 rows?",
            "select count(*) from (select client from web group by 1 having count(*) > 133)",
        ),
    ],
)
def test_of_visits_is_right(
    web: tuple[duckdb.DuckDBPyConnection, Reader], question: str, sql: str
) -> None:
    test_is_right(web, question, sql)


@pytest.mark.parametrize("question", ["best day for the blog", "churn rate by page"])
def test_of_visits_is_refused_or_tells_what_it_left_out(
    web: tuple[duckdb.DuckDBPyConnection, Reader], question: str
) -> None:
    found = web[1].read(question, TODAY)
    assert isinstance(found, NotUnderstood) or found.ignored, found
