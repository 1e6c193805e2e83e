"""Counts are exact: they are those that numpy and plain Python come to."""

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from modelwright.engines.profiling.sorted_values import BYTES_A_ROW
from modelwright.engines.profiling.source import ProfileLimits
from modelwright.engines.profiling.table_profile import TableProfile, profile

Make = Callable[..., TableProfile]
CHANCE = random.Random(7)


def _rounded(stats: dict[str, Any]) -> Any:
    return json.loads(json.dumps(stats), parse_float=lambda told: f"{float(told):.9g}")


class TestSummary:
    @pytest.mark.parametrize("size", [1, 2, 3, 4, 101, 5000])
    @pytest.mark.parametrize("kind", ["few", "many", "whole"])
    def test_numbers_are_those_of_numpy(self, made: Make, kind: str, size: int):
        random_ = np.random.default_rng(size)
        values = {
            "few": random_.integers(0, 9, size) / 4,
            "many": random_.lognormal(3, 2, size),
            "whole": random_.integers(-1000, 1000, size),
        }[kind]
        told = made({"x": values}).stats["summary"]["x"]
        assert (told["min"], told["max"]) == (values.min(), values.max())
        assert told["mean"] == pytest.approx(values.mean(), rel=1e-12)
        assert told["median"] == np.median(values)
        for share, value in told["quantiles"].items():
            assert value == pytest.approx(np.quantile(values, float(share)), rel=1e-12), share
        if size > 1:
            assert told["std"] == pytest.approx(values.std(ddof=1), rel=1e-9, abs=1e-12)
        if size > 3:
            from scipy import stats

            assert told["skewness"] == pytest.approx(stats.skew(values), rel=1e-6)

    @pytest.mark.parametrize("kind", ["few", "many", "whole", "days", "moments"])
    def test_values_in_many_blocks_are_counted_as_those_in_one(self, tmp_path: Path, kind: str):
        random_, size = np.random.default_rng(9), 400_000
        values = {
            "few": random_.integers(0, 9, size) / 4,
            "many": np.append(random_.lognormal(3, 2, size), [np.inf, -np.inf, np.nan]),
            "whole": random_.permutation(size) // 2 - 70_000,
            "days": np.datetime64("1999-12-01") + random_.integers(0, 9000, size),
            "moments": np.datetime64("2024-01-01T00:00:00", "us")
            + random_.integers(0, 10**13, size),
        }[kind]
        pq.write_table(pa.table({"x": values}), tmp_path / "t.parquet")
        whole, small = (
            profile(
                tmp_path / "t.parquet", "basic", scratch=tmp_path, bounds=ProfileLimits(memory, 1)
            )
            for memory in (1 << 30, size * BYTES_A_ROW - 1)
        )
        assert _rounded(whole.stats) == _rounded(small.stats)
        assert whole.insights == small.insights
        assert [one.title for one in whole.charts] == [one.title for one in small.charts]

    def test_counts_are_exact(self, made: Make):
        texts = [CHANCE.choice(["a", "b", "c", None, "d" * 300]) for _ in range(999)]
        told = made({"t": texts, "b": [None, True, False] * 333}).stats
        counted = Counter(text for text in texts if text)
        assert told["missing_values"] == {"t": texts.count(None), "b": 333}
        shown = {name[:199] + "…" if len(name) > 200 else name: n for name, n in counted.items()}
        assert told["categorical_counts"]["t"] == shown
        assert list(told["categorical_counts"]["t"].values()) == sorted(shown.values())[::-1]
        assert told["categorical_counts"]["b"] == {"false": 333, "true": 333}
        assert told["distinct_values"] == {"t": 4, "b": 2}

    def test_most_frequent_values_are_bounded(self, made: Make):
        told = made({"t": [f"v{n}" for n in range(500)] + ["v7"]}).stats
        assert len(told["categorical_counts"]["t"]) == 50
        assert next(iter(told["categorical_counts"]["t"].items())) == ("v7", 2)
        assert told["distinct_values"]["t"] == 500

    def test_infinities_are_left_out_and_told(self, made: Make):
        found = made({"x": [1.0, 2.0, 3.0, float("inf"), float("-inf")] * 5})
        told = found.stats["summary"]["x"]
        assert (told["min"], told["max"], told["median"]) == (1.0, 3.0, 2.0)
        assert [one.type for one in found.insights if one.columns == ("x",)] == ["infinite"]

    @pytest.mark.parametrize(
        "columns",
        [
            {"x": pa.array([], pa.float64()), "t": pa.array([], pa.string())},
            {"x": pa.array([None], pa.float64()), "t": pa.array([None], pa.string())},
            {"x": [5], "t": ["a"], "d": [date(2024, 1, 1)]},
            {"x": [1.7e308, -1.7e308] * 20, "y": [2**63 - 1, -(2**63)] * 20},
            {
                "d": [
                    datetime.fromisoformat("0001-01-01"),
                    datetime.fromisoformat("9999-12-31T23:00"),
                ]
                * 20
            },
        ],
    )
    def test_the_smallest_and_the_widest_tables_are_profiled(
        self, made: Make, columns: dict[str, Any]
    ):
        told = made(columns).stats
        assert told["columns"] == len(columns)
        assert set(told["missing_values"]) == set(columns)

    def test_names_that_differ_in_case_or_hold_dots_are_columns_of_their_own(self, made: Make):
        told = made({"a": [1, 2], "A": [3, 4], "a.b": [5, 6], 'x" , 1 --': [7, 8]}).stats
        medians = {name: one["median"] for name, one in told["summary"].items()}
        assert medians == {"a": 1.5, "A": 3.5, "a.b": 5.5, 'x" , 1 --': 7.5}

    def test_more_values_than_memory_are_counted_exactly(self, tmp_path: Path):
        path, size = tmp_path / "wide.parquet", 1_500_000
        values = np.random.default_rng(1).permutation(size) * 1.5
        pq.write_table(pa.table({"x": values}), path)
        bounds = ProfileLimits(memory_bytes=80 << 20, threads=1)
        told = profile(path, "basic", scratch=tmp_path, bounds=bounds).stats
        assert told["distinct_values"]["x"] == size
        assert told["summary"]["x"]["median"] == np.median(values)


