"""Stretches of time in words, periods set beside each other, and what a share is of in them."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.readers import Candidate

from .conftest import Data, Make
from .test_arbiter import decide

CALLS = """
    select i as call_no, ['north', 'south'][1 + i % 2] as desk,
    timestamp '2025-08-01 08:00' + to_hours((i * 17)::int) as called_at,
    case when i % 3 = 0 then 'yes' else 'no' end as escalated,
    case when i % 4 = 0 then 'yes' else 'no' end as internal, (2 + i % 30)::int as cost
    from range(1, 600) t(i)"""


@pytest.fixture(scope="module")
def calls(make: Make) -> Data:
    return make({"calls": CALLS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("calls month by month",
         "date_trunc('month', called_at), count(*) from calls group by 1"),
        ("average cost week by week",
         "date_trunc('week', called_at), avg(cost) from calls group by 1"),
        ("how many calls in October compared with September",
         """date_trunc('month', called_at), count(*) from calls
         where called_at >= '2026-09-01' and called_at < '2026-11-01' group by 1"""),
        ("total cost in 2025 vs 2026",
         "year(called_at), sum(cost) from calls group by 1"),
        ("calls this year versus last year",
         "year(called_at), count(*) from calls where year(called_at) in (2025, 2026) group by 1"),
    ],
)  # fmt: skip
def test_stretches(calls: Data, question: str, sql: str) -> None:
    decision = decide(calls, question)
    assert isinstance(decision, Answer), decision
    assert told(calls, decision.reading.best.sql) == told(calls, f"select {sql}")


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("share of escalated calls month by month, without the internal ones",
         """date_trunc('month', called_at), 100.0 * count_if(escalated = 'yes') / count(*)
         from calls where internal = 'no' group by 1"""),
        ("share of escalated calls by desk, excluding internal calls",
         """desk, 100.0 * count_if(escalated = 'yes') / count(*)
         from calls where internal = 'no' group by 1"""),
        ("share of escalated calls in March 2026",
         """100.0 * count_if(escalated = 'yes') / count(*) from calls
         where called_at >= '2026-03-01' and called_at < '2026-04-01'"""),
    ],
)  # fmt: skip
def test_a_share_is_of_what_is_left(calls: Data, question: str, sql: str) -> None:
    (read,) = calls.grammar().read(calls.request(question))
    assert isinstance(read, Candidate), read
    assert told(calls, read.sql) == told(calls, f"select {sql}")


def told(data: Data, sql: str) -> list[list[object]]:
    rows = data.run(sql).rows
    return sorted(
        [one.date() if hasattr(one, "date") else round(one, 6) if isinstance(one, float) else one
         for one in row] for row in rows
    )  # fmt: skip
