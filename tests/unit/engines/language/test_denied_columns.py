"""Columns that an intent denies beside the one it asks for."""

import pytest

from modelwright.engines.language.rules.intents.phrasing import without_denied

NAMES = ["rent", "deposit", "paid", "floor_area"]


@pytest.mark.parametrize(
    ("intent", "expected"),
    [
        ("predict deposit not rent", "predict deposit"),
        ("predict the deposit, not the rent", "predict the deposit"),
        ("predict deposit and not the floor area", "predict deposit"),
        ("not the rent but the deposit", "the deposit"),
        ("predict rent, not floor_area.", "predict rent ."),
        ("predict whether the rent is not paid", "predict whether the rent is not paid"),
        ("rent paid or not paid", "rent paid or not paid"),
        ("predict who will not rent", "predict who will not rent"),
        ("predict the price, not the rent", "predict the price, not the rent"),
        ("predict deposit not rented out", "predict deposit not rented out"),
    ],
)
def test_what_is_denied_beside_another_is_left_out(intent: str, expected: str) -> None:
    assert " ".join(without_denied(intent, NAMES).split()) == expected
