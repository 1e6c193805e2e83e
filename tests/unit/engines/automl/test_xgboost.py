"""XGBoost, an optional family: its compiled trees give the library's own numbers."""

import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.few_folds import few_folds
from tests.unit.engines.automl.conftest import labelled, rows_of

from modelwright.engines.automl.estimators import family
from modelwright.engines.automl.estimators.compilation import compile_model
from modelwright.engines.automl.estimators.early_stopping import (
    EARLY_STOPPING_ROUNDS,
    EarlyStopping,
)
from modelwright.engines.automl.estimators.estimator import Deadline, FitRequest
from modelwright.engines.automl.estimators.xgboost import _tree, fit_xgboost
from modelwright.engines.automl.fitting import BuildInputs, fit
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.search import model_search
from modelwright.engines.automl.search.portfolio import Candidate, portfolio
from modelwright.engines.automl.search.training_data import read_training_data
from modelwright_runtime.predictor import Predictor

TRAIN = np.arange(450)
VALID = np.arange(450, 600)


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_compiles_to_the_numbers_of_its_library(tmp_path: Path, task: str):
    path = tmp_path / "table.parquet"
    parquet.write_table(pa.table(labelled(task)), path)
    training = read_training_data([path], make_plan([path], "", target="y", seconds=10))
    training.fit_encoder(np.arange(600))
    data, deadline = training.fold_data(0, TRAIN), Deadline(time.monotonic() + 600)
    fitted = fit_xgboost(FitRequest(data, TRAIN, VALID, None, deadline, {"max_depth": 4}))
    model = compile_model(training.goal, data.encoder, [(1.0, fitted.compiled())]).opened()
    ours = model.raw_prediction(data.features)
    theirs = fitted.raw_prediction(np.arange(600))
    assert np.abs(ours - theirs).max() < 1e-4
    base = np.zeros_like(theirs[VALID])
    assert training.goal.loss(theirs[VALID], data.y[VALID]) < training.goal.loss(
        base, data.y[VALID]
    )
    again = fit_xgboost(FitRequest(data, TRAIN, None, fitted.rounds, deadline, {"max_depth": 4}))
    assert again.rounds == fitted.rounds
    assert np.allclose(again.raw_prediction(VALID), theirs[VALID])


def test_a_value_that_is_the_condition_goes_right():
    told = {
        "left_children": [1, -1, -1], "right_children": [2, -1, -1],
        "split_conditions": [0.5, -1.0, 1.0], "split_indices": [0, 0, 0],
        "default_left": [1, 0, 0], "sum_hessian": [4.0, 1.0, 3.0],
    }  # fmt: skip
    forest = _tree(told, 0)
    assert forest.threshold[0] == np.nextafter(np.float32(0.5), np.float32(0))
    assert forest.threshold[0] < 0.5
    assert forest.missing[0]


def test_a_build_serves_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (candidate,) = racing()
    monkeypatch.setattr(model_search, "portfolio", lambda *_, **__: [candidate])
    path = tmp_path / "table.parquet"
    parquet.write_table(pa.table(labelled("binary")), path)
    plan = make_plan([path], "", target="y", seconds=600, max_iterations=1)
    deadline = time.monotonic() + 600
    with few_folds():
        result = fit(
            BuildInputs([path], plan, tmp_path / "m", deadline=deadline, progress=lambda *_: None)
        )
    assert "XGBoost" in result.algorithm
    assert result.report["libraries"]["xgboost-cpu"]
    model, rows = Predictor.load(tmp_path / "m"), rows_of(path, 5)
    for answer in model.predict(rows, include=["explanation"]):
        told = answer["explanation"]
        assert told["base"] + sum(told["contributions"].values()) == pytest.approx(told["sum"])


def test_where_it_is_not_installed_it_is_no_candidate(monkeypatch: pytest.MonkeyPatch):
    assert len(racing()) == 1
    monkeypatch.setattr(
        family, "find_spec", lambda name: None if name == "xgboost" else find_spec(name)
    )
    assert racing() == []


def racing() -> list[Candidate]:
    """Gives the candidates of XGBoost for a table of numbers."""
    return [one for one in portfolio(["number"] * 4, 1, 1000) if one.estimator is fit_xgboost]


class TestEarlyStopping:
    def test_ends_when_the_best_round_is_long_past(self):
        stopping = EarlyStopping(Deadline(time.monotonic() + 600))
        assert not stopping.observe(1, 0.5)
        ended = [stopping.observe(1 + more, 0.6) for more in range(1, EARLY_STOPPING_ROUNDS + 1)]
        assert ended == [False] * (EARLY_STOPPING_ROUNDS - 1) + [True]
        assert stopping.used == 1

    def test_ends_when_the_time_is_over_and_keeps_all_rounds_that_none_judged(self):
        stopping = EarlyStopping(Deadline(0.0))
        assert stopping.observe(7, None)
        assert stopping.used == 7
