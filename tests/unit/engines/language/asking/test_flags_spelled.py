"""Columns of yes and no that were typed by many hands: `Yes`, `y` and `TRUE` are one."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.catalog.meaning import Role

from .conftest import Data, Make
from .test_arbiter import decide

BIKES = """
    select i as bike_no, ['Yes', 'no', 'y', 'N', 'yes', 'No'][1 + i * i % 11 % 6] as serviced,
    ['TRUE', 'f', 'true', 'False', null][1 + i * 7 % 5] as insured,
    ['road', 'cargo'][1 + i % 2] as kind, [0, 1, 10][1 + i % 3] as gears,
    ['Y', 'N', 'y', 'B'][1 + i % 4] as frame
    from range(1, 201) t(i)"""
YES = "lower(serviced) in ('yes', 'y')"
NO = "lower(serviced) in ('no', 'n')"


@pytest.fixture(scope="module")
def bikes(make: Make) -> Data:
    return make({"bikes": BIKES})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("serviced bikes", f"select * from bikes where {YES}"),
        ("how many bikes were not serviced", f"select count(*) from bikes where {NO}"),
        ("how many cargo bikes are insured",
         "select count(*) from bikes where kind = 'cargo' and lower(insured) in ('true', 't')"),
        ("share of serviced bikes",
         f"select 100.0 * count(*) filter (where {YES}) / count(*) from bikes"),
        ("bikes by serviced",
         f"select {YES}, count(*) from bikes group by 1"),
    ],
)  # fmt: skip
def test_all_spellings_say_the_same(bikes: Data, question: str, sql: str) -> None:
    decision = decide(bikes, question)
    assert isinstance(decision, Answer)
    told = bikes.run(decision.reading.best.sql).rows
    assert sorted(row[-1] for row in told) == sorted(row[-1] for row in bikes.run(sql).rows)
    assert len(told) == len(bikes.run(sql).rows)


def test_a_letter_that_says_neither_makes_a_kind(bikes: Data) -> None:
    table = bikes.catalog.table("bikes")
    roles = {one.name: one.role for one in table.columns} if table else {}
    assert roles["serviced"] is roles["insured"] is Role.FLAG
    assert roles["frame"] is Role.DIMENSION
    assert roles["gears"] is Role.MEASURE
