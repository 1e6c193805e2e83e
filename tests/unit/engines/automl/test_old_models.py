"""Artifacts of every older format answer as they did when they were built, to the last bit.

`old_models` holds models of a few trees that version 0.1.0 built, and blends of all families, each
with rows and the answers that it gave then: alone, together, and in a batch of 600. What
importance their columns had then is in `importance.json`.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from modelwright.engines.automl.artifact import Artifact, save
from modelwright.engines.automl.estimators.fold_data import FoldData
from modelwright.engines.automl.reporting.importance import importance
from modelwright_runtime import FORMAT
from modelwright_runtime.archive import read_arrays, read_zip
from modelwright_runtime.artifact import load_artifact
from modelwright_runtime.columns import TextColumn
from modelwright_runtime.model import Model
from modelwright_runtime.predictor import Predictor, load

OLD = Path(__file__).parent / "old_models"
NAMES = sorted(path.stem for path in OLD.glob("*.zip"))
READ_AS_ONE_BATCH = 600
ANSWERS = ("target", "type", "classes", "offset", "interval")
"""What `model.json` says of answers, beside the model itself."""


@pytest.fixture(params=NAMES)
def old(request: pytest.FixtureRequest) -> tuple[Predictor, dict[str, Any]]:
    """Gives an old model with the rows and answers that were recorded of it."""
    told = json.loads((OLD / f"{request.param}.json").read_text(encoding="utf-8"))
    return load(OLD / f"{request.param}.zip"), told


@pytest.fixture(params=NAMES)
def path(request: pytest.FixtureRequest) -> Path:
    """Gives the artifact of an old model."""
    return OLD / f"{request.param}.zip"


def test_holds_a_model_of_every_format_that_was_written():
    formats = {
        json.loads((OLD / f"{name}.json").read_text(encoding="utf-8"))["format"] for name in NAMES
    }
    assert formats == {2, 4, 5, 6, 7, 8, 9, 10, 11}
    assert max(formats) <= FORMAT


class TestPredict:
    def test_answers_and_explains_rows_together_as_before(self, old: tuple[Predictor, Any]):
        model, told = old
        include = [*_beside(model), "explanation"]
        assert model.predict(told["rows"], include=include) == told["answers"]

    def test_answers_and_explains_a_row_alone_as_before(self, old: tuple[Predictor, Any]):
        model, told = old
        include = [*_beside(model), "explanation"]
        answers = [model.predict([row], include=include)[0] for row in told["rows"]]
        assert answers[: len(told["alone"])] == told["alone"]

    def test_answers_a_batch_as_before(self, old: tuple[Predictor, Any]):
        model, told = old
        rows = told["rows"] * (READ_AS_ONE_BATCH // len(told["rows"]))
        answers = model.predict(rows, include=_beside(model))
        assert answers[: len(told["batch"])] == told["batch"]


class TestImportance:
    def test_is_as_before(self, path: Path):
        model, told = load_artifact(path).model.opened(), _recorded(path)
        recorded = json.loads((OLD / "importance.json").read_text("utf-8"))
        data = _fold_data(model, told["rows"])
        found = importance(model, data, np.arange(len(told["rows"])), np.inf)
        assert found == recorded[path.stem]
        assert sum(found.values()) == pytest.approx(1)


class TestSave:
    def test_writes_what_was_read(self, path: Path, tmp_path: Path):
        """The same columns, arrays, graphs and format, under the same names."""
        artifact = load_artifact(path)
        before = _content(path)
        answers = {name: before["model.json"][name] for name in ANSWERS}
        save(tmp_path, Artifact(artifact.model, answers, {}, {}))
        after = _content(tmp_path / "model.zip")
        assert after.pop("manifest.json")["format"] == before.pop("manifest.json")["format"]
        assert after == before


def _recorded(path: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return told


def _fold_data(model: Model, rows: list[dict[str, Any]]) -> FoldData:
    """Gives rows as importance sees them, and for a target what the model answers."""
    goal, encoder = model.goal, model.encoder
    features, texts = encoder.many(rows), []
    for column in encoder.columns:
        if isinstance(column, TextColumn):
            weights = np.zeros((len(rows), len(column.words.index)))
            for own, row in zip(weights, rows, strict=True):
                read = column.words.read(row[column.name])
                own[read.places] = read.weights
            texts.append(weights)
    terms = sparse.csr_matrix(np.concatenate(texts, axis=1)) if texts else None
    raw, y = model.raw_prediction(features), np.zeros(0)
    if goal.task == "regression":
        y = goal.scale.inverse(raw[:, 0])
    else:
        y = goal.predict_class(raw, np.zeros(goal.classes)).astype(np.float64)
    return FoldData(goal, encoder, (), features, terms, y, y, seed=7, threads=1)


def _content(path: Path) -> dict[str, Any]:
    """Reads the members of an artifact: JSON, arrays by name, type, shape and bytes, graphs."""
    found: dict[str, Any] = {}
    for name, content in read_zip(path, sys.maxsize).items():
        if name.endswith(".json"):
            found[name] = json.loads(content)
        elif name.endswith(".npz"):
            arrays = read_arrays(content, sys.maxsize)
            found[name] = {
                one: (array.dtype.str, array.shape, array.tobytes())
                for one, array in arrays.items()
            }
        else:
            found[name] = content
    return found


def _beside(model: Predictor) -> list[str]:
    return ["interval"] if model.goal.task == "regression" else ["probabilities"]
