"""A family of models that this file alone knows: trained, kept, loaded, explained, exported."""

import json
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import onnx
import onnxruntime
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from pyarrow import parquet
from tests.unit.engines.automl.conftest import build, labelled, rows_of

import modelwright_client
from modelwright.engines.automl.estimators.estimator import FitRequest
from modelwright.engines.automl.estimators.families import FAMILIES
from modelwright.engines.automl.estimators.family import Entry, Family
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright.engines.automl.estimators.fold_data import Rows
from modelwright.engines.automl.fitting import Result
from modelwright.engines.automl.search.fit_messages import decode, encode
from modelwright_client.errors import ArtifactError
from modelwright_runtime import FORMAT
from modelwright_runtime.archive import Arrays
from modelwright_runtime.components.component import KINDS, Component, Json
from modelwright_runtime.components.evaluation import EncodedRows, Evaluator, ExplainedRows
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.objective import Objective
from modelwright_runtime.predictor import Predictor

Floats = NDArray[np.float64]
ROUNDING = 1e-6
"""How far sums of large features are off when they are taken in another order."""


@dataclass(frozen=True, slots=True, eq=False)
class StraightLine(Component):
    """raw prediction = bias + features @ weights, where a gap counts as 0."""

    weights: Floats
    """Shape (features, outputs)."""
    bias: Floats
    kind: ClassVar[str] = "straight_line"

    def evaluator(self, goal: Objective, encoder: Encoder) -> Evaluator:
        def add(rows: EncodedRows, total: Floats) -> None:
            total += np.nan_to_num(rows.features) @ self.weights + self.bias

        return Evaluator(add)

    def contributions(self, rows: ExplainedRows, parts: Floats) -> Floats:
        added = np.nan_to_num(rows.features)[:, :, None] * self.weights
        for feature, owner in enumerate(rows.owners.tolist()):
            parts[:, owner] += added[:, feature]
        return self.bias

    def scaled(self, weight: float) -> Self:
        return replace(self, weights=self.weights * weight, bias=self.bias * weight)

    def graphs(self, goal: Objective, encoder: Encoder, place: int) -> dict[str, bytes]:
        constants = {"none": np.zeros(1), "weights": self.weights, "bias": self.bias}
        ends = [
            helper.make_tensor_value_info(name, TensorProto.DOUBLE, [None, width])
            for name, width in (("x", len(self.weights)), ("y", len(self.bias)))
        ]
        nodes = [
            helper.make_node("IsNaN", ["x"], ["gap"]),
            helper.make_node("Where", ["gap", "none", "x"], ["known"]),
            helper.make_node("MatMul", ["known", "weights"], ["product"]),
            helper.make_node("Add", ["product", "bias"], ["y"]),
        ]
        held = [numpy_helper.from_array(one, name) for name, one in constants.items()]
        graph = helper.make_graph(nodes, self.kind, ends[:1], ends[1:], held)
        opset = helper.make_opsetid("", 20)
        model = helper.make_model(graph, opset_imports=[opset], ir_version=10)
        return {f"{self.kind}{place}.onnx": model.SerializeToString(deterministic=True)}

    def to_arrays(self) -> tuple[Json, Arrays]:
        return {}, {"weights": self.weights, "bias": self.bias}

    @classmethod
    def from_arrays(cls, document: Json, arrays: Arrays, goal: Objective, encoder: Encoder) -> Self:
        found: dict[str, Any] = {name: arrays[name] for name in ("weights", "bias")}
        if found["weights"].shape != (encoder.width, goal.width):
            raise ValueError("the weights of a straight line do not fit the features")
        return cls(**found)


def fit_straight_line(request: FitRequest) -> FittedModel:
    """Fits by least squares."""
    data, train = request.data, request.train

    def inputs(rows: Rows) -> Floats:
        known = np.nan_to_num(data.features[rows].astype(np.float64))
        return np.concatenate([known, np.ones((len(rows), 1))], axis=1)

    found: Any = np.linalg.lstsq(inputs(train), data.target[train][:, None])[0]
    component = StraightLine(found[:-1].copy(), found[-1].copy())
    base = np.zeros(data.goal.width)
    return FittedModel(
        1,
        lambda rows: inputs(rows) @ found,
        lambda: CompiledModel(base, (component,)),
        Latency(1.0, 0.1),
    )


