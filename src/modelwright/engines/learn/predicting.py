"""Answers rows with a compiled model: no data frame, only numpy and ONNX Runtime."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from modelwright.engines.learn.artifact import load
from modelwright.engines.learn.checking import find_problem
from modelwright.engines.learn.columns import Column, Encoder, Problem, Slots
from modelwright.engines.learn.decisions import chosen
from modelwright.engines.learn.explainer import Explainer
from modelwright.engines.learn.goals import Floats, Goal
from modelwright.engines.learn.intervals import LEVEL, Interval
from modelwright.engines.learn.model import Model

CHUNK = 2500
"""Rows of a batch that one thread takes at a time."""


class Prediction(NamedTuple):
    """One answer: `result` matches the output schema exactly."""

    result: dict[str, Any]
    link: Floats
    """The model's link, shape (width,)."""
    chances: Floats
    """The probability of each class in class order; empty for a regression."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Many answers as arrays, in the order of the rows."""

    link: Floats
    """Shape (n, width)."""
    chances: Floats
    """The probability of each class, shape (n, classes); (n, 0) for a regression."""
    told: NDArray[Any]
    """The number of the class that is named, shape (n,); for a regression the value."""


class Predictor:
    """A loaded artifact. Threads may share one."""

    def __init__(self, model: Model, about: Mapping[str, Any], trees: bytes) -> None:
        self._model, self._trees = model, trees
        self._explainer: Explainer | None = None
        self._texts = model.texts()
        self._target = str(about["target"])
        self._whole = about["result"]["output_schema"][self._target] == "integer"
        self._offset = np.array(about["offset"])
        held = about["interval"]
        self._interval = Interval.from_json(held) if held else None
        self.about = about
        self.classes: list[Any] = about["classes"]
        """The values of the target, in class order; empty for a regression."""
        self.input_schema: dict[str, str] = about["result"]["input_schema"]
        self.output_schema: dict[str, str] = about["result"]["output_schema"]
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="predict")
        model.warm()

    @classmethod
    def load(cls, folder: Path) -> "Predictor":
        """Loads an artifact folder; refuses one that is not whole or of another format."""
        artifact = load(folder)
        return cls(artifact.model, artifact.about, artifact.trees)

    @property
    def goal(self) -> Goal:
        """The task and how a link is read."""
        return self._model.goal

    @property
    def encoder(self) -> Encoder:
        """What turns rows into slots."""
        return self._model.encoder

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that are read, in the order of the input schema."""
        return self._model.encoder.columns

    def check(self, row: Mapping[str, object]) -> Problem | None:
        """Gives the first field of a row that is missing or of a wrong type."""
        return find_problem(self._model.encoder.columns, row)

    def predict_one(self, row: Mapping[str, Any]) -> Prediction:
        """Answers a row that passed the check."""
        return self.predictions(self.answer_one(row))[0]

    def answer_one(self, row: Mapping[str, Any]) -> Answers:
        """Answers a row that passed the check, as arrays of one."""
        link = self._model.link(self._model.encoder.one(row))
        for column, first in self._texts:
            link = link + self._model.terms(column, first, [row.get(column.name)])
        return self.answers(link)

    def predict_many(self, rows: Sequence[Mapping[str, Any]]) -> list[Prediction]:
        """Answers rows that passed the check, with the numbers `predict_one` gives."""
        return self.predictions(self.answer_many(rows))

    def answer_many(self, rows: Sequence[Mapping[str, Any]]) -> Answers:
        """Answers rows that passed the check, as arrays."""
        chunks = [rows[at : at + CHUNK] for at in range(0, len(rows), CHUNK)]
        if len(chunks) < 2:  # noqa: PLR2004 - one chunk needs no second thread
            link = self.links(rows) if chunks else np.zeros((0, self._model.goal.width))
            return self.answers(link)
        return self.answers(np.concatenate(list(self._pool.map(self.links, chunks))))

    def links(self, rows: Sequence[Mapping[str, Any]]) -> Floats:
        """Gives the links of rows, shape (n, width)."""
        return self.links_of(
            self._model.encoder.many(rows), lambda name: [row.get(name) for row in rows]
        )

    def links_of(self, slots: Slots, texts: Callable[[str], Sequence[Any]]) -> Floats:
        """Gives the links of encoded rows, shape (n, width); `texts` gives a column of them."""
        link = self._model.link(slots)
        for column, first in self._texts:
            link = link + self._model.terms(column, first, texts(column.name))
        return link

    def answers(self, link: Floats) -> Answers:
        """Turns links into what they say."""
        goal = self._model.goal
        if goal.task == "regression":
            values = goal.scale.back(link[:, 0])
            told = np.rint(values).astype(np.int64) if self._whole else values
            return Answers(link, np.zeros((len(link), 0)), told)
        return Answers(link, goal.probabilities(link), chosen(goal, link, self._offset))

    def ends(self, link: Floats) -> tuple[Floats, Floats] | None:
        """Gives both ends of the intervals around links, each (n,); None for a classification."""
        if self._interval is None:
            return None
        low, high = self._interval.around(link[:, 0])
        return self._model.goal.scale.back(low), self._model.goal.scale.back(high)

    def interval(self, prediction: Prediction) -> dict[str, float] | None:
        """Gives the range that holds the truth of nine rows in ten; None for a classification."""
        found = self.ends(prediction.link[None])
        if found is None:
            return None
        return {"low": float(found[0][0]), "high": float(found[1][0]), "level": LEVEL}

    def explain(self, row: Mapping[str, Any], prediction: Prediction) -> dict[str, Any]:
        """Gives what each column adds to the link of the answer, and the base they add to.

        The link is the log-odds of the second class, the score of the class that was named, or
        the value itself (its log1p where that was learnt).
        """
        if self._explainer is None:
            self._explainer = Explainer(self._model, self._trees, self.about["centre"])
        found, goal = self._explainer.explain(row), self._model.goal
        place = 0
        if goal.task == "multiclass":
            place = self.classes.index(prediction.result[self._target])
        factor = goal.scale.spread if goal.task == "regression" else 1.0
        shift = goal.scale.mean if goal.task == "regression" else 0.0
        value = (goal.scale.log and "log1p(value)") or "value"
        return {
            "link": {"binary": "log_odds", "multiclass": "score"}.get(goal.task, value),
            "of": None if goal.task == "regression" else self.classes[place or -1],
            "base": float(found.base[place] * factor + shift),
            "contributions": dict(
                zip(self._explainer.names, (found.parts[:, place] * factor).tolist(), strict=True)
            ),
            "sum": float(prediction.link[place] * factor + shift),
        }

    def predictions(self, answers: Answers) -> list[Prediction]:
        """Gives answers one by one."""
        target, told = self._target, answers.told.tolist()
        if self.classes:
            told = [self.classes[place] for place in told]
        return [
            Prediction({target: value}, link, chances)
            for value, link, chances in zip(told, answers.link, answers.chances, strict=True)
        ]
