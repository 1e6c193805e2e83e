"""Artifacts of every older format answer as they did when they were built, to the last bit.

`old_models` holds models of a few trees that version 0.1.0 built, each with rows and the answers
that it gave then: alone, together, and in a batch of 600.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from modelwright_runtime import FORMAT
from modelwright_runtime.predictor import Predictor, load

OLD = Path(__file__).parent / "old_models"
NAMES = sorted(path.stem for path in OLD.glob("*.zip"))
READ_AS_ONE_BATCH = 600


@pytest.fixture(params=NAMES)
def old(request: pytest.FixtureRequest) -> tuple[Predictor, dict[str, Any]]:
    """Gives an old model with the rows and answers that were recorded of it."""
    told = json.loads((OLD / f"{request.param}.json").read_text(encoding="utf-8"))
    return load(OLD / f"{request.param}.zip"), told


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


def _beside(model: Predictor) -> list[str]:
    return ["interval"] if model.goal.task == "regression" else ["probabilities"]
