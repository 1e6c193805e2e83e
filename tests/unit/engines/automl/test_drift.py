"""Drift is called by its size and only above what chance does."""

import math
import random

import numpy as np
import pytest
from tests.unit.engines.automl.conftest import Built, rows_of

from modelwright.engines.automl.monitoring.drift import (
    DriftStatus,
    chi_squared,
    population_stability_index,
    shift,
)
from modelwright.engines.automl.monitoring.online_counts import Bins, Watch, merged
from modelwright_runtime.predictor import Predictor

TENTHS = [0.1] * 10


def drawn(chance: random.Random, shares: list[float], rows: int) -> list[int]:
    return np.bincount(chance.choices(range(len(shares)), shares, k=rows), minlength=10).tolist()


class TestShift:
    def test_the_index_is_the_textbook_s(self):
        expected, seen = [3000.0, 7000.0], [4000.0, 6000.0]
        by_hand = 0.1 * math.log(0.4 / 0.3) - 0.1 * math.log(0.6 / 0.7)
        assert population_stability_index(expected, seen) == pytest.approx(by_hand, abs=1e-4)
        assert population_stability_index(expected, expected) == 0

    @pytest.mark.parametrize(
        ("degrees", "below", "table"), [(9, 0.999, 27.877), (1, 0.95, 3.841), (29, 0.99, 49.588)]
    )
    def test_the_quantiles_are_the_tables(self, degrees: int, below: float, table: float):
        assert chi_squared(degrees, below) == pytest.approx(table, rel=0.03)

    @pytest.mark.parametrize("rows", [20, 99, 100, 300, 5000])
    def test_the_same_distribution_is_never_called_moved(self, rows: int):
        chance = random.Random(rows)
        verdicts = {
            shift(TENTHS, 2000, drawn(chance, TENTHS, rows), 20).verdict for _ in range(300)
        }
        assert verdicts == {DriftStatus.NOT_ENOUGH if rows < 100 else DriftStatus.STABLE}

    @pytest.mark.parametrize("rows", [200, 5000])
    def test_a_large_move_is(self, rows: int):
        half = [0.2] * 5 + [0.0] * 5
        moved = shift(TENTHS, 2000, drawn(random.Random(1), half, rows), 20)
        assert moved.verdict is DriftStatus.MOVED
        assert moved.psi is not None
        assert moved.noise is not None
        assert moved.psi > moved.noise

    def test_a_small_but_certain_move_is_to_be_watched(self):
        some = [0.15] * 5 + [0.05] * 5
        counts = drawn(random.Random(2), some, 20_000)
        assert shift(TENTHS, 20_000, counts, 20).verdict is DriftStatus.MOVED
        some = [0.14] * 5 + [0.06] * 5
        counts = drawn(random.Random(2), some, 20_000)
        assert shift(TENTHS, 20_000, counts, 20).verdict is DriftStatus.WATCH


class TestWatch:
    def test_training_s_own_rows_fall_as_training_says(self, built: Built):
        path, folder, _ = built
        watch = Watch.read(folder)
        rows = rows_of(path, 600)
        counts = watch.count(rows)
        assert counts["examined"] == 600
        for name, bins in watch.columns.items():
            found = np.array(counts["columns"][name]) / 600
            np.testing.assert_allclose(found, bins.shares, atol=1e-9, err_msg=name)

    def test_counts_of_parts_add_up(self, built: Built):
        path, folder, _ = built
        watch, rows = Watch.read(folder), rows_of(path, 60)
        answers = Predictor.load(folder).answer_many(rows)
        told = watch.count_told(answers.told, answers.raw_prediction)
        assert sum(told) == 60
        parts: dict[str, object] = {}
        for at in range(0, 60, 20):
            some = answers.told[at : at + 20], answers.raw_prediction[at : at + 20]
            part = {**watch.count(rows[at : at + 20]), "told": watch.count_told(*some)}
            parts = merged(parts, part)
        assert parts == {**watch.count(rows), "told": told}

    def test_unseen_values_and_gaps_have_bins_of_their_own(self):
        told = {"kind": "category", "levels": {"a": 0.5, "b": 0.3}, "other": 0.1, "missing": 0.1}
        assert Bins.of(told).count(["a", "b", "a", "z", None, "other"]) == [2, 1, 2, 1]
        told = {"kind": "number", "edges": [1.0, 2.0], "shares": [0.2, 0.5, 0.3], "missing": 0.0}
        assert Bins.of(told).count([0, 1, 1.5, 2, 9, None, True]) == [1, 3, 2, 1]

    @pytest.mark.parametrize(
        ("kind", "edges", "labels"),
        [
            ("number", [2, 1234567], ("below 2", "2 to 1,234,567", "1,234,567 and above")),
            (
                "number",
                [-0.3, 0, 0.00125],
                ("below -0.3", "-0.3 to 0", "0 to 0.0013", "0.0013 and above"),
            ),
            (
                "number",
                [88356.26600722564, 115858.26617480021],
                ("below 88,356", "88,356 to 115,858", "115,858 and above"),
            ),
            ("number", [20.123, 20.124], ("below 20.123", "20.123 to 20.124", "20.124 and above")),
            ("number", [0], ("below 0", "0 and above")),
            ("number", [1.5e-9, 2e30], ("below 1.5e-09", "1.5e-09 to 2e+30", "2e+30 and above")),
            (
                "date",
                [1_704_412_800, 1_709_210_096.5],
                ("below 2024-01-05", "2024-01-05 to 2024-02-29", "2024-02-29 and above"),
            ),
            (
                "date",
                [1_704_412_800, 1_704_416_400],
                (
                    "below 2024-01-05T00:00:00",
                    "2024-01-05T00:00:00 to 2024-01-05T01:00:00",
                    "2024-01-05T01:00:00 and above",
                ),
            ),
        ],
    )
    def test_bins_are_called_as_people_write_numbers_and_dates(
        self, kind: str, edges: list[float], labels: tuple[str, ...]
    ):
        bins = Bins.of({"kind": kind, "edges": edges, "shares": [0.3, 0.3, 0.4], "missing": 0.0})
        assert bins.labels == (*labels, "missing")

    def test_a_column_that_training_always_lacked_is_counted_too(self):
        bins = Bins.of({"kind": "number", "edges": [], "shares": [], "missing": 1.0})
        assert bins.shares == (0.0, 1.0)
        assert bins.count([None, 5]) == [1, 1]
        assert len(bins.labels) == 2
