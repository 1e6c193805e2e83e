"""Numbers beside the name of a column are of that column, whatever year they look like."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code
from modelwright.engines.language.linking.amounts import find_amounts

from .conftest import Open
from .test_arbiter import decide


@pytest.mark.parametrize(
    ("question", "amounts"),
    [
        ("makers with 1990 machines", ["1990 machines"]),
        ("makers that have exactly 2,010 machines", ["2,010 machines"]),
        ("how many makers with more than 2000 machines", ["2000 machines"]),
        ("makers with a total output of 1980", ["output of 1980"]),
        ("makers where machines = 1985", ["machines = 1985"]),
        ("makers with machines 2200 in 1990", ["machines 2200"]),
        ("makers whose machines 2,010", ["machines 2,010"]),
        ("machines 1990 by maker", []),
        ("makers and machines 1990", []),
        ("makers in 1990 with machines", []),
        ("maker with most machines of 1990", []),
        ("the maker with the highest output of 1990", []),
        ("makers with average machines of 1990", []),
        ("makers with a number of machines of 1990", []),
        ("total machines of 1990", []),
        ("makers with 2019 machines over 500", []),
        ("1990 machines by maker", []),
        ("makers with a founded year of 1990", []),
    ],
)
def test_are_found(shop: Open, question: str, amounts: list[str]) -> None:
    data = shop("makers")
    links = data.request(question).links
    found = find_amounts(question, links.names, data.catalog)
    assert [one.text.removeprefix("total ") for one in found] == amounts


@pytest.mark.parametrize("question", ["makers with 1990 machines", "makers with machines of 2002"])
def test_are_no_years(shop: Open, question: str) -> None:
    data = shop("makers")
    assert not data.request(question).links.periods
    decision = decide(data, question)
    told = decision.readings if isinstance(decision, Choices) else ()
    told = (decision.reading,) if isinstance(decision, Answer) else told
    assert told
    assert all("machines" in one.best.sql and "founded" not in one.best.sql for one in told)


def test_right_behind_a_name_are_years_only_where_dates_hold_them(shop: Open) -> None:
    data = shop("makers")
    outside = data.request("makers with machines 2200 in 1990").links.periods
    assert [one.text for one in outside] == ["in 1990"]
    within = data.request("makers with machines 1990").links.periods
    assert [one.text for one in within] == ["1990"]


@pytest.mark.parametrize(
    ("table", "question", "where"),
    [
        ("visits", "which place with the highest fee of 2024", "year(day) = 2024"),
        ("orders", "agent with most discount of 2025", "year(order_date) = 2025"),
    ],
)
def test_behind_a_superlative_are_years(shop: Open, table: str, question: str, where: str) -> None:
    links = shop(table).request(question).links
    assert [str(one.start.year) for one in links.periods if one.start] == [where[-4:]]


@pytest.mark.parametrize(
    "question", ["coaches with average trained minutes of 50", "coaches with trained minutes of 50"]
)
def test_of_groups_are_no_fault(shop: Open, question: str) -> None:
    data = shop("athletes")
    sql = "select coach from athletes group by coach having avg(trained_minutes) = 50"
    found = check(sql, data.request(question))
    assert Code.COMPARISON_TURNED not in {one.code for one in found}


def test_years_are_still_years(shop: Open) -> None:
    decision = decide(shop("makers"), "how many makers were founded in 1990")
    assert isinstance(decision, Answer)
    assert "founded_year" in decision.reading.best.sql


def test_that_may_be_years_are_asked_back(shop: Open) -> None:
    decision = decide(shop("visits"), "visits with fee of 2024")
    assert isinstance(decision, Choices)
    read = [one.best.sql for one in decision.readings]
    assert any("2024-01-01" in one for one in read)
    assert any('"fee" = 2024' in one for one in read)
