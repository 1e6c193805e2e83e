"""Small tables to look things up in: what is surely a look-up is answered, what it loses is not."""

from datetime import date
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {
    "county": "string", "% yes": "string", "popular vote share": "float", "seats": "integer",
    "fastest lap": "string", "bronze medals": "integer",
}  # fmt: skip
ROWS: list[tuple[Any, ...]] = [
    ("Alder", "32.47%", 41.5, 90, "Ines Roth", 4), ("Birch", "51.2%", 22.5, 43966, "Aldo Sand", 1),
    ("Cedar", "60%", 12.0, 12, "Birk Lind", 9), ("Elm", "48.1%", 8.25, 3, "Ines Lind", 0),
]  # fmt: skip


@pytest.fixture(scope="module")
def polls() -> tuple[duckdb.DuckDBPyConnection, Reader]:
    return store_of("polls", COLUMNS, ROWS), reader_of("polls", COLUMNS, ROWS)


@pytest.mark.parametrize(
    ("question", "cell"),
    [
        ("What was the county of the ballot measure if the % of yes vote is 32.47%?", "Alder"),
        ("What is the share of the popular vote when there were 43,966 seats available?", 22.5),
        ("What is the county where Aldo Sand set the fastest lap?", "Birch"),
        ("Name the most bronze medals", 9),
    ],
)
def test_a_sure_look_up_is_answered(
    polls: tuple[duckdb.DuckDBPyConnection, Reader], question: str, cell: object
) -> None:
    read = polls[1].read(question, TODAY)
    assert isinstance(read, Answerable), read
    assert polls[0].sql(read.sql).fetchall() == [(cell,)]


@pytest.mark.parametrize(
    "question",
    [
        "Which county is the most haunted?",
        "What is the running total of seats where the county is Alder?",
        "What is the popular vote share of the tastiest county where seats is 90?",
        "What was the turnout of the county whose mayor was born in 1963?",
    ],
)
def test_a_look_up_that_loses_what_was_said_is_refused(
    polls: tuple[duckdb.DuckDBPyConnection, Reader], question: str
) -> None:
    assert isinstance(polls[1].read(question, TODAY), NotUnderstood)
