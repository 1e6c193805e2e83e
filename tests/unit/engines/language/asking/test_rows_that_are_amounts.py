"""Rows that are amounts themselves: grants are added up, and shares are of what they add up to."""

from typing import Any

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.conversation.follow_up import compile_follow_up

from .conftest import TODAY, Data, Make
from .test_arbiter import decide

GRANTS = {
    "institutes": """
        select i as institute_id, 'Institute ' || i as institute_name,
        ['Oslo', 'Gent', 'Brno'][1 + i % 3] as seat, (1000 * i)::int as target_amount
        from range(1, 13) t(i)""",
    "grants": """
        select i as grant_id, 1 + i * 7 % 12 as institute_id, (50 + i * 37 % 900)::int as amount,
        ['physics', 'history'][1 + i * 5 % 3 // 2] as programme,
        date '2024-01-01' + i::int as awarded_on from range(1, 241) t(i)""",
}
JOINED = "grants join institutes using (institute_id)"
SHARE = "100.0 * sum(amount) / sum(sum(amount)) over ()"


@pytest.fixture(scope="module")
def grants(make: Make) -> Data:
    return make(GRANTS)


def rows(data: Data, question: str) -> list[tuple[Any, ...]]:
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    return sorted(map(tuple, decision.reading.result.rows))


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total grants by programme", "select programme, sum(amount) from grants group by 1"),
        ("sum of grants by programme", "select programme, sum(amount) from grants group by 1"),
        ("total grants", "select sum(amount) from grants"),
        ("total grants by seat", f"select seat, sum(amount) from {JOINED} group by 1"),
        ("average grant by seat", f"select seat, avg(amount) from {JOINED} group by 1"),
        ("share of total grants by programme", f"select programme, {SHARE} from grants group by 1"),
        ("number of grants by programme", "select programme, count(*) from grants group by 1"),
    ],
)
def test_are_added_up(grants: Data, question: str, sql: str) -> None:
    assert rows(grants, question) == sorted(map(tuple, grants.run(sql).rows))


@pytest.mark.parametrize(
    ("first", "then", "sql"),
    [
        ("total grants by programme", "as a percentage",
         f"select programme, {SHARE} from grants group by 1"),
        ("average grant by seat", "and the median?",
         f"select seat, median(amount) from {JOINED} group by 1"),
        ("number of grants by programme", "as a percentage",
         "select programme, 100.0 * count(*) / sum(count(*)) over () from grants group by 1"),
    ],
)  # fmt: skip
def test_so_are_those_of_what_follows(grants: Data, first: str, then: str, sql: str) -> None:
    whole = compile_follow_up(first, then, grants.linker, TODAY)
    assert whole is not None
    assert rows(grants, whole) == sorted(map(tuple, grants.run(sql).rows))
