"""Harbours, their quays and the landings there: superlatives and words of charts in a database."""

from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, tables_of

from modelwright.engines.language.rules.answering.questions import NotUnderstood, Reader

TODAY = date(2026, 11, 25)
COLUMNS = {
    "harbours": {"harbour_id": "integer", "harbour_name": "string", "coast": "string",
                 "founded": "integer"},
    "bars": {"bar_id": "integer", "bar_name": "string", "harbour_id": "integer"},
    "landings": {"landing_id": "integer", "bar_id": "integer", "landed_on": "date",
                 "crates": "integer"},
}  # fmt: skip
ROWS: dict[str, list[tuple[Any, ...]]] = {
    "harbours": [
        (1, "Skagen", "North", 1903), (2, "Lysekil", "West", 1850), (3, "Visby", "North", 1721),
        (4, "Ystad", "West", 1911),
    ],
    "bars": [(at, f"{name} Bar", at % 4 + 1)
             for at, name in enumerate(("Anchor", "Gull", "Net", "Tide", "Sail", "Mast"), 1)],
    "landings": [
        (at, at * at % 6 + 1, date(2025, 1, 1) + timedelta(at), at * 5 % 19 + (at % 6 == 2) * 9)
        for at in range(300)
    ],
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def harbours() -> Asked:
    return tables_of(COLUMNS, ROWS)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("oldest harbour on the north coast",
         "select harbour_name from harbours where coast = 'North' order by founded limit 1"),
        ("which bar took the most crates?",
         ("select bar_name from landings join bars using (bar_id) group by 1"
          " order by sum(crates) desc limit 1")),
        ("harbours per decade",
         "select 10.0 * floor(founded / 10.0), count(*) from harbours group by 1"),
        ("list all harbours on the north coast with their founding year",
         "select harbour_name, founded from harbours where coast = 'North'"),
    ],
)  # fmt: skip
def test_is_of_the_table_that_is_named(harbours: Asked, question: str, right: str) -> None:
    answers_as(harbours, question, right, TODAY)


def test_a_word_of_the_tables_is_no_chart(harbours: Asked) -> None:
    found = harbours[1].read("number of landings per bar", TODAY)
    assert getattr(found, "chart", None) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("oldest harbour of each coast bar", "each"),
        ("how many bars did not call in 2026?", "not"),
        ("average crates per landing by bar", "by bar"),
        ("which bar has never landed late?", "late"),
        ("how much has Gull Bar paid?", "how much"),
    ],
)
def test_what_would_be_lost_is_refused(harbours: Asked, question: str, said: str) -> None:
    found = harbours[1].read(question, TODAY)
    assert isinstance(found, NotUnderstood), found.sql
    assert said in found.sentence
