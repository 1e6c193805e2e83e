"""Of many rows a sample takes part in the race; the best member learns from the others as well."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.unit.engines.automl.conftest import build, rows_of

from modelwright.engines.automl import fitting
from modelwright.engines.automl.estimators import lightgbm
from modelwright.engines.automl.estimators.estimator import Deadline, FitRequest
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.load_columns import read_rows, read_table
from modelwright.engines.automl.search import final_ensemble, training_data
from modelwright_runtime.predictor import Predictor

ROWS = 3000
RACED = 600
"""Rows that candidates race on."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes 600 rows for many."""
    for name in ("MAX_ROWS", "MIN_SAMPLE_ROWS"):
        monkeypatch.setattr(training_data, name, RACED)


def _limit_cells(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    for name in ("MAX_CELLS", "MAX_CELLS_IN_BATCHES"):
        monkeypatch.setattr(final_ensemble, name, most)


def _table(folder: Path, task: str) -> Path:
    maker = np.random.default_rng(0)
    x, z = maker.normal(size=(2, ROWS))
    place = maker.choice(["north", "south", "east"], ROWS)
    score = np.sin(3 * x) + z * (place == "north") + maker.normal(size=ROWS) / 3
    y = score if task == "regression" else np.where(score > 0, "yes", "no")
    path = folder / "many.parquet"
    table = pa.table(
        {"x": pa.array(x, mask=maker.random(ROWS) < 0.1), "z": z, "place": place, "y": y}
    )
    parquet.write_table(table, path, row_group_size=350)
    return path


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("task", ["binary", "regression"])
class TestBuildOfManyRows:
    def test_learns_the_best_member_from_all_of_them(self, tmp_path: Path, task: str):
        path = _table(tmp_path, task)
        result = build(path, tmp_path / "model", max_iterations=1)
        assert result.dataset_size == ROWS
        assert result.report["rows"] <= RACED
        assert result.report["best_rows"] == ROWS
        answers = Predictor.load(tmp_path / "model").predict_many(rows_of(path, 20))
        assert all(answer.result["y"] is not None for answer in answers)

    def test_learns_from_as_many_as_memory_allows(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str
    ):
        _limit_cells(monkeypatch, 7 * RACED * 3)
        path = _table(tmp_path, task)
        result = build(path, tmp_path / "model", max_iterations=1)
        assert RACED * 1.5 < result.report["best_rows"] < ROWS

    def test_stays_with_the_race_where_hardly_more_would_fit(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str
    ):
        _limit_cells(monkeypatch, 7 * RACED)
        result = build(_table(tmp_path, task), tmp_path / "model", max_iterations=1)
        assert result.report["best_rows"] == result.report["rows"]


@pytest.mark.usefixtures("small")
class TestRowsThatEndTheTraining:
    def test_are_the_latest_of_rows_in_the_order_of_time(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        asked = _spied_masks(monkeypatch)
        days = np.datetime64("2020-01-01") + np.arange(ROWS) // 2
        y = np.arange(ROWS) / 100 + np.random.default_rng(0).normal(size=ROWS)
        path = tmp_path / "daily.parquet"
        parquet.write_table(pa.table({"day": days, "x": np.sin(y), "y": y}), path)
        build(path, tmp_path / "model", max_iterations=1)
        [(times, mask)] = asked
        assert times is not None
        assert 0 < mask.sum() <= ROWS / 10
        assert times[mask].min() > times[~mask].max()

    def test_leave_out_what_the_clock_stopped_early(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(final_ensemble, "MAX_WORSE_RATIO", np.inf)
        real: Any = vars(fitting)["enlarged"]
        ended = Deadline(0.0)
        monkeypatch.setattr(fitting, "enlarged", lambda *given: real(*given[:-1], ended))
        result = build(_table(tmp_path, "regression"), tmp_path / "model", max_iterations=1)
        assert result.report["best_rows"] == result.report["rows"] <= RACED


def _spied_masks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Any]]:
    """Notes the moments and the mask of each validation of an enlarged fit."""
    asked: list[tuple[Any, Any]] = []
    real: Any = vars(final_ensemble)["holdout_mask"]

    def spy(y: Any, seed: int, times: Any, groups: Any, parts: int) -> Any:
        mask = real(y, seed, times, groups, parts)
        asked.append((times, mask))
        return mask

    monkeypatch.setattr(final_ensemble, "holdout_mask", spy)
    return asked


class TestBatches:
    """Rows that LightGBM takes in batches, and are encoded where they lie, give the same trees."""

    @pytest.mark.parametrize("task", ["binary", "regression"])
    def test_give_the_trees_of_a_matrix(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str
    ):
        path = _table(tmp_path, task)
        plan = make_plan([path], "", target="y", task=task, seconds=10)
        train = np.flatnonzero(np.arange(ROWS) % 10 > 0)
        told = []
        for matrix_rows, is_last in ((ROWS, False), (0, True)):
            monkeypatch.setattr(lightgbm, "MATRIX_ROWS", matrix_rows)
            monkeypatch.setattr(lightgbm, "BATCH_ROWS", 700)
            training = training_data.read_training_data([path], plan, ROWS)
            training.fit_encoder(train)
            data = training.fold_data(0, train, is_last=is_last)
            assert (data.features is training.features()) == is_last
            stop = Deadline(time.monotonic() + 600)
            fitted = lightgbm.fit_lightgbm(
                FitRequest(data, train, None, 20, stop, {"num_leaves": 15})
            )
            told.append(fitted.raw_prediction(np.arange(ROWS)))
        assert np.array_equal(told[0], told[1])


class TestRareClass:
    @pytest.mark.usefixtures("small")
    @pytest.mark.parametrize("rare", [1, 2])
    def test_is_not_lost_from_the_sample(self, tmp_path: Path, rare: int):
        x = np.random.default_rng(0).normal(size=ROWS)
        y = np.where(np.arange(ROWS) < rare, "fraud", "fair")
        path = tmp_path / "rare.parquet"
        parquet.write_table(pa.table({"x": x, "y": y}), path)
        plan = make_plan([path], "", target="y", seconds=10)
        for most in (100, 1000):
            found = training_data.read_training_data([path], plan, most)
            assert found.classes == ["fair", "fraud"]
            assert found.y.sum() == 1
        result = build(path, tmp_path / "model", max_iterations=1)
        assert result.metrics["log_loss"] < 0.05
        answers = Predictor.load(tmp_path / "model").predict_many(rows_of(path, 20))
        assert all(1e-9 < answer.probabilities[1] < 0.5 for answer in answers)


class TestReadRows:
    def test_gives_the_rows_of_stacked_files_in_order(self, tmp_path: Path):
        paths = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
        parquet.write_table(pa.table({"a": range(50), "b": ["x"] * 50}), paths[0], row_group_size=7)
        parquet.write_table(pa.table({"a": range(50, 80)}), paths[1])
        rows = np.array([0, 6, 7, 49, 50, 79])
        found = read_rows(paths, ["b", "a"], rows)
        assert found == read_table(paths, ["b", "a"]).take(rows)
        assert found["a"].to_pylist() == rows.tolist()
