"""Importance is told for every column or for none."""

import itertools
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.unit.engines.automl.conftest import labelled

from modelwright.engines.automl.estimators.compilation import compile_model
from modelwright.engines.automl.estimators.estimator import Deadline, FitRequest
from modelwright.engines.automl.estimators.fold_data import Rows
from modelwright.engines.automl.estimators.lightgbm import fit_lightgbm
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.reporting import importance as module
from modelwright.engines.automl.reporting.importance import importance
from modelwright.engines.automl.search.training_data import read_training_data


@pytest.mark.parametrize(("ticks", "told"), [(10_000, True), (1.5, True), (0.5, False)])
def test_what_was_not_measured_for_every_column_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ticks: float, *, told: bool
):
    columns = labelled("binary")
    columns.pop("said")
    parquet.write_table(pa.table(columns), tmp_path / "table.parquet")
    plan = make_plan([tmp_path / "table.parquet"], "", target="y", seconds=10)
    training = read_training_data([tmp_path / "table.parquet"], plan)
    train, held = np.arange(300), np.arange(300, 600)
    training.fit_encoder(train)
    fold_data = training.fold_data(0, train)
    fitted = fit_lightgbm(
        FitRequest(fold_data, train, None, 20, Deadline(time.monotonic() + 600), {})
    )
    model = compile_model(training.goal, fold_data.encoder, [(1.0, fitted.compiled())]).opened()
    names = [column.name for column in model.encoder.columns]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=itertools.count().__next__))
    shares = importance(model, fold_data, held, until=ticks * len(names))
    assert list(shares) == (names if told else [])
    assert sum(shares.values()) == pytest.approx(1 if told else 0)


def test_few_rows_are_measured_first_so_that_many_columns_can_be(monkeypatch: pytest.MonkeyPatch):
    asked: list[int] = []

    def lost(model: Any, _: Any, rows: Rows, *__: Any) -> dict[str, float]:
        asked.append(len(rows))
        return dict.fromkeys(model.encoder.columns, 1.0)

    monkeypatch.setattr(module, "_lost", lost)
    model: Any = SimpleNamespace(encoder=SimpleNamespace(columns=["one", "other"]))
    data: Any = SimpleNamespace(seed=0)
    found = importance(model, data, np.arange(3000), time.monotonic())
    assert found == {"one": 0.5, "other": 0.5}
    assert asked == [50, 200, 2000]