class TestPairs:
    def pair(self, found: TableProfile, *names: str) -> Any:
        return next(one for one in found.correlations if {one.feature1, one.feature2} == set(names))

    def test_numbers_are_correlated_where_both_are_there(self, made: Make):
        random_ = np.random.default_rng(3)
        one = random_.normal(1e6, 5, 2000)
        other = one * 0.3 + random_.normal(0, 2, 2000)
        gaps = [None if n % 5 == 0 else value for n, value in enumerate(other)]
        there = np.array([value is not None for value in gaps])
        found = self.pair(made({"one": one, "other": gaps}), "one", "other")
        assert (found.measure, found.rows) == ("pearson", 1600)
        expected = np.corrcoef(one[there], other[there])[0, 1]
        assert found.correlation == pytest.approx(expected, abs=1e-5)

    def test_categories_are_measured_by_cramers_v(self, made: Make):
        one = [CHANCE.choice("abc") for _ in range(3000)]
        other = [value if CHANCE.random() < 0.4 else CHANCE.choice("abcd") for value in one]
        found = self.pair(made({"one": one, "other": other}), "one", "other")
        from scipy import stats

        table = [[Counter(zip(one, other, strict=True))[a, b] for b in "abcd"] for a in "abc"]
        expected = stats.contingency.association(np.array(table), method="cramer")
        assert (found.measure, found.rows) == ("cramers_v", 3000)
        assert found.correlation == pytest.approx(expected, abs=1e-5)

    def test_a_category_and_a_number_are_measured_by_the_correlation_ratio(self, made: Make):
        group = np.array([CHANCE.choice("abc") for _ in range(3000)])
        value = np.array([ord(one) for one in group]) + np.random.default_rng(5).normal(0, 2, 3000)
        found = self.pair(made({"group": group, "value": value}), "group", "value")
        between = sum(
            (group == one).sum() * (value[group == one].mean() - value.mean()) ** 2 for one in "abc"
        )
        expected = np.sqrt(between / ((value - value.mean()) ** 2).sum())
        assert (found.measure, found.rows) == ("correlation_ratio", 3000)
        assert found.correlation == pytest.approx(expected, abs=1e-5)

    def test_a_basic_profile_measures_numbers_only(self, made: Make):
        columns = {"x": list(range(40)), "y": [n % 7 for n in range(40)], "g": ["a", "b"] * 20}
        assert {one.measure for one in made(columns, "basic").correlations} == {"pearson"}
        assert len(made(columns).correlations) == 3


