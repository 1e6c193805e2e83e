"""Hours of a day, rows by what they earn, and how many rows there are of each kind on average."""

from datetime import date, datetime, timedelta

import duckdb
import pytest
from tests.questions.question_sets import same
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {"full_name": "string", "office": "string", "earnings": "float", "begun": "time"}
OFFICES = ("Leeds", "York", "Bath")
ROWS = [
    (
        f"{first} {last}",
        OFFICES[(at * at) % len(OFFICES)],
        1000.0 + 37 * at,
        datetime(2026, 3, 2, 5) + timedelta(minutes=97 * at),  # noqa: DTZ001 - naive as stored
    )
    for at, (first, last) in enumerate(
        (first, last)
        for first in ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
        for last in ("Archer", "Baker", "Cooper", "Dyer", "Eaton", "Fisher", "Glover", "Hunter")
    )
]


@pytest.fixture(scope="module")
def shifts() -> tuple[duckdb.DuckDBPyConnection, Reader]:
    return store_of("shifts", COLUMNS, ROWS), reader_of("shifts", COLUMNS, ROWS)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many shifts after 5 pm", "select count(*) from shifts where hour(begun) >= 17"),
        ("average earnings before 6 am", "select avg(earnings) from shifts where hour(begun) < 6"),
        (
            "number of shifts between 8 and 10 am",
            "select count(*) from shifts where hour(begun) in (8, 9)",
        ),
        ("the top earner", "select full_name from shifts order by earnings desc limit 1"),
        (
            "top 3 earners",
            "select full_name, earnings from shifts order by earnings desc limit 3",
        ),
        (
            "top 5 names by earnings",
            "select full_name, earnings from shifts order by earnings desc limit 5",
        ),
        ("average shifts per office", "select count(*) / count(distinct office) from shifts"),
        ("shifts per office on average", "select count(*) / count(distinct office) from shifts"),
    ],
)
def test_is_read(
    shifts: tuple[duckdb.DuckDBPyConnection, Reader], question: str, right: str
) -> None:
    store, reader = shifts
    answer = reader.read(question, TODAY)
    assert isinstance(answer, Answerable), answer
    told = store.execute(answer.sql).fetchall()
    assert same(store.execute(right).fetchall(), told), answer.sql
