"""Years in names of columns, and values that a date is near to in meaning: each is what it says."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices, Decision

from .conftest import Make
from .test_arbiter import decide

LAKES = """
    select 'Lake ' || i as lake, ['North', 'South', 'West'][1 + i % 3] as basin,
    (3 + i * 7 % 90)::double as depth_2010_m, (2 + i * 11 % 80)::double as depth_2020_m,
    (2000 + i % 25)::int as last_sounded from range(1, 101) t(i)"""
MOORINGS = """
    select i as mooring_no, ['Ann', 'Bob'][1 + i % 2] as pilot, date '2025-01-05' + i::int as
    came_on, date '2025-01-09' + (i + i % 9)::int as left_on,
    ['cancelled', 'done', 'planned'][1 + i // 2 % 3] as state from range(1, 201) t(i)"""


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total depth in 2020 by basin", "select basin, sum(depth_2020_m) from lakes group by 1"),
        ("total depth in 2010", "select sum(depth_2010_m) from lakes"),
        ("average depth in 2020", "select avg(depth_2020_m) from lakes"),
    ],
)
def test_a_year_in_a_name_is_of_that_column(make: Make, question: str, sql: str) -> None:
    data = make({"lakes": LAKES})
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    assert sorted(decision.reading.result.rows, key=str) == sorted(data.run(sql).rows, key=str)


def test_a_year_beside_another_name_is_of_that(make: Make) -> None:
    decision = decide(make({"lakes": LAKES}), "how many lakes were last sounded in 2020")
    assert isinstance(decision, Answer)
    assert '"last_sounded" = 2020' in decision.reading.best.sql


@pytest.mark.parametrize("question", ["cancelled moorings per month", "how many were cancelled"])
def test_a_value_as_it_is_written_is_never_dropped(make: Make, question: str) -> None:
    told = offered(decide(make({"moorings": MOORINGS}), question))
    assert told
    assert all("\"state\" = 'cancelled'" in sql for sql in told)


def offered(decision: Decision) -> list[str]:
    if isinstance(decision, Answer):
        return [decision.reading.best.sql]
    return [one.best.sql for one in decision.readings] if isinstance(decision, Choices) else []
