"""Times between two dates, rows to each of something, columns beside each other, which row."""

import random
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import counted, same
from tests.questions.rows import insert
from tests.unit.engines.language.tables import SQL

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader
from modelwright.engines.language.rules.columns.schema import TableFacts

TODAY = date(2026, 11, 24)
COLUMNS: dict[str, dict[str, Any]] = {
    "orders": {
        "order_id": "integer", "customer_id": "integer", "order_date": "date",
        "ship_date": "date", "total": "float",
    },
    "customers": {"customer_id": "integer", "name": "string", "city": "string"},
    "homes": {
        "home_id": "integer", "beds": "integer", "baths": "integer", "price": "float",
        "district": "string",
    },
    "warehouses": {"name": "string", "opened": "date", "capacity": "integer"},
    "courses": {"course_id": "integer", "title": "string", "teacher": "string"},
    "students": {"student_id": "integer", "student": "string", "grade_level": "integer"},
    "grades": {
        "grade_id": "integer", "student_id": "integer", "course_id": "integer", "score": "float",
    },
    "loans": {"loan_id": "integer", "Total Paid Interest": "float", "Interest Rate": "float"},
}  # fmt: skip
PEOPLE = ["Ava Stone", "Ben Ortiz", "Cleo Park", "Dan Weiss", "Eve Long", "Finn Moss"]


def rows() -> dict[str, list[tuple[Any, ...]]]:
    chance = random.Random(11)
    orders: list[tuple[Any, ...]] = []
    for at in range(200):
        day = date(2025, 1, 1) + timedelta(chance.randrange(300))
        sent = day + timedelta(chance.randrange(1, 15)) if chance.random() < 0.9 else None
        orders.append((at, chance.randint(1, 6), day, sent, round(chance.uniform(5, 900), 2)))
    customers = [(at + 1, name, ["Berlin", "Rome"][at % 2]) for at, name in enumerate(PEOPLE)]
    homes = [
        (at, chance.randint(1, 5), chance.randint(1, 4), 1000.0 * chance.randint(90, 900),
         chance.choice(["Riverside", "Hilltop"]))
        for at in range(80)
    ]  # fmt: skip
    towns = enumerate(["Oslo Depot", "Lima Depot", "Kyiv Depot"])
    houses = [(name, date(2015 + 3 * (at % 2) + at, 5, 1), 900 - at) for at, name in towns]
    titles = ["Algebra", "Biology", "Chemistry", "Drama"]
    teachers = ["Ms Field", "Mr Hale", "Ms Ivers", "Mr Jones"]
    courses = [(at + 1, *both) for at, both in enumerate(zip(titles, teachers, strict=True))]
    students = [(at + 1, f"Pupil {chr(65 + at)}", 9 + at % 4) for at in range(20)]
    grades = [
        (at + 1, at % 20 + 1, chance.choice([1, 2, 2, 2, 3, 4]), float(chance.randint(40, 100)))
        for at in range(120)
    ]
    loans = [
        (at, chance.randint(100, 9000) / 10, chance.choice([3.5, 4.0, 5.5])) for at in range(240)
    ]
    return {
        "orders": orders, "customers": customers, "homes": homes, "warehouses": houses,
        "courses": courses, "students": students, "grades": grades, "loans": loans,
    }  # fmt: skip


@pytest.fixture(scope="module")
def store() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(config={"threads": 1})
    for name, lines in rows().items():
        typed = ", ".join(f'"{column}" {SQL[kind]}' for column, kind in COLUMNS[name].items())
        made.execute(f"create table {name} ({typed})")
        insert(made, name, lines)
    return made


def reader(*names: str) -> Reader:
    made = rows()
    return Reader([
        TableFacts(name, tuple(
            counted(column, kind, [line[at] for line in made[name]])
            for at, (column, kind) in enumerate(COLUMNS[name].items())
        ))
        for name in names
    ])  # fmt: skip