class TestPeriods:
    @pytest.mark.parametrize(
        ("days", "unit"), [(1, "hour"), (40, "day"), (400, "week"), (2000, "month"), (9000, "year")]
    )
    def test_dates_are_counted_by_a_period_that_fits(self, made: Make, days: int, unit: str):
        first = datetime.fromisoformat("2021-05-01")
        values = [first + timedelta(days=days * n / 199) for n in range(200)]
        picture = next(one for one in made({"at": values}).charts if one.type == "time_series")
        assert picture.title == f"Rows by {unit} of at"
        counted = picture.spec["data"]["values"]
        assert sum(one["rows"] for one in counted) == 200
        assert len(counted) <= 250


class TestDecimals:
    """Digits that no double holds are told as they are."""

    def told(
        self, made: Any, values: Sequence[str | None], digits: int, scale: int
    ) -> dict[str, Any]:
        decimals = [None if one is None else Decimal(one) for one in values]
        column = pa.array(decimals, pa.decimal128(digits, scale))
        return dict(made({"amount": column}).stats["summary"]["amount"])

    def test_of_38_digits_are_exact(self, made: Any):
        least, most = "-" + "9" * 36 + ".99", "1" * 36 + ".11"
        told = self.told(made, [most, None, "0.05", least, most], 38, 2)
        assert (told["min"], told["max"]) == (least, most)
        with localcontext(prec=60):
            mean = (2 * Decimal(most) + Decimal(least) + Decimal("0.05")) / 4
        assert Decimal(told["mean"]) == mean
        assert Decimal(told["median"]) == Decimal("5" * 35 + ".58")
        assert told["quantiles"]["0.5"] == told["median"]
        assert told["quantiles"]["0.75"] == most

    def test_that_differ_beyond_a_double_are_counted_apart(self, made: Any):
        values = ["12345678901234567.89", "12345678901234567.88"]
        column = pa.array(map(Decimal, values), pa.decimal128(20, 2))
        found = made({"amount": column})
        assert found.stats["distinct_values"] == {"amount": 2}
        assert not [one for one in found.insights if one.type in {"constant", "duplicate_rows"}]

    def test_of_money_are_numbers_where_doubles_hold_them(self, made: Any):
        told = self.told(made, ["19.90", "20.00", "20.20"], 18, 2)
        assert (told["min"], told["max"], told["median"]) == (19.9, 20.2, 20.0)
        assert told["mean"] == pytest.approx(20.0333333)

    def test_of_one_value_that_no_double_holds_are_texts_where_they_must_be(self, made: Any):
        told = self.told(made, ["12345678901234567.89", "1.25", "2.50"], 20, 2)
        assert told == told | {"min": 1.25, "median": 2.5, "max": "12345678901234567.89"}
        assert told["mean"] == "4115226300411523.88"

    def test_of_whole_numbers_beyond_64_bits_are_exact(self, made: Any):
        told = self.told(made, ["123456789012345678901234567890", "7"], 38, 0)
        assert (told["min"], told["max"]) == (7.0, "123456789012345678901234567890")
        assert told["mean"] == "61728394506172839450617283948.5"

    def test_are_the_same_whether_they_fit_into_memory(self, made: Any):
        maker = np.random.default_rng(3)
        texts = [f"{one}.{two:02}" for one, two in zip(
            maker.integers(10**17, 10**18, 500), maker.integers(0, 100, 500), strict=True
        )]  # fmt: skip
        told = self.told(made, texts, 38, 2)
        ordered = sorted(map(Decimal, texts))
        assert Decimal(told["min"]) == ordered[0]
        with localcontext(prec=60):
            assert Decimal(told["median"]) == (ordered[249] + ordered[250]) / 2
            assert abs(Decimal(told["mean"]) - sum(ordered, Decimal(0)) / 500) < Decimal("0.0001")
