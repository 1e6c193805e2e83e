"""Dates that a file writes as texts: of several that no word tells apart, each may be meant."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code

from .conftest import Data, Make
from .test_arbiter import decide

DAMAGES = """
    select i as damage_no, strftime(date '2024-01-03' + (i * 3)::int, '%m/%d/%Y') as loss_date,
    strftime(date '2024-01-20' + (i * 3)::int, '%m/%d/%Y') as reported_date,
    (40 + i * 7 % 300)::double as paid from range(1, 241) t(i)"""


@pytest.fixture(scope="module")
def damages(make: Make) -> Data:
    return make({"damages": DAMAGES})


@pytest.mark.parametrize("question", ["how many damages in 2025", "total paid per month in 2025"])
def test_each_date_is_offered(damages: Data, question: str) -> None:
    decision = decide(damages, question)
    assert isinstance(decision, Choices)
    told = " ".join(one.best.sql for one in decision.readings)
    assert "loss_date" in told
    assert "reported_date" in told


def test_the_one_that_is_named_is_meant(damages: Data) -> None:
    decision = decide(damages, "how many damages were reported in 2025")
    assert isinstance(decision, Answer)
    assert "reported_date" in decision.reading.best.sql


def test_the_only_one_is_meant(make: Make) -> None:
    data = make({"damages": f"select * exclude (reported_date) from ({DAMAGES})"})
    assert isinstance(decide(data, "how many damages in 2025"), Answer)


def test_rows_are_not_the_kinds_that_are_called_after_them(make: Make) -> None:
    """`Claims over 200` are claims, not each status that such a claim has."""
    data = make({
        "claims": """select i as claim_no, (40 + i * 7 % 300)::double as paid,
            ['open', 'shut', 'lost'][1 + i % 3] as claim_status from range(1, 241) t(i)""",
    })  # fmt: skip
    found = check(
        "select distinct claim_status from claims where paid > 200",
        request=data.request("claims over 200"),
    )
    assert any(one.code is Code.OTHER_KIND for one in found)
