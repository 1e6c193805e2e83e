"""Guests whom agents send: three tables have cities, and none has a date."""

import random
from datetime import date
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import same
from tests.unit.engines.language.tables import tables_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 24)
COLUMNS: dict[str, dict[str, Any]] = {
    "guests": {
        "guest_id": "integer", "agent_code": "string", "city": "string", "product_count": "integer",
    },
    "agents": {
        "agent_code": "string", "visit_count": "integer", "city": "string",
        "monthly_fee": "integer",
    },
    "citys": {"city": "string", "inhabitants": "integer"},
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def asked() -> Asked:
    chance = random.Random(7)
    towns = ["Ashby", "Corley", "Denham", "Elton"]
    codes = [f"AG {at}" for at in range(60)]
    guests = [
        (at, chance.choice(codes), chance.choice(towns[:3]), chance.randint(1, 9))
        for at in range(300)
    ]
    agents = [
        (code, chance.randint(10, 90), chance.choice(towns[:3]), chance.randint(5, 9))
        for code in codes
    ]
    citys = [(town, 1000 * at + 750) for at, town in enumerate(towns)]
    return tables_of(COLUMNS, {"guests": guests, "agents": agents, "citys": citys})


def test_a_column_that_a_table_is_called_by_too_groups_the_rows_that_have_it(asked: Asked) -> None:
    store, reader = asked
    answer = reader.read("average product count by city", TODAY)
    assert isinstance(answer, Answerable), answer
    right = "select city, avg(product_count) from guests group by 1"
    assert same(store.execute(right).fetchall(), store.execute(answer.sql).fetchall()), answer.sql


@pytest.mark.parametrize(
    "question",
    ["average product count over time", "total visit count by month"],
)
def test_what_has_no_dates_is_told_over_no_time(asked: Asked, question: str) -> None:
    read = asked[1].read(question, TODAY)
    assert isinstance(read, NotUnderstood), read
    assert "No column of dates was found" in read.sentence


def test_a_month_in_a_name_asks_for_no_time(asked: Asked) -> None:
    answer = asked[1].read("average monthly fee of agents", TODAY)
    assert isinstance(answer, Answerable), answer
    assert (
        asked[0].execute(answer.sql).fetchall()
        == asked[0].execute("select avg(monthly_fee) from agents").fetchall()
    )


def test_what_is_not_there_is_named_before_dates_are_missed(asked: Asked) -> None:
    read = asked[1].read("weekly salaries", TODAY)
    assert isinstance(read, NotUnderstood), read
    assert '"salaries"' in read.sentence
