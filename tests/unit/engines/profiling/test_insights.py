"""Every planted fault is found, and nothing is said of tables that have none."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

from modelwright.engines.profiling.insights import number
from modelwright.engines.profiling.recommendations import recommendations
from modelwright.engines.profiling.table_profile import TableProfile

Make = Callable[..., TableProfile]
ROWS = 400
RANDOM = np.random.default_rng(11)
DAYS = [date(2023, 1, 1) + timedelta(days=int(n)) for n in RANDOM.integers(0, 300, ROWS)]


def clean() -> dict[str, Any]:
    """Columns of which there is nothing to say."""
    chance = np.random.default_rng(5)
    return {
        "age": chance.integers(18, 80, ROWS),
        "price": chance.normal(50, 10, ROWS).round(2),
        "income": chance.lognormal(3, 0.4, ROWS).round(2),
        "city": chance.choice(["Oslo", "Rome", "Paris", "none"], ROWS),
        "member": chance.choice([True, False], ROWS),
        "since": DAYS,
        "visits": chance.poisson(3, ROWS),
        "balance": chance.normal(0, 30, ROWS).round(1),
    }


def with_(values: Any, places: dict[int, Any]) -> list[Any]:
    return [places.get(n, value) for n, value in enumerate(list(values))]


def every(nth: int, value: Any) -> dict[int, Any]:
    return dict.fromkeys(range(0, ROWS, nth), value)


AGES = np.random.default_rng(1).integers(18, 80, ROWS)
PRICES = np.random.default_rng(2).normal(50, 10, ROWS).round(2)
WORDS = np.random.default_rng(3).choice(["red", "green", "blue"], ROWS)
LEAKED = clean()["price"] * 2 + 1
FAULTS: list[tuple[str, Any, str, str]] = [
    ("missing", with_(AGES, every(100, None)), "low", "4 of 400 rows (1.0%)"),
    ("missing", with_(AGES, every(10, None)), "medium", "40 of 400 rows"),
    ("missing", with_(AGES, every(2, None)), "high", "200 of 400 rows"),
    ("constant", ["x"] * ROWS, "medium", "'x' in every row"),
    ("constant", [7.5] * ROWS, "medium", "7.5 in every row"),
    ("identifier", list(range(1000, 1000 + ROWS)), "low", "different in every row"),
    ("identifier", [f"u-{n:05x}" for n in range(ROWS)], "low", "different in every row"),
    ("outliers", with_(PRICES, {3: 5000.0, 99: 4000.0}), "medium", "2 values"),
    ("outliers", with_(PRICES, {3: -900.0}), "medium", "-900"),
    ("skew", np.random.default_rng(4).lognormal(0, 1.6, ROWS), "low", "long tail of large values"),
    ("skew", -np.random.default_rng(4).lognormal(0, 1.6, ROWS), "low", "long tail of small values"),
    ("imbalance", with_(["no"] * ROWS, every(25, "yes")), "low", "'no' in 96.0%"),
    ("imbalance", with_(["no"] * ROWS, {1: "yes", 2: "yes"}), "medium", "2 rows"),
    ("sentinel", with_(AGES, every(20, 999)), "medium", "999 in 20 rows"),
    ("sentinel", with_(AGES, every(40, -1)), "medium", "-1 in 10 rows"),
    ("sentinel", with_(PRICES, every(40, -999.0)), "medium", "-999 in 10 rows"),
    ("sentinel", with_(PRICES, every(40, -200.0)), "medium", "-200 in 10 rows"),
    ("sentinel", with_(AGES + 60, every(20, 0)), "medium", "0 in 20 rows"),
    ("sentinel", with_(DAYS, every(40, date(1900, 1, 1))), "medium", "1900-01-01 in 10 rows"),
    ("sentinel", with_(DAYS, every(40, date(9999, 12, 31))), "medium", "9999-12-31 in 10"),
    ("sentinel", with_(WORDS, every(20, "N/A")), "medium", "'N/A' in 20 rows"),
    ("sentinel", with_(WORDS, every(20, "?")), "medium", "'?' in 20 rows"),
    ("leakage", LEAKED, "medium", "completely: to predict"),
    ("leakage", np.where(clean()["city"] == "Oslo", "north", np.where(
        clean()["city"] == "Rome", "south", "west")), "medium", "completely: to predict"),
    ("leakage", np.where(clean()["member"], 3.5, 1.25), "medium", "completely: to predict"),
    ("duplicate_column", clean()["city"], "medium", "'fault' is the same as 'city'"),
    ("mixed_formats", [f"{d:%Y-%m-%d}" if n % 3 else f"{d:%d/%m/%Y}" for n, d in enumerate(DAYS)],
     "high", "2 ways"),
    ("mixed_formats", with_([str(age) for age in AGES], {5: "about 40"}), "medium", "'about 40'"),
    ("mixed_formats", [f"${1000 + 17 * n % 900:,}" for n in range(ROWS)], "medium", "as text"),
    ("mixed_formats", [f"{day:%d.%m.%Y}" for day in DAYS], "medium", "dates written as text"),
    ("mixed_formats", [f"{n / 7:.6f}" for n in range(1, ROWS + 1)], "medium", "as text"),
    ("mixed_formats", [f"{date(1990 + n // 12, n % 12 + 1, 1):%b %Y}" for n in range(ROWS)],
     "medium", "dates written as text"),
    ("mixed_formats", with_(WORDS, every(9, "Red ")), "medium", "'Red ' and 'red'"),
    ("capped", np.minimum(np.random.default_rng(6).normal(50, 20, ROWS), 70).round(2), "low",
     "maximum of 70"),
    ("empty", [None] * ROWS, "high", "no values at all"),
]  # fmt: skip


class TestNumber:
    @pytest.mark.parametrize(
        ("value", "spelt"), [(2009, "2009"), (2008.7, "2009"), (12345.6, "12,346"), (0.25, "0.25")]
    )
    def test_of_four_digits_is_spelt_as_a_year(self, value: float, spelt: str):
        assert number(value) == spelt

    def test_a_number_beside_a_larger_one_is_parted_as_that_is(self):
        assert number(7579, beside=94459) == "7,579"


class TestInsights:
    def test_a_clean_table_has_none(self, made: Make):
        assert made(clean()).insights == ()

    @pytest.mark.parametrize(("kind", "values", "severity", "words"), FAULTS)
    def test_a_planted_fault_is_found_and_nothing_else(
        self, made: Make, kind: str, values: Any, severity: str, words: str
    ):
        found = made({**clean(), "fault": values})
        (insight,) = found.insights
        assert (insight.type, insight.severity) == (kind, severity), insight
        assert "fault" in insight.columns
        assert words in insight.message
        (advice,) = recommendations("t.csv", found.insights)
        assert advice.message.startswith("t.csv: ")
        assert advice.importance == severity

    def test_repeated_rows_are_counted(self, made: Make):
        columns = {name: [*values, *list(values)[:30]] for name, values in clean().items()}
        (insight,) = made(columns).insights
        assert (insight.type, insight.severity) == ("duplicate_rows", "low")
        assert insight.message.startswith("30 of 430 rows")
        (advice,) = recommendations("t.csv", [insight])
        assert advice.type == "remove_duplicates"

    def test_rows_that_must_repeat_are_no_news(self, made: Make):
        found = made({"a": ["x", "y"] * 50, "b": ["p", "q", "q", "p"] * 25})
        assert [one for one in found.insights if one.type == "duplicate_rows"] == []

    @pytest.mark.parametrize("again", [2, 15])
    def test_identifiers_that_repeat_are_told(self, made: Make, again: int):
        ids = [*range(10, 10 + ROWS - again), *range(10, 10 + again)]
        (insight,) = made({**clean(), "customer_id": ids}).insights
        assert (insight.type, insight.severity) == ("identifier", "medium")
        assert f"{again} of its values repeat" in insight.message

    def test_of_identifiers_nothing_else_is_told(self, made: Make):
        ids = [n * n * n for n in range(ROWS)]
        found = made({**clean(), "id": ids, "double": [2 * one for one in ids]}).insights
        assert [one.type for one in found if "id" in one.columns] == ["identifier"]

    def test_long_names_are_shortened_where_they_differ_least(self, made: Make):
        asked = "Which of the following did you see? Please select all that apply. "
        found = made({f"{asked}{name}": [None] * ROWS for name in ("Part one", "Part two")})
        first, second = (one.message for one in found.insights)
        assert ("apply. Part one'" in first, "apply. Part two'" in second) == (True, True)

    def test_columns_without_a_name_are_not_called_identifiers(self, made: Make):
        names = [f"some words {n}" for n in [*range(ROWS - 2), 0, 1]]
        assert made({**clean(), "column_9": names}).insights == ()

    def test_repeats_are_told_of_tables_without_a_unique_column_only(self, made: Make):
        columns = {name: [*values, *list(values)[:30]] for name, values in clean().items()}
        numbered = made({**columns, "row": list(range(430))})
        assert [one.type for one in numbered.insights] == ["identifier"]

    @pytest.mark.parametrize(
        "values",
        [
            np.random.default_rng(8).integers(1, 100, ROWS),
            np.random.default_rng(8).integers(-3, 4, ROWS),
            np.random.default_rng(8).normal(990, 30, ROWS).round(),
            [date(1900, 1, 1) + timedelta(days=n) for n in range(ROWS)],
            np.random.default_rng(8).choice([0, 1, 2], ROWS),
            np.random.default_rng(8).lognormal(2, 0.4, ROWS),
            np.random.default_rng(8).choice(["A1", "22", "B7"], ROWS),
            np.random.default_rng(8).choice(["yes", "no", "none", "No phone"], ROWS),
            [f"{n % 90:03}" for n in range(ROWS)],
            [f"{n // 60}:{n % 60:02}" for n in range(ROWS)],
            [1620 + n for n in range(ROWS)],
        ],
    )
    def test_what_only_looks_like_a_fault_is_passed_over(self, made: Make, values: Any):
        assert made({**clean(), "fine": values}).insights == ()


SEEN = {
    "adult": {
        ("missing", "workclass"), ("missing", "occupation"), ("missing", "native_country"),
        ("outliers", "fnlwgt"), ("sentinel", "capital_gain"),
        ("imbalance", "capital_gain"), ("imbalance", "capital_loss"),
        ("imbalance", "native_country"), ("leakage", "education", "education_num"),
        ("duplicate_rows",),
    },
    "calhousing": {
        ("missing", "total_bedrooms"), ("capped", "median_house_value"),
        *((kind, name) for kind in ("outliers", "skew")
          for name in ("total_rooms", "total_bedrooms", "population", "households")),
    },
    "credit_g": {("imbalance", "other_debtors"), ("imbalance", "foreign_worker")},
    "taxis": {
        *((kind, name) for kind in ("outliers", "skew") for name in ("distance", "fare")),
        *(("missing", name) for name in (
            "payment", "pickup_zone", "dropoff_zone", "pickup_borough", "dropoff_borough")),
    },
    "telco": {
        ("leakage", "MultipleLines", "PhoneService"), ("imbalance", "PhoneService"),
        ("missing", "TotalCharges"), ("duplicate_rows",),
    },
    "wine_multi": {
        ("skew", "chlorides"), ("duplicate_rows",),
        *(("outliers", name) for name in (
            "fixed_acidity", "volatile_acidity", "citric_acid", "chlorides",
            "free_sulfur_dioxide", "density", "ph", "sulphates")),
    },
}  # fmt: skip
"""What there is to say of the shared tables; each was looked at and is so."""


class TestRealTables:
    @pytest.mark.parametrize("name", SEEN)
    def test_nothing_is_said_but_what_is_so(
        self, of_table: Callable[[str], TableProfile], name: str
    ):
        found = of_table(name).insights
        assert {(one.type, *one.columns) for one in found} == SEEN[name]
        assert [one for one in found if one.severity == "high"] == []


def test_what_is_said_in_the_same_words_of_several_columns_is_told_once(made: Make):
    holes = every(100, None)
    table = {f"c{n}": with_(AGES + n, holes) for n in range(11)} | {"other": with_(AGES, {1: None})}
    found = [one for one in made(table).insights if one.type == "missing"]
    named = "'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7' and 3 more columns"
    assert [one.message for one in found] == [
        f"Each of {named} is missing in 4 of 400 rows (1.0%).",
        "'other' is missing in 1 of 400 rows (0.2%).",
    ]
    assert found[0].columns == tuple(f"c{n}" for n in range(11))


def test_degrees_of_places_have_no_long_tail(made: Make):
    tail = np.random.default_rng(4).lognormal(0, 1.6, ROWS)
    other = np.random.default_rng(6).lognormal(0, 1.6, ROWS)
    found = made({"shop_lat": tail, "shop_lon": -other, "paid": tail * other}).insights
    assert [one.columns for one in found if one.type == "skew"] == [("paid",)]
