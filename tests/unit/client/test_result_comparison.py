"""Two results say the same: the judge of evaluations."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from modelwright_client.result_comparison import same_result


@pytest.mark.parametrize(
    ("gold", "told"),
    [
        ([("a", 1), ("b", 2)], [(2, "b"), (1, "a")]),
        ([("a",)], [("a", 17, date(2024, 1, 1))]),
        ([(1 / 3,)], [(0.33,)]),
        ([(2012, 5.0)], [(date(2012, 1, 1), 5.0)]),
        ([(1, 5.0), (2, 6.0)], [(date(2012, 1, 1), 5.0), (date(2012, 2, 1), 6.0)]),
        ([("2012-01", 5)], [(date(2012, 1, 1), 5)]),
        ([(None, 3), ("a", 1)], [("a", 1)]),
        ([(Decimal("1.50"),)], [(1.5,)]),
        ([(True, 1.0), (False, 2.0)], [("false", 2.0), ("true", 1.0)]),
        ([(5,)], [("5",)]),
        ([(date(2024, 1, 1),)], [("2024-01-01T00:00:00",)]),
        ([], []),
    ],
)
def test_the_same_is_said_in_other_ways(gold: list[Any], told: list[Any]) -> None:
    assert same_result(gold, told)


@pytest.mark.parametrize(
    ("gold", "told"),
    [
        ([("a", 1), ("b", 2)], [("a", 2), ("b", 1)]),
        ([("a",), ("b",)], [("a",)]),
        ([(10_000,)], [(10_001,)]),
        ([(0.25,)], [(0.26,)]),
        ([("a", "x")], [("a",)]),
        ([(3,)], [(1, 2, 3, 4, 5)]),
        ([(1,)], []),
        ([("a", 1), ("a", 1)], [("a", 1)]),
    ],
)
def test_something_else_is_not_the_same(gold: list[Any], told: list[Any]) -> None:
    assert not same_result(gold, told)


def test_order_counts_where_it_was_asked_for() -> None:
    gold, told = [("a",), ("b",)], [("b",), ("a",)]

    assert same_result(gold, told)
    assert not same_result(gold, told, ordered=True)
