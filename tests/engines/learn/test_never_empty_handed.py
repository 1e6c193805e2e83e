"""A build ends with a model that predicts, whatever the table is like, or says what is wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engines.learn.conftest import build, rows_of

from modelwright.engines.learn.plan import Unplannable, make_plan
from modelwright_client.predictor.predicting import Predictor

SECONDS = 4.0
MAKER = np.random.default_rng(0)


def few_rows() -> dict[str, Any]:
    x = MAKER.normal(size=30)
    return {"x": x, "kind": MAKER.choice(["a", "b"], 30), "y": np.where(x > 0, "yes", "no")}


def one_feature() -> dict[str, Any]:
    x = MAKER.normal(size=400)
    return {"x": x, "y": 2 * x + MAKER.normal(size=400)}


def many_classes() -> dict[str, Any]:
    place = MAKER.integers(0, 500, 5000)
    return {
        "x": place + MAKER.normal(size=5000),
        "z": MAKER.normal(size=5000),
        "y": [f"class {one}" for one in place],
    }


def many_columns() -> dict[str, Any]:
    wide = MAKER.normal(size=(300, 5000))
    y = np.where(wide[:, 0] + MAKER.normal(size=300) > 0, "yes", "no")
    return {f"x{at}": wide[:, at] for at in range(5000)} | {"y": y}


def empty_columns() -> dict[str, Any]:
    x = MAKER.normal(size=300)
    gaps = [None] * 300
    return {"x": x, "never": gaps, "nothing": gaps, "y": x + MAKER.normal(size=300)}


def text_only() -> dict[str, Any]:
    good = MAKER.integers(0, 2, 400)
    said = [
        f"the {MAKER.choice(['great', 'lovely'] if one else ['awful', 'dirty'])} room {at} we had"
        for at, one in enumerate(good)
    ]
    return {"said": said, "y": np.where(good == 1, "good", "bad")}


TABLES = [few_rows, one_feature, many_classes, many_columns, empty_columns, text_only]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
class TestBuild:
    def test_ends_with_a_model(self, write: Any, tmp_path: Path, table: Any):
        path = write(**table())
        result = build(path, tmp_path / "model", seconds=SECONDS, max_iterations=None)
        rows = rows_of(path, 20)
        answers = Predictor.load(tmp_path / "model").predict_many(rows)
        assert all(answer.result["y"] is not None for answer in answers)
        assert result.dataset_size == len(table()["y"])


class TestRefusal:
    def test_of_a_constant_target_says_why(self, write: Any):
        path = write(x=MAKER.normal(size=200), y=np.ones(200))
        with pytest.raises(Unplannable) as refused:
            make_plan([path], "Predict y", seconds=SECONDS)
        assert "same value in every row" in refused.value.sentence
        assert refused.value.field == "intent"

    def test_of_columns_that_hold_nothing_names_each(self, write: Any):
        path = write(never=[None] * 200, same=np.ones(200), y=MAKER.choice(["a", "b"], 200))
        with pytest.raises(Unplannable) as refused:
            make_plan([path], "", target="y", seconds=SECONDS)
        assert "`never`: it is empty" in refused.value.sentence
        assert "`same`: it has the same value" in refused.value.sentence
