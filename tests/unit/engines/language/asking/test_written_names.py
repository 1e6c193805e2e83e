"""Names that are written as columns are: told where one is guessed, asked back where it is none."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code, Severity

from .conftest import Open
from .test_arbiter import decide


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("average weight_g", []),
        ("average WEIGHT_G by van", []),
        ("average way_km by van_name", ["No column is called “van_name”; van was taken."]),
        ("average fee_eur_count", ["No column is called “fee_eur_count”; fee_eur was taken."]),
    ],
)
def test_one_that_is_cut_short_is_told(shop: Open, question: str, told: list[str]) -> None:
    decision = decide(shop("packages"), question)
    assert isinstance(decision, Answer)
    assert list(decision.warnings) == told


@pytest.mark.parametrize(
    "question",
    [
        "average weight_mg",
        "average net_weight_g",
        "packages on route a_b",
        "total way_mi",
        "van_count",
    ],
)
def test_another_is_never_the_answer(shop: Open, question: str) -> None:
    assert not isinstance(decide(shop("packages"), question), Answer)


@pytest.mark.parametrize("question", ["total km", "average weight in g", "packages over 5 kg"])
def test_the_unit_of_the_column_is_its_own(shop: Open, question: str) -> None:
    sql = "select sum(way_km), avg(weight_g) from packages"
    found = check(sql, shop("packages").request(question))
    assert not [one for one in found if one.code is Code.OTHER_UNIT]


def test_a_value_with_underscores_is_no_name(shop: Open) -> None:
    found = check(
        "select * from orders where status = 'on_hold'", shop("orders").request("on_hold")
    )
    faults = [one.code for one in found if one.severity is Severity.FAULT]
    assert Code.NAME_GUESSED not in faults
