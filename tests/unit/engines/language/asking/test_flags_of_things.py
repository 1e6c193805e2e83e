"""Visits of patients that a code calls, with flags whose names say what is needed."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.arbiter.results import same_result

from .conftest import Data, Make
from .test_arbiter import decide

VISITS = """
    select i as "Visit ID", 'V' || (100 + i * i % 41) as "CHI",
    ['Amy', 'Bob', 'Cai', 'Dee'][1 + i * i % 41 % 4] || ' ' || chr((65 + i * i % 41 % 7)::int)
    as "Client Name", ['Y', 'N', 'N'][1 + i % 3] as "Hoist Reqd",
    ['Y', 'N'][1 + i % 2] as "Needs Parking",
    ['Jo', 'Kit', 'Lu'][1 + i * i % 41 % 5 % 3] as "Nurse",
    (10 + i * 7 % 50)::int as minutes from range(1, 181) t(i)"""


@pytest.fixture(scope="module")
def visits(make: Make) -> Data:
    return make({"Visit_Export": VISITS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "clients who need a hoist",
            """select distinct "CHI", "Client Name" from {0} where "Hoist Reqd" = 'Y'""",
        ),
        (
            "how many different clients need a hoist",
            """select count(distinct "CHI") from {0} where "Hoist Reqd" = 'Y'""",
        ),
        ("visits without parking", """select * from {0} where "Needs Parking" = 'N'"""),
        (
            "share of visits with a hoist by nurse",
            """select "Nurse", 100.0 * count_if("Hoist Reqd" = 'Y') / count(*) from {0}
            group by 1""",
        ),
    ],
)
def test_is_read(visits: Data, question: str, sql: str) -> None:
    decision = decide(visits, question)
    assert isinstance(decision, Answer)
    wanted = visits.run(sql.format('"Visit_Export"'))
    assert same_result(decision.reading.result, wanted), decision.reading.best.sql


def test_things_are_counted_once_where_the_table_is_written_in_capitals(visits: Data) -> None:
    decision = decide(visits, "which nurse saw the most clients")
    told = decision.readings if isinstance(decision, Choices) else ()
    assert told
    wanted = visits.run(
        'select "Nurse", count(distinct "CHI") from "Visit_Export" group by 1'
        " order by 2 desc limit 1"
    )
    assert same_result(told[0].result, wanted), told[0].best.sql
