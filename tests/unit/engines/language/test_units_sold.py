"""Cars sold by make and year, counted by one column: sales are units, a year is no quantity."""

from datetime import date

import duckdb
import pytest
from tests.unit.engines.language.tables import answers_as, reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Reader

TODAY = date(2026, 11, 25)
COLUMNS = {"Year": "integer", "Month": "integer", "Make": "string", "Quantity": "integer"}
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


@pytest.fixture(scope="module")
def sold() -> Asked:
    rows = [
        (2012 + at % 7, at // 7 % 12 + 1, ("Arden", "Topp", "Corsel")[at % 3], at * 37 % 2900)
        for at in range(504)
    ]
    return store_of("car_sales", COLUMNS, rows), reader_of("car_sales", COLUMNS, rows)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("sales per year", "select Year, sum(Quantity) from car_sales group by 1"),
        ("which make sold the most cars",
         "select Make from car_sales group by 1 order by sum(Quantity) desc limit 1"),
        ("top 2 makes by quantity in 2016",
         ("select Make, sum(Quantity) from car_sales where Year = 2016 group by 1"
          " order by 2 desc limit 2")),
        ("sales by make in 2015",
         "select Make, sum(Quantity) from car_sales where Year = 2015 group by 1"),
    ],
)  # fmt: skip
def test_is_answered(sold: Asked, question: str, right: str) -> None:
    answers_as(sold, question, right, TODAY)
