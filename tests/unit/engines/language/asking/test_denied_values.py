"""What is denied in a question is the value that says no of it, where a column holds one."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code

from .conftest import Open
from .test_arbiter import decide, rows


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("how many houses have no garage", "parking = 'No garage'"),
        ("how many houses without a garage", "parking = 'No garage'"),
        ("number of houses that do not have a garage", "parking = 'No garage'"),
        ("number of houses lacking any pool", "leisure = 'no pool'"),
        ("how many houses without a balcony", "balcony = 'No'"),
    ],
)
def test_is_the_value_that_says_no(shop: Open, question: str, where: str) -> None:
    data = shop("houses")
    right = data.run(f"select count(*) from houses where {where}")
    assert rows(decide(data, question)) == [list(row) for row in right.rows]


def test_of_a_column_that_is_named_is_no_link(shop: Open) -> None:
    links = shop("houses").request("houses without a balcony").links
    assert not links.values


def test_links_all_that_is_denied(shop: Open) -> None:
    links = shop("houses").request("houses without a garage and with no pool").links
    told = {one.text: one.value for one in links.values}
    assert told == {"without a garage": "No garage", "with no pool": "no pool"}


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("how many commuters without fiction", "reading <> 'Fiction'"),
        ("how many commuters with no fiction", "reading <> 'Fiction'"),
        ("how many commuters without a helmet", "head = 'No helmet'"),
        ("how many no car commuters", "transport = 'No car'"),
    ],
)
def test_is_no_other_kind_of_it(shop: Open, question: str, where: str) -> None:
    data = shop("commuters")
    right = data.run(f"select count(*) from commuters where {where}")
    assert rows(decide(data, question)) == [list(row) for row in right.rows]


@pytest.mark.parametrize(
    "question", ["how many commuters without a car", "number of commuters that have no car"]
)
def test_beside_a_third_kind_is_asked_back(shop: Open, question: str) -> None:
    data = shop("commuters")
    decision = decide(data, question)
    assert isinstance(decision, Choices)
    wheres = ("transport = 'No car'", "transport <> 'Car'")
    ways = [data.run(f"select count(*) from commuters where {one}").rows for one in wheres]
    offered = [[list(row) for row in one.result.rows] for one in decision.readings]
    assert [[list(row) for row in one] for one in ways] == offered
    told = [one.best.interpretation for one in decision.readings]
    assert "is No car" in told[0]
    assert "is not Car" in told[1]


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("commuters with a bus but no helmet", "transport = 'Bus' and head = 'No helmet'"),
        ("commuters without a helmet but with trips", "head = 'No helmet' and trips > 0"),
    ],
)
def test_stands_beside_another_condition(shop: Open, question: str, where: str) -> None:
    data = shop("commuters")
    decision = decide(data, question)
    assert isinstance(decision, Answer)
    right = data.run(f"select commuter_id from commuters where {where}")
    assert sorted(row[0] for row in decision.reading.result.rows) == sorted(
        row[0] for row in right.rows
    )


def test_alone_is_no_negation_that_nobody_asked_for(shop: Open) -> None:
    data = shop("commuters")
    sql = "select * from commuters where head <> 'Helmet'"
    found = check(sql, data.request("commuters without a helmet"))
    assert Code.NEGATION_ADDED not in {one.code for one in found}
