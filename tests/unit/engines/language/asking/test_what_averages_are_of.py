"""Averages of amounts that the word behind them names in part, and that mean rows or a kind too."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.arbiter.results import same_result

from .conftest import Data, Make
from .test_arbiter import decide

CLAIMS = """
    select i as "Claim No", ['Van', 'Car', 'Bike'][1 + i % 3] as "Vehicle Type",
    ['Repair', 'Write-off', 'Repair'][1 + i % 3] as "Outcome",
    (300 + i * 47 % 911)::double as "Repair Cost (GBP)",
    date '2026-01-02' + i::int as "Repaired On",
    (i * 13 % 7)::int as "Trips Last 7 Days", (i * 5 % 90)::int as "Driver Age",
    date '2025-01-02' + (i % 90)::int as "Last Trip" from range(1, 121) t(i)"""


@pytest.fixture(scope="module")
def claims(make: Make) -> Data:
    return make({"claims": CLAIMS})


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("which vehicle type has the highest average trips", 'avg("Trips Last 7 Days")'),
        ("which vehicle type has the highest average repair", 'avg("Repair Cost (GBP)")'),
        ("vehicle type with the lowest median repair", 'median("Repair Cost (GBP)")'),
    ],
)
def test_the_amount_behind_an_average_is_meant(claims: Data, question: str, figure: str) -> None:
    decision = decide(claims, question)
    assert isinstance(decision, Answer)
    way = "asc" if "lowest" in question else "desc"
    sql = f'select "Vehicle Type", {figure} from claims group by 1 order by 2 {way} limit 1'
    assert same_result(decision.reading.result, claims.run(sql)), decision.reading.best.sql


def test_a_kind_that_no_average_is_of_stays_a_kind(claims: Data) -> None:
    decision = decide(claims, "average driver age of claims with a repair")
    assert not isinstance(decision, Answer) or "'Repair'" in decision.reading.best.sql


def test_rows_are_no_amount(claims: Data) -> None:
    decision = decide(claims, "average number of claims per vehicle type")
    told = decision.reading.best.sql if isinstance(decision, Answer) else ""
    assert "Trips" not in told
