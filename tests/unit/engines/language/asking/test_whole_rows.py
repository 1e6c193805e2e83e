"""An extreme told with the row that it is of, and groups tested by how often something was done."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.arbiter.results import same_result

from .conftest import Data, Make
from .test_arbiter import decide, likeliest

LIFTS = """
    select i as lift_id, 'M' || (i * i % 9) as "Member ID", ['Al', 'Bo', 'Cy'][1 + i * i % 9 % 3]
    as "Member Name", ['bench', 'squat', 'row'][1 + i % 3] as exercise,
    date '2026-02-01' + i::int as lifted_on, (40 + i * 37 % 131)::int as weight_kg,
    ['Main', 'Annex'][1 + i % 2] as hall from range(1, 101) t(i)"""


@pytest.fixture(scope="module")
def lifts(make: Make) -> Data:
    return make({"lifts": LIFTS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "what was the highest weight and when",
            "select lifted_on, weight_kg from lifts order by weight_kg desc limit 1",
        ),
        (
            "what was the lowest weight, which exercise and when",
            "select exercise, lifted_on, weight_kg from lifts order by weight_kg limit 1",
        ),
        (
            "highest weight in the main hall, which member and when",
            (
                'select "Member ID", "Member Name", lifted_on, weight_kg from lifts'
                " where hall = 'Main' order by weight_kg desc limit 1"
            ),
        ),
        ("what was the highest weight", "select max(weight_kg) from lifts"),
        (
            "members who did a squat more than 3 times",
            (
                """select "Member ID", count(*) from lifts where exercise = 'squat' group by 1"""
                " having count(*) > 3"
            ),
        ),
        (
            "members who visited us more than 10 times",
            'select "Member ID", count(*) from lifts group by 1 having count(*) > 10',
        ),
    ],
)
def test_is_read(lifts: Data, question: str, sql: str) -> None:
    reading = likeliest(decide(lifts, question))
    assert same_result(reading.result, lifts.run(sql)), reading.best.sql


def test_one_figure_stays_one(lifts: Data) -> None:
    decision = decide(lifts, "what was the highest weight")
    assert isinstance(decision, Answer)
    assert decision.reading.result.columns == ("max_weight_kg",)
