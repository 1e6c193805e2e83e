"""A model is called better than its baseline only where chance would hardly have made it so."""

import tracemalloc
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from modelwright.engines.automl.reporting import confidence_intervals
from modelwright.engines.automl.reporting.confidence_intervals import (
    of_classes,
    of_lift,
    of_numbers,
)
from modelwright.engines.automl.reporting.model_report import (
    HoldoutPredictions,
    holdout_metrics,
    warning_texts,
)
from modelwright_runtime.objective import Objective, TargetTransform

TABLES = 100
"""Tables without anything to learn."""
ROWS = 60
"""Rows of each."""


def judged(maker: Any, said: float, task: Any) -> dict[str, Any]:
    """Gives the metrics of links that hold `said` of the truth beside noise."""
    noise = maker.normal(size=ROWS)
    raw_prediction = maker.normal(size=(ROWS, 1))
    truth = said * raw_prediction[:, 0] + noise
    if task == "binary":
        truth = (truth > 0).astype(np.float64)
        return holdout_metrics(
            HoldoutPredictions(
                Objective("binary", 2),
                raw_prediction * max(said, 0.1),
                truth,
                truth,
                1.0,
                [0.0, 0.0],
                None,
            )
        )
    goal = Objective("regression", 0, TargetTransform(0.0, 0.1))
    return holdout_metrics(
        HoldoutPredictions(goal, raw_prediction, truth, maker.normal(size=300), 1.0, [], None)
    )


class TestOfManyClasses:
    def test_takes_no_room_for_cells_without_rows(self):
        """Of 600 classes a confusion matrix has 360,000 cells, of which a row fills one."""
        classes, rows = 600, 1000
        named = np.arange(rows) % classes
        table = np.zeros((classes, classes))
        np.add.at(table, (named, (named + (named % 3 == 0)) % classes), 1)
        tracemalloc.start()
        raw_prediction = np.zeros((rows, classes))
        found = of_classes(
            Objective("multiclass", classes), raw_prediction, table, named.astype(float), None
        )
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found["accuracy"] == pytest.approx([0.637, 0.695], abs=0.01)
        assert peak < 60e6

    def test_is_the_same_however_many_are_looked_at_in_one_go(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        table, goal = np.array([[9, 2, 0], [0, 0, 0], [3, 1, 5]]), Objective("multiclass", 3)
        given = (goal, np.zeros((20, 3)), table, np.repeat([0.0, 2.0], [11, 9]), None)
        at_once = of_classes(*given)
        monkeypatch.setattr(confidence_intervals, "MOST_CELLS", 7 * table.size)
        assert of_classes(*given) == at_once


@pytest.mark.parametrize("task", ["binary", "regression"])
class TestBetter:
    def test_is_hardly_ever_said_of_a_model_that_is_not(self, task: str):
        maker = np.random.default_rng(0)
        told = [judged(maker, 0.0, task) for _ in range(TABLES)]
        assert sum(one["lift"] > 0 for one in told) > TABLES / 20
        assert sum(one["better_than_baseline"] for one in told) < TABLES / 20

    def test_is_said_of_one_that_is(self, task: str):
        maker = np.random.default_rng(0)
        told = [judged(maker, 2.0, task) for _ in range(TABLES)]
        assert sum(one["better_than_baseline"] for one in told) > TABLES * 0.9

    def test_is_what_the_interval_says(self, task: str):
        maker = np.random.default_rng(1)
        for said in np.linspace(0.0, 1.0, 40):
            told = judged(maker, said, task)
            low, high = told["confidence"]["lift"]
            assert low <= told["lift"] <= high
            assert told["better_than_baseline"] == (low > 0)


class TestInterval:
    def test_holds_the_true_lift_of_unlike_losses(self):
        maker = np.random.default_rng(0)
        drawn = maker.exponential(1.0, (2000, 80))
        ends = [of_lift(one * 0.8, one) for one in drawn]
        assert all(low == pytest.approx(0.2) == high for low, high in filter(None, ends))
        apart = [of_lift(0.8 * maker.exponential(1.0, 80), one) for one in drawn]
        held = [low <= 0.2 <= high for low, high in filter(None, apart)]
        assert np.mean(held) == pytest.approx(0.95, abs=0.02)

    def test_of_a_loss_that_few_rows_make_is_not_below_zero(self):
        truth = np.zeros(400)
        truth[0] = 1.0
        raw_prediction = np.full((400, 1), -7.0)
        found = of_classes(Objective("binary", 2), raw_prediction, [[399, 0], [1, 0]], truth, 0.5)
        assert found["log_loss"][0] == 0.0 < found["log_loss"][1]
        assert of_numbers(truth * 1e3, truth)["mae"][0] == 0.0

    def test_is_none_of_one_row_or_of_a_baseline_without_loss(self):
        assert of_lift(np.ones(1), np.ones(1)) is None
        assert of_lift(np.ones(9), np.zeros(9)) is None


class TestSpoken:
    @pytest.mark.parametrize(
        ("lift", "others", "cut", "failed", "parts"),
        [
            (-0.1, ["Linear"], [], {}, ("not better", "columns may say nothing of the target.")),
            (0.1, ["Linear"], [], {}, ("no more than chance", "or the rows be too few to tell.")),
            (0.0, [], [], {}, ("not better", "its time ended before another model had learnt")),
            (0.1, ["Linear"], ["Linear"], {}, ("than chance", "its time ended before another")),
            (0.1, ["Linear", "L"], ["L"], {}, ("than chance", "columns may say nothing")),
            (0.0, [], [], {"Linear": "Error"}, ("not better", "every other model failed")),
        ],
    )
    def test_tells_why(
        self,
        lift: float,
        others: list[str],
        cut: list[str],
        failed: dict[str, str],
        parts: tuple[str, str],
    ):
        race: Any = SimpleNamespace(
            trials=dict.fromkeys(["Constant", *others]), timed_out=set(cut), failed=failed
        )
        [said] = warning_texts({"lift": lift, "better_than_baseline": False}, race)
        assert all(part in said for part in parts)
        assert warning_texts({"lift": lift, "better_than_baseline": True}, race) == []

    @pytest.mark.parametrize(
        ("lift", "low", "count"), [(0.1, 0.6, 0), (0.1, 0.4, 1), (-0.1, 0.6, 1)]
    )
    def test_that_tells_classes_apart_is_not_said_to_be_chance(
        self, lift: float, low: float, count: int
    ):
        race: Any = SimpleNamespace(trials={"Constant": 1, "L": 2}, timed_out=set(), failed={})
        sure = {"lift": [-0.01, 0.2], "roc_auc": [low, 0.9]}
        metrics = {"lift": lift, "better_than_baseline": False, "confidence": sure}
        assert len(warning_texts(metrics, race)) == count
