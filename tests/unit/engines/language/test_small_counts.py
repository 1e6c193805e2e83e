"""Columns that count to two, flags, and a column called like a preposition."""

import random
from datetime import date
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import same
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

COLUMNS = {
    "households": {
        "household_id": "integer", "region": "string", "kidhome": "integer",
        "complain": "integer", "campaign3": "integer", "income": "float",
    },
    "readings": {"at": "float", "v": "float"},
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def rows() -> dict[str, list[tuple[Any, ...]]]:
    chance = random.Random(3)
    return {
        "households": [
            (at, chance.choice(["North", "South"]), chance.randrange(3), chance.randrange(2),
             chance.randrange(2), round(chance.uniform(20_000, 90_000), 2))
            for at in range(1, 301)
        ],
        "readings": [(chance.uniform(2, 37), chance.uniform(25, 81)) for _ in range(300)],
    }  # fmt: skip


def asked_of(name: str) -> Asked:
    told = name, COLUMNS[name], rows()[name]
    return store_of(*told), reader_of(*told)


RIGHT = [
    ("households", "how many with kidhome = 2", "kidhome = 2"),
    ("households", "how many with kidhome = 3", "kidhome = 3"),
    ("households", "how many complained?", "complain = 1"),
    ("readings", "How many rows have at above 20?", '"at" > 20'),
]


class TestSmallCounts:
    @pytest.mark.parametrize(("name", "question", "test"), RIGHT, ids=[one[1] for one in RIGHT])
    def test_a_number_said_is_the_number_tested(self, name: str, question: str, test: str) -> None:
        store, reader = asked_of(name)
        told = reader.read(question, date(2026, 11, 25))
        assert isinstance(told, Answerable), told
        sql = f"select count(*) from {name} where {test}"
        assert same(store.sql(sql).fetchall(), store.sql(told.sql).fetchall()), told.sql

    @pytest.mark.parametrize(
        "question", ["how many with complain = 3", "average income where complain is 5"]
    )
    def test_a_number_that_is_left_over_refuses(self, question: str) -> None:
        told = asked_of("households")[1].read(question, date(2026, 11, 25))
        assert isinstance(told, NotUnderstood)
        assert question[-1] in told.sentence
