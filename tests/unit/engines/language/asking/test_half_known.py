"""One amount over another, where some rows have one of the two alone."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Choices

from .conftest import Make
from .test_arbiter import decide

LOTS = """
    select i as lot_id, ['north', 'south'][1 + i % 2] as hall, (30 + i)::int as area,
    case when i % 3 = 0 then 1000.0 * i end as revenue, 10.0 * i as fee from range(1, 61) t(i)"""


@pytest.mark.parametrize(
    ("question", "known"),
    [
        ("total revenue over total fee",
         "select sum(revenue) / sum(fee) from lots where revenue is not null"),
        ("revenue as a share of fee",
         "select 100 * sum(revenue) / sum(fee) from lots where revenue is not null"),
    ],
)  # fmt: skip
def test_rows_with_both_are_offered_beside_all(make: Make, question: str, known: str) -> None:
    data = make({"lots": LOTS})
    decision = decide(data, question)
    assert isinstance(decision, Choices)
    told = [one.result.rows[0][-1] for one in decision.readings]
    assert data.run(known).rows[0][0] in [pytest.approx(one) for one in told if one is not None]


def test_nothing_is_asked_where_every_row_has_both(make: Make) -> None:
    decision = decide(make({"lots": LOTS}), "total fee per area")
    assert not isinstance(decision, Choices) or len(decision.readings) == 1
