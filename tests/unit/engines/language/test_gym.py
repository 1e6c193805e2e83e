"""Four tables of a gym: what a reading over several tables lost, read as one of a single table."""

import random
from datetime import date, datetime, time, timedelta
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import same
from tests.unit.engines.language.tables import tables_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 24)
COLUMNS: dict[str, dict[str, Any]] = {
    "plans": {"plan_id": "integer", "plan_name": "string", "monthly_fee": "float"},
    "members": {
        "member_id": "integer", "full_name": "string", "gender": "string", "age": "integer",
        "branch": "string", "plan_id": "integer", "joined_on": "date", "cancelled_on": "date",
    },
    "classes": {"class_id": "integer", "class_name": "string", "instructor": "string"},
    "gym_visits": {
        "visit_id": "integer", "member_id": "integer", "class_id": "integer",
        "checked_in_at": "time", "minutes": "integer",
    },
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def rows() -> dict[str, list[tuple[Any, ...]]]:
    chance = random.Random(4)
    members: list[tuple[Any, ...]] = []
    for at in range(1, 121):
        joined = date(2024, 1, 1) + timedelta(chance.randrange(700))
        left = joined + timedelta(chance.randrange(30, 300)) if at % 3 == 0 else None
        told = chance.choice("FM"), chance.randint(16, 75), chance.choice(["Harbor", "Airport"])
        members.append((at, f"Member {at}", *told, chance.choice([1, 1, 2, 3]), joined, left))
    begun = datetime.combine(date(2025, 1, 1), time(6))
    visits = [
        (at, chance.randint(1, 110), chance.choice([1, 1, 2, 3]),
         begun + timedelta(minutes=chance.randrange(900_000)), chance.randint(15, 150))
        for at in range(900)
    ]  # fmt: skip
    return {
        "plans": [(1, "Basic", 19.9), (2, "Plus", 34.9), (3, "Premium", 59.0)],
        "members": members,
        "classes": [(1, "Yoga", "Mira Sol"), (2, "Spin", "Theo Lang"), (3, "Boxing", "Rex Odum")],
        "gym_visits": visits,
    }  # fmt: skip


@pytest.fixture(scope="module")
def gym() -> Asked:
    return tables_of(COLUMNS, rows())


ALL = "gym_visits join members using (member_id) join plans using (plan_id)"
TAUGHT = "gym_visits join classes using (class_id) join members using (member_id)"
RIGHT = [
    ("average visit length by plan", f"select plan_name, avg(minutes) from {ALL} group by 1"),
    ("average age of premium members",
     "select avg(age) from members join plans using (plan_id) where plan_name = 'Premium'"),
    ("visits per month in 2026",
     ("select date_trunc('month', checked_in_at), count(*) from gym_visits"
      " where year(checked_in_at) = 2026 group by 1")),
    ("most popular class in each branch",
     (f"select branch, class_name from {TAUGHT} group by 1, 2"
      " qualify row_number() over (partition by branch order by count(*) desc) = 1")),
    ("which plan has the most cancellations?",
     ("select plan_name from members join plans using (plan_id)"
      " where cancelled_on is not null group by 1 order by count(*) desc limit 1")),
    ("how many visits were longer than 2 hours?",
     "select count(*) from gym_visits where minutes > 120"),
    ("which member visited most recently?",
     ("select full_name from gym_visits join members using (member_id)"
      " order by checked_in_at desc limit 1")),
]  # fmt: skip


@pytest.mark.parametrize(("question", "truth"), RIGHT)
def test_is_right(gym: Asked, question: str, truth: str) -> None:
    store, reader = gym
    answer = reader.read(question, TODAY)
    assert isinstance(answer, Answerable), answer
    right, given = store.execute(truth).fetchall(), store.execute(answer.sql).fetchall()
    assert same(right, given, wider=True), (answer.sql, right, given)


def test_a_group_that_would_be_lost_is_refused(gym: Asked) -> None:
    answer = gym[1].read("average age by class", TODAY)
    assert isinstance(answer, NotUnderstood), answer.sql
