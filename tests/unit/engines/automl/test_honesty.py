"""What is told of a model comes from rows that nothing which chose the model has seen."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.engines.automl.conftest import Write, build

from modelwright.engines.automl.search.splits import holdout_mask
from modelwright_runtime.intervals import INTERVAL_LEVEL, Interval

ROWS = 300


def _columns(y: Any) -> dict[str, Any]:
    maker = np.random.default_rng(0)
    x, z = maker.normal(size=(2, ROWS))
    place = maker.choice(["north", "south", "east", "west"], ROWS)
    return {"x": x, "z": z, "place": place, "y": y}


def _moved(y: Any, held: Any) -> Any:
    """Moves the held-out targets nearly up to the next larger one, so that no rank changes."""
    order = np.argsort(y)
    gaps = np.diff(y[order], append=y.max() + 50.0)
    moved = y.copy()
    moved[order] += np.where(held[order], 0.9 * gaps, 0.0)
    return moved


class TestHeldOutTargets:
    @pytest.mark.parametrize("shift", [0.0, 60.0])
    def test_change_the_metrics_and_nothing_that_was_chosen(
        self, write: Write, tmp_path: Path, shift: float
    ):
        maker = np.random.default_rng(1)
        columns = _columns(None)
        y = columns["x"] * 4 + np.exp(columns["z"]) + maker.normal(size=ROWS) + shift
        held = holdout_mask(y, 0)
        y[np.flatnonzero(held)[0]] = y.max() + 40.0
        held = holdout_mask(y, 0)
        first, second = (
            build(write(name, **_columns(one)), tmp_path / name, max_iterations=2)
            for name, one in (("first", y), ("second", _moved(y, held)))
        )
        assert first.report["weights"] == second.report["weights"]
        assert [_chosen(one) for one in first.report["race"]] == [
            _chosen(one) for one in second.report["race"]
        ]
        assert first.metrics["rmse"] != second.metrics["rmse"]


def _chosen(leaderboard: dict[str, Any]) -> tuple[Any, ...]:
    return leaderboard["name"], leaderboard["loss"], leaderboard["rounds"]


class TestInterval:
    def test_holds_the_prediction_where_all_residuals_lie_to_one_side(self):
        raw = np.repeat([0.0, 100.0], 400)
        off = np.tile(np.linspace(20, 60, 400), 2) * np.repeat([1.0, -1.0], 400)
        low, high = Interval.fit(raw, raw + off).around(np.array([0.0, 100.0]))
        assert (low[0], high[1]) == (0.0, 100.0)
        assert high[0] == pytest.approx(58, abs=1)
        assert low[1] == pytest.approx(42, abs=1)

    @pytest.mark.parametrize("rows", [25, 30, 200, 399])
    def test_holds_a_new_row_as_often_as_is_said(self, rows: int):
        drawn = np.random.default_rng(rows).random((4000, rows))
        learnt = [Interval.fit(np.full(rows, 0.5), one) for one in drawn]
        held = [one.high[0] - one.low[0] for one in learnt]
        assert np.mean(held) == pytest.approx(INTERVAL_LEVEL, abs=0.003)

    def test_follows_the_spread_of_each_group(self):
        draw = np.random.default_rng(5)
        raw_prediction = draw.random(4000)
        learnt = Interval.fit(
            raw_prediction, raw_prediction + draw.normal(size=4000) * (raw_prediction > 0.5)
        )
        low, high = learnt.around(np.array([0.1, 0.9]))
        assert high[0] - low[0] < 0.01
        assert high[1] - low[1] == pytest.approx(2 * 1.645, abs=0.5)
