"""Groups set beside each other, and what is ranked in each of them."""

import random
from datetime import date, datetime, time, timedelta
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import same
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 24)
COLUMNS = {
    "staff_id": "integer", "full_name": "string", "department": "string", "gender": "string",
    "age": "integer", "salary": "float", "hired_on": "date", "remote": "string",
    "no_show": "string", "manager": "string",
}  # fmt: skip
FIRST = ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Jo"]
LAST = ["Ash", "Birch", "Cole", "Dane", "Elm", "Frost", "Gray", "Hart", "Ives", "Judd", "Kerr"]
TRIPS = {
    "pickup": "time", "dropoff": "time", "distance": "float", "fare": "float", "payment": "string",
    "fee": "float", "passengers": "integer", "pickup_borough": "string",
    "dropoff_borough": "string",
}  # fmt: skip


def staff() -> list[tuple[Any, ...]]:
    chance = random.Random(2)
    names = [f"{first} {last}" for first in FIRST for last in LAST]
    people = [*names, *(f"{name} Jr" for name in names)]
    return [
        (at, name, chance.choice(["Sales", "Finance", "Design"]), chance.choice(["Male", "Female"]),
         18 + at % 45, 30_000.0 + at * 17 % 4001, date(2015, 1, 1) + timedelta(at * 13 % 3900),
         chance.choice(["Yes", "No"]), chance.choice(["Yes", "No", "No"]),
         chance.choice(["Kim Low", "Lee Pratt"]))
        for at, name in enumerate(people)
    ]  # fmt: skip


def trips() -> list[tuple[Any, ...]]:
    chance = random.Random(3)
    found: list[tuple[Any, ...]] = []
    for at in range(400):
        begun = datetime.combine(date(2026, 3, 1), time()) + timedelta(minutes=at * 77)
        ends = [chance.choice(["Bronx", "Queens", "Manhattan"]) for _ in range(2)]
        ended = begun + timedelta(minutes=chance.randint(4, 95))
        paid = chance.choice(["credit card", "cash"])
        told = chance.uniform(0.5, 20), chance.uniform(5, 80), paid, 1.25 * (at % 7), at % 4 + 1
        found.append((begun, ended, *told, *ends))
    return found


Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def office() -> Asked:
    return store_of("staff", COLUMNS, staff()), reader_of("staff", COLUMNS, staff())


@pytest.fixture(scope="module")
def cabs() -> Asked:
    return store_of("trips", TRIPS, trips()), reader_of("trips", TRIPS, trips())


def check(asked: Asked, question: str, truth: str) -> None:
    store, reader = asked
    answer = reader.read(question, TODAY)
    assert isinstance(answer, Answerable), answer
    right, given = store.execute(truth).fetchall(), store.execute(answer.sql).fetchall()
    assert same(right, given, wider=True), (answer.sql, right, given)


BY_GENDER = "select gender, avg(salary) from staff group by 1"
FIRST_PAID = "qualify row_number() over (partition by department order by salary desc)"
OF_STAFF = [
    ("average salary of men and women", BY_GENDER),
    ("average salary of women and others", BY_GENDER),
    ("average salary of remote and non-remote staff",
     "select remote, avg(salary) from staff group by 1"),
    ("average age of women or men", "select avg(age) from staff"),
    ("how many men and women are there", "select gender, count(*) from staff group by 1"),
    ("gender split by department",
     "select department, gender, count(*) from staff group by 1, 2"),
    ("highest paid employee in each department",
     f"select full_name, salary from staff {FIRST_PAID} = 1"),
    ("who earns the most in each department?",
     f"select department, full_name, salary from staff {FIRST_PAID} = 1"),
    ("3 highest paid employees per department", f"select full_name from staff {FIRST_PAID} <= 3"),
    ("second highest paid employee in each department",
     f"select full_name from staff {FIRST_PAID} = 2"),
    ("highest salary per department", "select department, max(salary) from staff group by 1"),
    ("most recent hire in each department",
     ("select full_name from staff"
      " qualify row_number() over (partition by department order by hired_on desc) = 1")),
    ("most common manager in each department",
     ("select department, manager from staff group by 1, 2"
      " qualify row_number() over (partition by department order by count(*) desc) = 1")),
    ("department with the highest average salary",
     "select department from staff group by 1 order by avg(salary) desc limit 1"),
    ("staff under 30 earning over 33000", "select * from staff where age < 30 and salary > 33000"),
    ("employees who did not show up", "select * from staff where no_show = 'Yes'"),
    ("how many employees showed up?", "select count(*) from staff where no_show = 'No'"),
    ("people hired within the last 24 months",
     "select * from staff where hired_on >= date '2024-11-24' and hired_on < date '2026-11-25'"),
    ("who earns more than 33000 and works remotely?",
     "select full_name from staff where salary > 33000 and remote = 'Yes'"),
    ("employees above average salary",
     "select * from staff where salary > (select avg(salary) from staff)"),
]  # fmt: skip
TAKEN = "date_diff('second', pickup, dropoff) / 60"
OF_TRIPS = [
    ("average fare of trips paid by card and cash",
     "select payment, avg(fare) from trips group by 1"),
    ("how many trips start and end in the same borough?",
     "select count(*) from trips where pickup_borough = dropoff_borough"),
    ("average fare on weekends and weekdays",
     ("select case when isodow(pickup) > 5 then 'weekend' else 'weekday' end, avg(fare)"
      " from trips group by 1")),
    ("average fare at night",
     "select avg(fare) from trips where hour(pickup) >= 22 or hour(pickup) < 6"),
    ("average fare in the evening",
     "select avg(fare) from trips where hour(pickup) between 18 and 21"),
    ("how many minutes does a trip take on average?", f"select avg({TAKEN}) from trips"),
    ("how long is the average trip?", f"select avg({TAKEN}) from trips"),
    ("trips that took longer than an hour", f"select * from trips where {TAKEN} > 60"),
    ("average monthly fees", "select sum(fee) / count(distinct month(pickup)) from trips"),
    ("fees per passenger by payment",
     "select payment, sum(fee) / sum(passengers) from trips group by 1"),
    ("trips by payment", "select payment, count(*) from trips group by 1"),
    ("latest fare of each payment",
     ("select payment, fare from trips"
      " qualify row_number() over (partition by payment order by pickup desc) = 1")),
    ("most expensive trip of each day",
     ("select * from trips qualify row_number() over"
      " (partition by date_trunc('day', pickup) order by fare desc) = 1")),
]  # fmt: skip


@pytest.mark.parametrize(("question", "truth"), OF_STAFF)
def test_staff_is_answered(office: Asked, question: str, truth: str) -> None:
    check(office, question, truth)


@pytest.mark.parametrize(("question", "truth"), OF_TRIPS)
def test_trips_are_answered(cabs: Asked, question: str, truth: str) -> None:
    check(cabs, question, truth)


@pytest.mark.parametrize(
    "question",
    [
        "average salary of remote and tenured employees",
        "average age of high earners",
        "average salary of employees hired in their first year",
        "which department grew the most?",
        "slowest employee per department",
        "employees whose salary is higher than in the contract",
        "average salary of employees hired at night",
    ],
)
def test_what_would_be_left_out_is_refused(office: Asked, question: str) -> None:
    answer = office[1].read(question, TODAY)
    assert isinstance(answer, NotUnderstood), answer.sql


def test_what_is_ranked_in_each_group_is_told(office: Asked) -> None:
    answer = office[1].read("3 highest paid employees per department", TODAY)
    assert isinstance(answer, Answerable)
    assert "the first 3 of each department only" in answer.interpretation
