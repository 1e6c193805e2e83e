"""A blend is as good as its members allow, and of equal blends the quicker one wins."""

import numpy as np

from modelwright.engines.learn.blending import select
from modelwright.engines.learn.member import Cost
from modelwright_client.predictor.goals import Goal

MAKER = np.random.default_rng(0)
SCORE = MAKER.normal(size=2000)
TRUTH = (SCORE + MAKER.logistic(size=2000) > 0).astype(float)
NOISE = MAKER.normal(size=(2, 2000)) / 5
GOAL = Goal("binary", 2)


class TestSelect:
    def test_mixes_members_that_err_differently(self):
        links = {"one": (SCORE + NOISE[0])[:, None], "two": (SCORE + NOISE[1])[:, None]}
        assert select(links, TRUTH, GOAL, {"one": Cost(10, 1), "two": Cost(10, 1)}).keys() == {
            "one",
            "two",
        }

    def test_prefers_the_quicker_of_equals(self):
        links = {"slow": SCORE[:, None], "quick": SCORE[:, None]}
        assert select(links, TRUTH, GOAL, {"slow": Cost(90, 1), "quick": Cost(10, 1)}) == {
            "quick": 1.0
        }

    def test_takes_a_slow_member_that_is_much_better(self):
        links = {"slow": SCORE[:, None], "quick": np.zeros((2000, 1))}
        assert "slow" in select(links, TRUTH, GOAL, {"slow": Cost(200, 1), "quick": Cost(1, 1)})

    def test_leaves_out_what_hardly_helps_beyond_the_room(self):
        links = {"one": (SCORE + NOISE[0])[:, None], "two": (SCORE + NOISE[1])[:, None]}
        assert len(select(links, TRUTH, GOAL, {"one": Cost(140, 1), "two": Cost(900, 1)})) == 1
