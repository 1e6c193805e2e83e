"""A blend is as good as its members allow, and of equal blends the quicker one wins."""

import numpy as np
import pytest

from modelwright.engines.automl.estimators.fitted_model import Latency
from modelwright.engines.automl.search.ensemble_selection import (
    LatencyPenalty,
    inverse_temperature,
    select,
    smearing_correction,
)
from modelwright_runtime.objective import Objective, TargetTransform

MAKER = np.random.default_rng(0)
SCORE = MAKER.normal(size=2000)
TRUTH = (SCORE + MAKER.logistic(size=2000) > 0).astype(float)
NOISE = MAKER.normal(size=(2, 2000)) / 5
GOAL = Objective("binary", 2)


class TestSelect:
    def test_mixes_members_that_err_differently(self):
        raw_predictions = {"one": (SCORE + NOISE[0])[:, None], "two": (SCORE + NOISE[1])[:, None]}
        assert select(
            raw_predictions,
            TRUTH,
            GOAL,
            LatencyPenalty({"one": Latency(10, 1), "two": Latency(10, 1)}),
        ).keys() == {
            "one",
            "two",
        }

    def test_prefers_the_quicker_of_equals(self):
        raw_predictions = {"slow": SCORE[:, None], "quick": SCORE[:, None]}
        assert select(
            raw_predictions,
            TRUTH,
            GOAL,
            LatencyPenalty({"slow": Latency(90, 1), "quick": Latency(10, 1)}),
        ) == {"quick": 1.0}

    def test_takes_a_slow_member_that_is_much_better(self):
        raw_predictions = {"slow": SCORE[:, None], "quick": np.zeros((2000, 1))}
        assert "slow" in select(
            raw_predictions,
            TRUTH,
            GOAL,
            LatencyPenalty({"slow": Latency(200, 1), "quick": Latency(1, 1)}),
        )

    def test_leaves_out_what_hardly_helps_beyond_the_room(self):
        raw_predictions = {"one": (SCORE + NOISE[0])[:, None], "two": (SCORE + NOISE[1])[:, None]}
        assert (
            len(
                select(
                    raw_predictions,
                    TRUTH,
                    GOAL,
                    LatencyPenalty({"one": Latency(140, 1), "two": Latency(900, 1)}),
                )
            )
            == 1
        )

    @pytest.mark.parametrize(("reading", "members"), [(0.0, 2), (33.0, 2), (80.0, 1)])
    def test_has_less_room_where_reading_a_row_takes_long(self, reading: float, members: int):
        raw_predictions = {"one": (SCORE + NOISE[0])[:, None], "two": (SCORE + NOISE[1])[:, None]}
        prices = LatencyPenalty({"one": Latency(45, 1), "two": Latency(45, 1)}, reading)
        assert len(select(raw_predictions, TRUTH, GOAL, prices)) == members


class TestSharpness:
    def test_makes_a_link_that_is_too_sure_less_so(self):
        assert inverse_temperature(2.0 * SCORE[:, None], TRUTH, GOAL) == pytest.approx(
            0.5, rel=0.15
        )

    @pytest.mark.parametrize("margin", [5.0, 12.0, 34.0])
    def test_is_as_sure_of_what_is_always_right_as_so_many_rows_show(self, margin: float):
        raw_prediction = margin * np.sign(SCORE)
        sure = (
            inverse_temperature(raw_prediction[:, None], (SCORE > 0).astype(float), GOAL) * margin
        )
        assert np.log(len(SCORE)) < sure < np.log(len(SCORE) * 50)

    def test_is_as_sure_of_several_classes(self):
        classes = np.arange(2000) % 4
        raw_prediction = 30.0 * np.eye(4)[classes]
        sure = (
            inverse_temperature(raw_prediction, classes.astype(float), Objective("multiclass", 4))
            * 30
        )
        assert np.log(len(classes)) < sure < np.log(len(classes) * 100)


class TestSmearing:
    COSTS = np.exp(SCORE)
    MEAN_OF_LOGS = np.zeros((len(COSTS), 1))

    def goal(self, *, log: bool) -> Objective:
        return Objective("regression", scale=TargetTransform.of(self.COSTS, log=log))

    def test_carries_a_mean_of_logarithms_to_the_mean(self):
        goal = self.goal(log=True)
        raw_prediction = self.MEAN_OF_LOGS[:, 0] + smearing_correction(
            self.MEAN_OF_LOGS, self.COSTS, goal
        )
        assert goal.scale.inverse(raw_prediction).mean() == pytest.approx(
            self.COSTS.mean(), rel=0.02
        )

    def test_is_none_on_a_plain_scale(self):
        assert smearing_correction(self.MEAN_OF_LOGS - 0.3, self.COSTS, self.goal(log=False)) == 0

    def test_is_none_where_it_hardly_helps(self):
        goal = self.goal(log=True)
        assert smearing_correction(goal.scale.transform(self.COSTS)[:, None], self.COSTS, goal) == 0

    def test_is_none_of_few_rows(self):
        assert (
            smearing_correction(self.MEAN_OF_LOGS[:99], self.COSTS[:99], self.goal(log=True)) == 0
        )
