"""Rows checked and encoded in one go give what checking and encoding apart give, or nothing."""

import sys
from typing import Any

import numpy as np
import pytest

from modelwright_runtime import input_validation
from modelwright_runtime.columns import (
    MAX_NUMBER,
    CategoryColumn,
    DateColumn,
    NominalIntegerColumn,
    NumberColumn,
)
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.geo_features import LatLon
from modelwright_runtime.input_validation import find_problem

SHOPS = np.array([[0, 0.5], [1, 0.25], [2, 0.4], [3, 0.4]], dtype=np.float32)

ENCODER = Encoder(
    (
        NumberColumn("age", "integer", gaps=True),
        NumberColumn("pay", "float", gaps=False),
        NumberColumn("new", "boolean", gaps=True),
        CategoryColumn(
            "plan", "string", gaps=True, levels=("a", "b"), table=np.eye(4, dtype=np.float32)
        ),
        NominalIntegerColumn(
            NumberColumn("shop", "integer", gaps=True),
            CategoryColumn("shop", "integer", gaps=True, levels=("12", "-7"), table=SHOPS),
        ),
        DateColumn("start", "date", gaps=True, start=1_700_000_000_000),
        DateColumn("end", "date", gaps=True, start=1_700_000_000_000),
        DateColumn("paid", "string", gaps=True, start=1_700_000_000_000, order="mdy"),
    ),
    (("start", "end"), ("start", "paid")),
    (LatLon("pay", "age", 0.75), LatLon("shop", "pay", 1.0)),
)
WHOLE = {
    "age": 41, "pay": 2.5, "new": True, "plan": "a", "shop": 12,
    "start": "2024-02-29", "end": "2024-03-01T12:30:00.25+02:00", "paid": "3/1/2024 2:05 pm",
}  # fmt: skip
PLAIN: dict[str, dict[str, Any]] = {
    "whole": {},
    "an integer for a float": {"pay": 3},
    "negative": {"pay": -1e-30, "age": -7},
    "gaps": {"age": None, "new": None, "plan": None, "start": None, "end": None},
    "one end of a duration": {"start": None},
    "an unseen level": {"plan": "zz"},
    "another shop": {"shop": -7},
    "an unseen shop": {"shop": 7},
    "a shop beyond all others": {"shop": 2**70},
    "no shop": {"shop": None},
    "a date written as ISO": {"paid": "2024-03-31"},
    "a year of two digits": {"paid": "12/31/99"},
    "a day with dots": {"start": "31.12.2024"},
    "a moment with dots": {"start": " 1.2.2024 08:30"},
    "before 1970": {"start": "1912-04-15 02:20:00"},
    "more fields": {"other": [1]},
}
ODD: dict[str, dict[str, Any]] = {
    "a missing field": {"pay": None},
    "a float for an integer": {"age": 41.0},
    "a fraction for an integer": {"age": 41.5},
    "a boolean for a number": {"pay": True},
    "a number for a boolean": {"new": 1},
    "a number for a text": {"plan": 1},
    "no date": {"start": "yesterday"},
    "no date where strings are dates": {"paid": "yesterday"},
    "a day that no month has": {"paid": "31/12/2024"},
    "a day with dots that no month has": {"start": "31.02.2024"},
    "a day with dots and a short year": {"start": "31.12.24"},
    "a number for a date": {"end": 20240229},
    "a very large number": {"pay": 1e301},
    "a very large integer": {"age": 10**400},
    "a very large shop": {"shop": 10**400},
    "a shop that is a text": {"shop": "12"},
    "a large number that is clipped": {"pay": 1e200},
}


