"""A table of people with their years of birth and the dates since when they are customers."""

from datetime import date, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Reader

TODAY = date(2026, 11, 26)
COLUMNS = {
    "id": "integer", "Year_Birth": "integer", "Dt_Customer": "date", "Income": "integer",
    "Education": "string",
}  # fmt: skip
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def asked() -> Asked:
    rows = [
        (
            at + 1, 1940 + at * 37 % 59, date(2019, 1, 1) + timedelta(at * 53 % 1400),
            20_000 + at * 971 % 60_000, ("Master", "PhD", "Basic")[at % 3],
        )
        for at in range(120)
    ]  # fmt: skip
    return store_of("panel", COLUMNS, rows), reader_of("panel", COLUMNS, rows)


@pytest.mark.parametrize(
    ("question", "truth"),
    [
        (
            "average income by year of birth",
            "SELECT Year_Birth, avg(Income) FROM panel GROUP BY 1 ORDER BY 1",
        ),
        (
            "customers by year of birth",
            "SELECT Year_Birth, count(*) FROM panel GROUP BY 1 ORDER BY 1",
        ),
        ("earliest year of birth", "SELECT min(Year_Birth) FROM panel"),
        ("oldest year of birth", "SELECT min(Year_Birth) FROM panel"),
        (
            "the latest birth year of Master",
            "SELECT max(Year_Birth) FROM panel WHERE Education = 'Master'",
        ),
        (
            "income by year",
            "SELECT year(Dt_Customer), sum(Income) FROM panel GROUP BY 1 ORDER BY 1",
        ),
    ],
)
def test_a_year_in_a_name_is_no_stretch_of_time(asked: Asked, question: str, truth: str) -> None:
    answers_as(asked, question, truth, TODAY)


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("top 5 customers by income", "Income DESC"),
        ("5 oldest customers", "Year_Birth"),
        ("the 5 youngest customers", "Year_Birth DESC"),
        ("5 newest customers", "Dt_Customer DESC"),
    ],
)
def test_customers_are_rows_and_no_dates(asked: Asked, question: str, order: str) -> None:
    answers_as(asked, question, f"SELECT * FROM panel ORDER BY {order}, id LIMIT 5", TODAY)
