"""The commonest of kinds: one in the singular, all by their number in the plural."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code

from .conftest import Data, Make
from .test_arbiter import decide

FAULTS = """
    select i as fault_id, ['Jam', 'Leak', 'Overheat', 'Noise'][1 + i * i % 7 % 4] as fault_cause,
    ['press', 'lathe'][1 + i % 2] as machine, (i * 17 % 45)::int as minutes_down
    from range(1, 151) t(i)"""
ALL = "select fault_cause, count(*) from faults group by 1"
ONE = f"{ALL} order by 2 desc limit 1"


@pytest.fixture(scope="module")
def faults(make: Make) -> Data:
    return make({"faults": FAULTS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("most common fault causes", ALL),
        ("what are the main causes of faults", ALL),
        ("main fault causes of the press", ALL.replace(" group", " where machine = 'press' group")),
        ("what is the most common fault cause", ONE),
        ("main fault cause", ONE),
        ("the 2 most common fault causes", ONE.replace("limit 1", "limit 2")),
    ],
)
def test_several_are_told_where_several_are_asked_for(
    faults: Data, question: str, sql: str
) -> None:
    decision = decide(faults, question)
    assert isinstance(decision, Answer)
    assert same_result(decision.reading.result, faults.run(sql)), decision.reading.best.sql


def test_all_are_not_the_commonest_one(faults: Data) -> None:
    sql = f"{ALL} order by count(*) desc"
    found = check(sql, faults.request("what is the most common fault cause"))
    assert Code.SUPERLATIVE_DROPPED in {one.code for one in found}