class TestPlainRows:
    @pytest.mark.parametrize("change", PLAIN.values(), ids=list(PLAIN))
    def test_are_encoded_as_one_by_one(self, change: dict[str, Any]):
        row = WHOLE | change
        assert find_problem(ENCODER.columns, row) is None
        apart = ENCODER.one(row)
        for together in (ENCODER.plain(row), ENCODER.plain_many([row]), ENCODER.many([row])):
            assert together is not None
            assert together.dtype == np.float32
            np.testing.assert_array_equal(together, apart)

    def test_are_encoded_as_many(self):
        rows = [WHOLE | change for change in PLAIN.values()]
        together = ENCODER.plain_many(rows)
        assert together is not None
        np.testing.assert_array_equal(together, ENCODER.many(rows))

    @pytest.mark.parametrize("pay", [1e301, -sys.float_info.max, 10**300])
    def test_take_every_number_that_training_takes(self, pay: float):
        row = WHOLE | {"pay": pay}
        assert find_problem(ENCODER.columns, row) is None
        largest = ENCODER.one(WHOLE | {"pay": MAX_NUMBER if pay > 0 else -MAX_NUMBER})
        np.testing.assert_array_equal(ENCODER.one(row), largest)

    @pytest.mark.parametrize(
        ("pay", "given"),
        [
            (float("inf"), "a number too large"),
            (float("nan"), "NaN (a gap is None)"),
            (10**400, "a number too large"),
        ],
    )
    def test_refuse_what_is_no_number_of_theirs(self, pay: float, given: str):
        problem = find_problem(ENCODER.columns, WHOLE | {"pay": pay})
        assert problem is not None
        assert problem.field == "pay"
        assert problem.message == f"`pay` must be a number, not {given}"

    @pytest.mark.parametrize("change", ODD.values(), ids=list(ODD))
    def test_are_left_to_the_check_when_anything_is_odd(self, change: dict[str, Any]):
        row = WHOLE | change
        assert ENCODER.plain(row) is None
        assert ENCODER.plain_many([WHOLE, row]) is None


def test_all_fields_that_are_missing_are_named():
    columns = tuple(NumberColumn(f"c{at}", "integer", gaps=at == 1) for at in range(12))
    problem = find_problem(columns, {"c0": 1})
    assert problem is not None
    assert problem.field == "c2"
    assert problem.message == (
        "`c2` is required: the training data never lacks it; so are"
        " `c3`, `c4`, `c5`, `c6`, `c7`, `c8`, `c9`, `c10` and 1 more"
    )


class TestMembersThatAreNoFields:
    """What is sent in the place of a missing field is named, with what is wanted."""

    COLUMNS = (
        NumberColumn("bill_length_mm", "float", gaps=False),
        NumberColumn("year", "integer", gaps=False),
    )

    @pytest.mark.parametrize(
        ("row", "said"),
        [
            ({"input": {"bill_length_mm": 1.5, "year": 2007}}, "send what is in it, without"),
            ({"rows": [{"bill_length_mm": 1.5, "year": 2007}]}, "`rows` is no field of this model"),
            ({"Bill Length": 1.5, "year": 2007}, "`bill_length_mm` may be meant"),
            ({"bill_length_mm": 1.5, "years": 2007}, "`years` is no field of this model: `year`"),
        ],
    )
    def test_are_named(self, row: dict[str, Any], said: str):
        problem = find_problem(self.COLUMNS, row)
        assert problem is not None
        assert problem.kind == "missing"
        assert said in problem.message

    def test_are_not_told_where_they_are_like_nothing_that_is_missing(self):
        problem = find_problem(self.COLUMNS, {"input": {"a": 1}, "colour": "red", "year": 2007})
        assert problem is not None
        assert problem.message == "`bill_length_mm` is required: the training data never lacks it"


def test_few_members_are_compared_with_few_missing_fields(monkeypatch: pytest.MonkeyPatch):
    compared: list[int] = []

    def count(_: str, names: Any, **_limits: Any) -> list[str]:
        compared.append(len(names))
        return []

    monkeypatch.setattr(input_validation, "get_close_matches", count)
    columns = tuple(NumberColumn(f"field_{at}", "float", gaps=False) for at in range(200))
    problem = find_problem(columns, {f"member_{at}": 1 for at in range(2_000)})
    assert problem is not None
    assert problem.field == "field_0"
    assert 0 < len(compared) <= 10
    assert max(compared) <= 50


def test_a_number_with_its_unit_is_asked_for_without():
    column = NumberColumn("discount", "float", gaps=False)
    problem = find_problem((column,), {"discount": "24 %"})
    assert problem is not None
    assert problem.message == (
        "`discount` must be a number, not a string: write it bare, such as 12.5, without quotes"
        " and unit"
    )


@pytest.mark.parametrize(
    ("unit", "asked_for"),
    [
        ("$", "a number in $"),
        ("%", "a number in %"),
        ("", "a number"),
        (None, "a number"),
        (7, "a number"),
        ("x" * 999, f"a number in {'x' * 20}"),
    ],
)
def test_a_number_is_asked_for_in_the_unit_of_the_training_data(unit: Any, asked_for: str):
    column = NumberColumn("fee", "float", gaps=False)
    problem = find_problem((column,), {"fee": "\u20ac 1200"}, {"fee": {"unit": unit}})
    assert problem is not None
    assert problem.message.startswith(f"`fee` must be {asked_for}, not a string: write it bare")
