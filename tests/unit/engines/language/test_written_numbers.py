"""Questions about numbers that are stored as text: with a currency, thousands or a percent sign."""

from datetime import date
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, Reader

COLUMNS = {"host": "string", "city": "string", "price": "string", "response_rate": "string",
           "reviews": "string", "term": "string"}  # fmt: skip
ROWS: list[tuple[Any, ...]] = [
    ("Ann", "Bern", "$1,250.00", "98%", "1,024", "36 months"),
    ("Bob", "Bern", "$50.00", "90 %", "76", "60 months"),
    ("Cid", "Rome", "$-20.00", "55%", "12", "36 months"),
    ("Dee", "Rome", "$120.00", None, "1,000", "36 months"),
]


@pytest.fixture(scope="module")
def store() -> duckdb.DuckDBPyConnection:
    return store_of("listings", COLUMNS, ROWS)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return reader_of("listings", COLUMNS, ROWS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the average price?", [(350.0,)]),
        ("What is the total of reviews?", [(2112.0,)]),
        ("What is the highest response rate?", [(98.0,)]),
        ("How many listings have a price above 100?", [(2,)]),
        ("Which city has the highest average price?", [("Bern",)]),
        ("How many listings have the term '36 months'?", [(3,)]),
    ],
)
def test_are_answered_by_the_numbers(
    store: duckdb.DuckDBPyConnection, reader: Reader, question: str, rows: list[Any]
):
    answer = reader.read(question, date(2024, 5, 20))
    assert isinstance(answer, Answerable), answer
    found = store.execute(answer.sql).fetchall()
    assert [row[:1] for row in found] == rows, answer.sql
