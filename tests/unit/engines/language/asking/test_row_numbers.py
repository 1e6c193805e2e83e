"""Numbers that count the rows are no amounts, whatever they are called: `visit` 1, 2, 3."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Make
from .test_arbiter import decide

VISITS = """
    select {first} + i as visit, ['north', 'south'][1 + i % 2] as region,
    (80 + i * 37 % 900)::double as fee, (1 + i % 6)::int as rooms from range(0, 120) t(i)"""


@pytest.mark.parametrize("first", [0, 1, 1000, 5001])
@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many visits cost more than 500", "select count(*) from clinic where fee > 500"),
        ("number of visits by region", "select region, count(*) from clinic group by 1"),
    ],
)
def test_are_counted_and_not_summed(make: Make, first: int, question: str, sql: str) -> None:
    data = make({"clinic": VISITS.format(first=first)})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert sorted(decision.reading.result.rows, key=str) == sorted(data.run(sql).rows, key=str)


@pytest.mark.parametrize("question", ["total visit", "average visit by region"])
def test_are_no_figure_to_answer_with(make: Make, question: str) -> None:
    decision = decide(make({"clinic": VISITS.format(first=1)}), question)
    assert not isinstance(decision, Answer), decision.reading.best.sql


def test_numbers_that_begin_elsewhere_are_amounts(make: Make) -> None:
    data = make({"clinic": VISITS.format(first=7)})
    decision = decide(data, "total visit")
    assert isinstance(decision, Answer)
    assert decision.reading.best.sql == 'SELECT SUM("visit") AS "sum_visit" FROM "clinic"'


@pytest.mark.parametrize(
    "called",
    ["amount", "total_price", "rank", "Working Hours", "weight_kg", "goals", "Page Views", "delay"],
)
def test_numbers_that_are_called_as_amounts_are_amounts(make: Make, called: str) -> None:
    data = make({"clinic": VISITS.format(first=1).replace("as visit", f'as "{called}"')})
    decision = decide(data, f"average {called.replace('_', ' ')} by region")
    assert isinstance(decision, Answer)
    sql = f'select region, avg("{called}") from clinic group by 1'
    assert sorted(decision.reading.result.rows, key=str) == sorted(data.run(sql).rows, key=str)
