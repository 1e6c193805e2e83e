"""Rows that are amounts themselves: grants are added up, and shares are of what they add up to."""

from typing import Any

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code, Severity
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
        ("total granted by programme", "select programme, sum(amount) from grants group by 1"),
        ("total granted", "select sum(amount) from grants"),
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


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("top 3 institutes by total granted", "sum(amount)"),
        ("top 3 institutes by total grants", "sum(amount)"),
        ("top 3 institutes by average grant", "avg(amount)"),
    ],
)
def test_rank_what_they_go_to(grants: Data, question: str, figure: str) -> None:
    ranked = f"select institute_name from {JOINED} group by 1 order by {figure} desc, 1 limit 3"
    assert sorted(row[0] for row in rows(grants, question)) == sorted(
        row[0] for row in grants.run(ranked).rows
    )


def test_a_number_of_rows_is_no_total_of_them(grants: Data) -> None:
    sql = f"select institute_name, count(*) from {JOINED} group by 1 order by count(*) desc limit 3"
    found = check(sql, grants.request("top 3 institutes by total granted"))
    assert Code.RANKED_BY_OTHER in {one.code for one in found if one.severity is Severity.FAULT}
