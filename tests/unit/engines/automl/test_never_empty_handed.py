"""A build ends with a model that predicts, whatever the table is like, or says what is wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.engines.automl.conftest import build, rows_of

from modelwright.engines.automl import fitting
from modelwright.engines.automl.estimators.additive_model import fit_additive
from modelwright.engines.automl.estimators.estimator import FitRequest
from modelwright.engines.automl.estimators.fitted_model import FittedModel
from modelwright.engines.automl.estimators.fold_data import Rows
from modelwright.engines.automl.estimators.lightgbm import fit_lightgbm
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.plan import PlanError
from modelwright.engines.automl.search import model_search, training_data
from modelwright.engines.automl.search.final_ensemble import refit
from modelwright.engines.automl.search.portfolio import Candidate
from modelwright.engines.automl.search.training_data import TrainingData
from modelwright_runtime.predictor import Predictor

SECONDS = 1.0
MAKER = np.random.default_rng(0)


def few_rows() -> dict[str, Any]:
    x = MAKER.normal(size=30)
    return {"x": x, "kind": MAKER.choice(["a", "b"], 30), "y": np.where(x > 0, "yes", "no")}


def one_feature() -> dict[str, Any]:
    x = MAKER.normal(size=400)
    return {"x": x, "y": 2 * x + MAKER.normal(size=400)}


def many_classes() -> dict[str, Any]:
    place = np.arange(2500) % 500
    return {
        "x": place + MAKER.normal(size=2500),
        "z": MAKER.normal(size=2500),
        "y": [f"class {one}" for one in place],
    }


def many_columns() -> dict[str, Any]:
    wide = MAKER.normal(size=(120, 2000))
    y = np.where(wide[:, 0] + MAKER.normal(size=120) > 0, "yes", "no")
    return {f"x{at}": wide[:, at] for at in range(2000)} | {"y": y}


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
        with pytest.raises(PlanError) as refused:
            make_plan([path], "Predict y", seconds=SECONDS)
        assert "same value in every row" in refused.value.sentence
        assert refused.value.field == "intent"

    def test_of_columns_that_hold_nothing_names_each(self, write: Any):
        path = write(never=[None] * 200, same=np.ones(200), y=MAKER.choice(["a", "b"], 200))
        with pytest.raises(PlanError) as refused:
            make_plan([path], "", target="y", seconds=SECONDS)
        assert "`never`: it is empty" in refused.value.sentence
        assert "`same`: it has the same value" in refused.value.sentence


class TestBuildOfEndlessTargets:
    def test_learns_from_the_other_rows_and_says_so(self, write: Any, tmp_path: Path):
        x = MAKER.normal(size=300)
        y = 3 * x + MAKER.normal(size=300)
        y[:4] = np.inf, -np.inf, np.nan, 1e200
        path = write(x=x, y=y)
        plan = make_plan([path], "", target="y", seconds=SECONDS)
        assert plan.warnings == ("4 rows have no finite y and are not learnt from.",)
        result = build(path, tmp_path / "model", max_iterations=2)
        assert result.dataset_size == 296
        assert result.metrics["rmse"] < 2
        [answer] = Predictor.load(tmp_path / "model").predict_many([{"x": 1.0}])
        assert 0 < answer.result["y"] < 6


class TestBuildWithoutTimeToRefit:
    def test_serves_the_models_of_the_first_fold(
        self, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        def too_late(*asked: Any) -> None:
            refit(*asked)

        monkeypatch.setattr(fitting, "refit", too_late)
        monkeypatch.setattr(
            model_search, "portfolio", lambda *_, **__: [Candidate("Linear", fit_additive)]
        )
        kinds = [f"kind {place}" for place in range(40) for _ in range(10 if place < 30 else 1)]
        path = write(kind=kinds, y=[float(kind[5:]) for kind in kinds], x=MAKER.normal(size=310))
        build(path, tmp_path / "model", max_iterations=1)
        model, rows = Predictor.load(tmp_path / "model"), rows_of(path, 20)
        for row, answer in zip(rows, model.predict_many(rows), strict=True):
            told = model.explain(row, answer)
            parts = told["base"] + sum(told["contributions"].values())
            assert parts == pytest.approx(told["sum"], abs=1e-6)

    def test_reads_its_rows_no_second_time_once_its_time_is_over(
        self, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        learnt: list[int] = []

        class Counted(TrainingData):
            def fit_encoder(self, rows: Rows) -> None:
                learnt.append(len(rows))
                super().fit_encoder(rows)

        monkeypatch.setattr(training_data, "TrainingData", Counted)
        x = MAKER.normal(size=400)
        path = write(x=x, y=x + MAKER.normal(size=400) / 2)
        build(path, tmp_path / "late", seconds=0.0, max_iterations=1)
        late = list(learnt)
        build(path, tmp_path / "timely", max_iterations=1)
        assert 400 in learnt[len(late) :]
        assert late
        assert 400 not in late
        assert Predictor.load(tmp_path / "late").predict_one({"x": 1.0}).result

    def test_of_the_best_member_keeps_the_whole_blend_of_the_first_fold(
        self, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        def failing(request: FitRequest) -> FittedModel:
            if request.valid is None:
                raise MemoryError
            return fit_lightgbm(request)

        racing = [Candidate("Linear", fit_additive), Candidate("Boosted", failing)]
        monkeypatch.setattr(model_search, "portfolio", lambda *_, **__: racing)
        x, z, noise = MAKER.normal(size=(3, 400))
        path = write(x=x, z=z, y=x * z + noise / 5)
        result = build(path, tmp_path / "model", max_iterations=2)
        assert result.report["failed"] == {"Boosted": "MemoryError: "}
        answers = Predictor.load(tmp_path / "model").predict_many(rows_of(path, 400))
        off = np.array([one.result["y"] for one in answers]) - x * z
        assert np.std(off) < np.std(x * z) / 2