@pytest.fixture
def family(monkeypatch: pytest.MonkeyPatch) -> Family:
    """Registers the family for one test, before all others in the race."""
    made = Family("Straight", fit_straight_line, lambda _: [Entry(1, "Straight line")])
    monkeypatch.setitem(FAMILIES, made.name, made)
    monkeypatch.setitem(KINDS, StraightLine.kind, StraightLine)
    return made


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.parquet"
    columns = labelled("regression")
    columns.pop("said")
    parquet.write_table(pa.table(columns), path)
    return path


@pytest.fixture
def result(family: Family, table: Path, tmp_path: Path) -> Result:
    """Trains with one candidate, which is the one of the new family."""
    del family
    return build(table, tmp_path / "model", max_iterations=1)


def answers_of(model: Predictor, table: Path) -> list[dict[str, Any]]:
    return model.predict(rows_of(table, 20), include=["explanation", "interval"])


class TestFamily:
    def test_trains_and_is_measured(self, result: Result):
        assert "Straight line" in result.algorithm
        assert result.metrics["better_than_baseline"]
        assert sum(result.feature_importance.values()) == pytest.approx(1)

    def test_is_kept_and_answers_as_it_was_fitted(
        self, result: Result, table: Path, tmp_path: Path
    ):
        model, rows = Predictor.load(tmp_path / "model"), rows_of(table, 600)
        assert model.manifest["format"] == FORMAT
        features = np.nan_to_num(model.encoder.many(rows).astype(np.float64))
        (component,) = model._model.components
        assert isinstance(component, StraightLine)
        wanted = features @ component.weights + component.bias + model._model.base
        alone = np.concatenate([model.raw_predictions([row]) for row in rows[:20]])
        assert np.allclose(alone, wanted[:20], rtol=0, atol=ROUNDING)
        assert np.allclose(model.raw_predictions(rows), wanted, rtol=0, atol=ROUNDING)
        assert result.dataset_size == len(rows)

    def test_is_explained(self, result: Result, table: Path, tmp_path: Path):
        for answer in answers_of(Predictor.load(tmp_path / "model"), table):
            told = answer["explanation"]
            assert any(told["contributions"].values())
            parts = told["base"] + sum(told["contributions"].values())
            assert parts == pytest.approx(told["sum"])
        assert result.input_schema.keys() == told["contributions"].keys()

    def test_is_exported_as_a_zip_and_as_a_graph(self, result: Result, table: Path, tmp_path: Path):
        path = tmp_path / "model" / "model.zip"
        exported = modelwright_client.load(path)
        assert answers_of(exported, table) == answers_of(Predictor.load(tmp_path / "model"), table)
        with zipfile.ZipFile(path) as held:
            graph = held.read("straight_line0.onnx")
            (told,) = json.loads(held.read("model.json"))["components"]
        assert told == {"kind": "straight_line"}
        onnx.checker.check_model(onnx.load_model_from_string(graph))
        rows = rows_of(table, 20)
        features = exported.encoder.many(rows).astype(np.float64)
        (given,) = onnxruntime.InferenceSession(graph).run(["y"], {"x": features})
        wanted = exported.raw_predictions(rows) - exported._model.base
        assert np.allclose(given, wanted, rtol=0, atol=ROUNDING)
        assert result.report["libraries"]

    def test_of_a_kind_that_is_not_known_is_refused(
        self, result: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.delitem(KINDS, StraightLine.kind)
        with pytest.raises(ArtifactError, match="kind 'straight_line', which this version does"):
            modelwright_client.load(tmp_path / "model" / "model.zip")
        assert result.algorithm

    def test_is_sent_between_processes(self, family: Family):
        line = StraightLine(np.ones((3, 1)), np.zeros(1))
        model, fit = decode(encode((CompiledModel(np.zeros(1), (line,)), family.fit)))
        (found,) = model.components
        assert np.array_equal(found.weights, line.weights)
        assert fit is fit_straight_line

    def test_of_a_library_that_is_not_installed_does_not_race(
        self, family: Family, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        missing = replace(family, modules=("a_library_that_nobody_has",))
        monkeypatch.setitem(FAMILIES, family.name, missing)
        found = build(table, tmp_path / "model", max_iterations=1)
        assert [one["name"] for one in found.report["race"]] == ["Constant", "LightGBM"]
