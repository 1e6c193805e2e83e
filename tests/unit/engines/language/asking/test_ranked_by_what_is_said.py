"""What is ranked in each group by a figure that stands behind `by`: it makes no groups itself."""

from typing import Any

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code, Severity

from .conftest import Data, Make
from .test_arbiter import decide

NURSERY = {
    "plants": """
        select i as plant_id, ['Aster', 'Birch', 'Clematis', 'Dahlia', 'Elder', 'Fern'][i] as plant,
        ['shrub', 'flower'][1 + i % 2] as family from range(1, 7) t(i)""",
    "sale_lines": """
        select i as line_id, 1 + i * 7 % 6 as plant_id, (1 + i * 11 % 47)::int as pots,
        (2 + i * 13 % 31)::double as pot_price from range(1, 301) t(i)""",
}
LINES = "sale_lines join plants using (plant_id)"
APART = "qualify row_number() over (partition by family order by sum(pots) {}) = 1"


@pytest.fixture(scope="module")
def nursery(make: Make) -> Data:
    return make(NURSERY)


def first_of(data: Data, way: str) -> list[Any]:
    sql = f"select family, plant, sum(pots) from {LINES} group by 1, 2 {APART.format(way)}"
    return sorted(map(tuple, data.run(sql).rows))


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("best-selling plant in each family by pots", "desc"),
        ("what is the best selling plant of each family by pots?", "desc"),
        ("best selling plant by pots in each family", "desc"),
        ("the best plant in each family by pots", "desc"),
    ],
)
def test_ranks_the_kinds_of_each_group(nursery: Data, question: str, way: str) -> None:
    decision = decide(nursery, question)
    assert isinstance(decision, Answer), decision
    assert sorted(map(tuple, decision.reading.result.rows)) == first_of(nursery, way)


def test_without_groups_ranks_all(nursery: Data) -> None:
    decision = decide(nursery, "best-selling plant by pots")
    assert isinstance(decision, Answer), decision
    [row] = nursery.run(
        f"select plant from {LINES} group by 1 order by sum(pots) desc limit 1"
    ).rows
    assert decision.reading.result.rows[0][0] == row[0]


@pytest.mark.parametrize(
    ("question", "partition", "order", "is_faulty"),
    [
        ("best plant in each family by pots", "family", "sum(pots)", False),
        ("best plant in each family by pots", "family, pots", "sum(pot_price)", True),
        ("highest pot price in each family by pots", "family, pots", "sum(pot_price)", False),
    ],
)
def test_another_figure_is_a_fault(
    nursery: Data, question: str, partition: str, order: str, is_faulty: bool
) -> None:
    sql = (
        f"select {partition}, plant, {order} from {LINES} group by {partition}, plant"
        f" qualify row_number() over (partition by {partition} order by {order} desc) = 1"
    )
    found = check(sql, nursery.request(question))
    faults = {one.code for one in found if one.severity is Severity.FAULT}
    assert (Code.SUPERLATIVE_DROPPED in faults) is is_faulty