SHOP, SCHOOL = ("orders", "customers"), ("courses", "students", "grades")
ORDERS, HOMES = ("orders",), ("homes",)
TAKEN = "date_diff('day', order_date, ship_date)"
BOTH = "orders join customers using (customer_id)"
SCORED = "grades join courses using (course_id)"
RIGHT = [
    (ORDERS, "average days between order and shipment", f"select avg({TAKEN}) from orders"),
    (ORDERS, "how long does it take to ship an order on average?",
     f"select avg({TAKEN}) from orders"),
    (ORDERS, "what is the longest time between order date and ship date?",
     f"select max({TAKEN}) from orders"),
    (ORDERS, "how many orders took more than 10 days to ship?",
     f"select count(*) from orders where {TAKEN} > 10"),
    (ORDERS, "how many orders were shipped within 3 days?",
     f"select count(*) from orders where {TAKEN} <= 3"),
    (SHOP, "average days between order and shipment by city",
     f"select city, avg({TAKEN}) from {BOTH} group by 1"),
    (SHOP, "orders per customer on average",
     "select avg(n) from (select count(*) n from orders group by customer_id)"),
    (ORDERS, "how many orders a day on average?",
     "select avg(n) from (select count(*) n from orders group by order_date)"),
    (SCHOOL, "average number of courses per student",
     "select avg(n) from (select count(*) n from grades group by student_id)"),
    (ORDERS, "what is the busiest day?",
     "select max(n) from (select count(*) n from orders group by order_date)"),
    (ORDERS, "which month is the busiest?",
     ("select date_trunc('month', order_date) from orders group by 1"
      " order by count(*) desc limit 1")),
    (ORDERS, "how many customers are there?", "select count(distinct customer_id) from orders"),
    (HOMES, "how many homes have more baths than beds?",
     "select count(*) from homes where baths > beds"),
    (HOMES, "how many homes have as many baths as beds?",
     "select count(*) from homes where baths = beds"),
    (("warehouses",), "which warehouse opened last?",
     "select name from warehouses order by opened desc limit 1"),
    (("warehouses",), "which warehouse opened first?",
     "select name from warehouses order by opened limit 1"),
    (SCHOOL, "what is the most popular course?",
     f"select title from {SCORED} group by 1 order by count(*) desc limit 1"),
    (SCHOOL, "which teacher gives the lowest scores on average?",
     f"select teacher from {SCORED} group by 1 order by avg(score) limit 1"),
    (SCHOOL, "average score by grade level",
     ("select grade_level, avg(score) from grades join students using (student_id)"
     " group by 1")),
    (("loans",), "total paid interest", 'select sum("Total Paid Interest") from loans'),
]  # fmt: skip


@pytest.mark.parametrize(("tables", "question", "truth"), RIGHT)
def test_what_is_asked_is_answered(
    store: duckdb.DuckDBPyConnection, tables: tuple[str, ...], question: str, truth: str
) -> None:
    answer = reader(*tables).read(question, TODAY)
    assert isinstance(answer, Answerable), answer
    given, right = store.execute(answer.sql).fetchall(), store.execute(truth).fetchall()
    assert same(right, given, wider=True), (answer.sql, given, right)


@pytest.mark.parametrize(
    ("tables", "question"),
    [
        (HOMES, "which district is the most haunted?"),
        (ORDERS, "average days between order and lunch"),
    ],
)
def test_what_the_tables_do_not_hold_is_refused(tables: tuple[str, ...], question: str) -> None:
    answer = reader(*tables).read(question, TODAY)
    assert isinstance(answer, NotUnderstood), answer.sql


def test_a_time_is_told_with_its_dates_and_unit() -> None:
    answer = reader("orders").read("average weeks between order and shipment", TODAY)
    assert isinstance(answer, Answerable)
    assert "week" in answer.sql
    told = answer.interpretation.lower()
    assert "weeks from order date to ship date" in told, told
