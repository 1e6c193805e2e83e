"""Answers rows with a compiled model: no data frame, only numpy and ONNX Runtime.

It is loaded by API, replica, scoring and people's own programs, so that a downloaded model gives
the very numbers of the server.
"""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from modelwright_runtime import ARTIFACT
from modelwright_runtime.artifact import Artifact, load_artifact
from modelwright_runtime.columns import CategoryColumn, Column, Features, Problem
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.errors import ModelwrightError, RowError
from modelwright_runtime.explainer import Explainer
from modelwright_runtime.input_validation import find_problem
from modelwright_runtime.input_warnings import warnings_of
from modelwright_runtime.intervals import INTERVAL_LEVEL
from modelwright_runtime.model import Model
from modelwright_runtime.objective import Floats, Objective
from modelwright_runtime.prediction_batch import Prediction, PredictionBatch
from modelwright_runtime.record_fields import COUNT, fields_of

CHUNK_ROWS = 5000
"""Rows of a batch that one thread takes at a time."""
CHUNK_BYTES = 256 << 20
"""Bytes that they may take."""
MIN_BATCH_ROWS = 500
"""So many rows are worth tables of the trees."""
Encoded = tuple[Features, Mapping[str, Any]]
"""A row's features, shape (1, width), and the row itself with its texts read."""
T = TypeVar("T")
INCLUDES = ("probabilities", "explanation", "interval", "warnings")


class Predictor:
    """A loaded artifact. Threads may share one."""

    def __init__(self, artifact: Artifact) -> None:
        self._model, self._artifact = artifact.model.opened(), artifact
        self._explainer: Explainer | None = None
        self._texts = self._model.texts
        self._target = artifact.target
        self._whole = artifact.output_schema[self._target] == "integer"
        self.classes: list[Any] = artifact.classes
        """The values of the target, in class order; empty for a regression."""
        self.input_schema = artifact.input_schema
        self.output_schema = artifact.output_schema
        self.manifest = artifact.manifest
        """The description of the model: schemas, plan, metrics, seed, hashes."""
        self._domains = _domains_in(artifact.manifest)
        self._names = frozenset(column.name for column in self._model.encoder.columns)
        self._nested = frozenset(filter(self._is_nested, self._names))
        self._batches: Model | None = None
        self._making = Lock()
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="predict")

    @classmethod
    def load(cls, path: Path, *, verify_with: Sequence[str] | None = None) -> "Predictor":
        """Loads an artifact.

        Args:
            path: A zip, or a folder that the server keeps its own artifact in, which may be of any
                size.
            verify_with: Public keys of which one must have signed the artifact; without them none
                must.

        Returns:
            The predictor.

        Raises:
            ArtifactError: The artifact is not whole, not ours, or not signed by one of the keys.
        """
        if path.is_dir():
            return cls(
                load_artifact(path / ARTIFACT, sys.maxsize, graphs=False, verify_with=verify_with)
            )
        return cls(load_artifact(path, verify_with=verify_with))

    @property
    def goal(self) -> Objective:
        """The task and how a raw prediction is read."""
        return self._model.goal

    @property
    def encoder(self) -> Encoder:
        """What turns rows into features."""
        return self._model.encoder

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that are read, in the order of the input schema."""
        return self._model.encoder.columns

    def fields(self, row: Any) -> Any:
        """Returns a row with the fields that it would have as a record of an upload.

        Args:
            row: a row as it was sent; what is no object is returned as it is.

        Returns:
            The row itself where it has all fields, else one in which nested records are flat.
        """
        if not isinstance(row, Mapping) or (not self._nested and self._names <= row.keys()):
            return row
        return fields_of(row, self._nested)

    def _is_nested(self, name: str) -> bool:
        """Returns whether a column had lists or objects in training, which are kept as JSON."""
        column = next(one for one in self.columns if one.name == name)
        levels = column.levels if isinstance(column, CategoryColumn) else ()
        are_json = bool(levels) and all(one[:1] in {"[", "{"} for one in levels)
        return are_json or name + COUNT in self._names

    def check(self, row: Mapping[str, object]) -> Problem | None:
        """Returns the first field of a row that is missing or of a wrong type.

        Args:
            row: Values by the names of the input fields.

        Returns:
            What is wrong with it, or None.
        """
        return find_problem(self._model.encoder.columns, row, self._domains)

    def predict(
        self, rows: Sequence[Mapping[str, Any]], *, include: Collection[str] = ()
    ) -> list[dict[str, Any]]:
        """Answers rows in their order, as the server's `predictions` does, of any number.

        Args:
            rows: Rows, each values by the names of the input fields.
            include: What to add to each answer: `probabilities`, `explanation`, `interval`,
                `warnings`.

        Returns:
            For each row `prediction`, and what `include` names.

        Raises:
            ModelwrightError: `include` has an unknown word.
            RowError: A field of a row, the first one, is missing or of a wrong type.
        """
        unknown = [word for word in include if word not in INCLUDES]
        if unknown:
            raise ModelwrightError(f"{unknown[0]!r} is none of {', '.join(INCLUDES)}.")
        rows = [*map(self.fields, rows)]
        for place, row in enumerate(rows):
            self._admit(row, place)
        answers = self.predict_many(rows)
        beside = self.extras_many(rows, answers, include)
        return [
            {"prediction": answer.result, **extras}
            for answer, extras in zip(answers, beside, strict=True)
        ]

    def _admit(self, row: Any, place: int) -> None:
        where = f"row {place} (counted from 0)"
        if not isinstance(row, Mapping):
            message = f"{where}: must be an object of field names and values."
            raise RowError(message, row=place, field=None)
        problem = self.check(row)
        if problem is not None:
            raise RowError(f"{where}: {problem.message}.", row=place, field=problem.field)

    def extras(
        self, row: Mapping[str, Any], prediction: Prediction, include: Collection[str]
    ) -> dict[str, Any]:
        """Returns the members that stand beside an answer when they are asked for.

        Args:
            row: Values by the names of the input fields.
            prediction: The answer to the row.
            include: What to add.

        Returns:
            Members by their name.
        """
        return self.extras_many([row], [prediction], include)[0]

    def extras_many(
        self,
        rows: Sequence[Mapping[str, Any]],
        predictions: Sequence[Prediction],
        include: Collection[str],
    ) -> list[dict[str, Any]]:
        """Returns the members that stand beside answers, each as `extras` does.

        Args:
            rows: Rows, each values by the names of the input fields.
            predictions: The answers to the rows.
            include: What to add.

        Returns:
            Members by their name, for each row.
        """
        found = [self._beside(one, include) for one in predictions]
        if "explanation" in include:
            explanations = self.explain_many(rows, predictions)
            found = [
                {**extras, "explanation": one}
                for extras, one in zip(found, explanations, strict=True)
            ]
        if "warnings" in include:
            for extras, row in zip(found, rows, strict=True):
                extras["warnings"] = warnings_of(self.columns, self._domains, row)
        return found

    def _beside(self, prediction: Prediction, include: Collection[str]) -> dict[str, Any]:
        extras: dict[str, Any] = {}
        if "probabilities" in include:
            pairs = zip(self.classes, prediction.probabilities.tolist(), strict=True)
            extras["probabilities"] = {spelt(value): chance for value, chance in pairs} or None
        if "interval" in include:
            extras["interval"] = self.interval(prediction)
        return extras

    def predict_one(self, row: Mapping[str, Any]) -> Prediction:
        """Answers a row that passed the check.

        Args:
            row: Values by the names of the input fields.

        Returns:
            The answer.
        """
        return self.predictions(self.answer_one(row))[0]

    def answer_one(self, row: Mapping[str, Any]) -> PredictionBatch:
        """Answers a row that passed the check, as arrays of one.

        Args:
            row: Values by the names of the input fields.

        Returns:
            A batch of one.
        """
        read = self._read(row)
        return self.answer_encoded([(self._model.encoder.one(read), read)])

    def encode_plain(self, row: Mapping[str, Any]) -> Encoded | None:
        """Checks and encodes a row in one go; None where `check` must say what is wrong, if any.

        Args:
            row: Values by the names of the input fields.

        Returns:
            Features, shape (1, width), with the row, or None.
        """
        read = self._read(row)
        features = self._model.encoder.plain(read)
        return None if features is None else (features, read)

    def answer_encoded(self, rows: Sequence[Encoded]) -> PredictionBatch:
        """Answers encoded rows, as arrays.

        Args:
            rows: What `encode_plain` gave, one or more.

        Returns:
            A batch.
        """
        features = rows[0][0] if len(rows) == 1 else np.concatenate([one for one, _ in rows])
        return self.answers(self._raw_predictions_of(features, [row for _, row in rows]))

    def _read(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Reads texts whose terms have weights, once for the encoder and for what these add."""
        read = {
            column.name: column.words.read(row[column.name])
            for column, _ in self._texts
            if isinstance(row.get(column.name), str)
        }
        return {**row, **read} if read else row

    def predict_many(self, rows: Sequence[Mapping[str, Any]]) -> list[Prediction]:
        """Answers rows that passed the check as `predict_one` does, but for rounding.

        Args:
            rows: Rows, each values by the names of the input fields.

        Returns:
            Answers in the order of the rows.
        """
        return self.predictions(self.answer_many(rows))

    def answer_many(self, rows: Sequence[Mapping[str, Any]]) -> PredictionBatch:
        """Answers rows that passed the check, as arrays.

        Args:
            rows: Rows, each values by the names of the input fields.

        Returns:
            A batch.
        """
        return self.answers(np.concatenate(self._chunks(rows, self.raw_predictions)))

    def answer_many_plain(self, rows: Sequence[Mapping[str, Any]]) -> PredictionBatch | None:
        """Checks and answers rows in one go; None where `check` must say what is wrong, if any.

        Args:
            rows: Rows, each values by the names of the input fields.

        Returns:
            A batch, or None.
        """

        def raw_predictions(some: Sequence[Mapping[str, Any]]) -> Floats | None:
            read = [*map(self._read, some)]
            features = self._model.encoder.plain_many(read)
            return None if features is None else self._raw_predictions_of(features, read)

        found = self._chunks(rows, raw_predictions)
        found_raw = [one for one in found if one is not None]
        if len(found_raw) < len(found):
            return None
        return self.answers(np.concatenate(found_raw))

    def _chunks(
        self,
        rows: Sequence[Mapping[str, Any]],
        work: Callable[[Sequence[Mapping[str, Any]]], T],
    ) -> list[T]:
        """Has two threads work on rows, so many at a time as there is memory for."""
        step = max(1, min(CHUNK_ROWS, CHUNK_BYTES // self._model_for(len(rows)).bytes_a_row()))
        if len(rows) <= step:
            return [work(rows)]
        return list(
            self._pool.map(work, (rows[at : at + step] for at in range(0, len(rows), step)))
        )

    def raw_predictions(self, rows: Sequence[Mapping[str, Any]]) -> Floats:
        """Returns the raw predictions of rows, shape (n, width).

        Args:
            rows: Rows that passed the check, n of them.

        Returns:
            Raw predictions, float64.
        """
        read = [*map(self._read, rows)]
        return self._raw_predictions_of(self._model.encoder.many(read), read)

    def _raw_predictions_of(self, features: Features, rows: Sequence[Mapping[str, Any]]) -> Floats:
        return self.raw_predictions_of(features, lambda name: [row.get(name) for row in rows])

    def raw_predictions_of(
        self, features: Features, texts: Callable[[str], Sequence[Any]]
    ) -> Floats:
        """Returns the raw predictions of encoded rows, shape (n, width).

        `texts` gives a column of them.

        Args:
            features: Encoded rows, shape (n, features).
            texts: Gives the n texts of a column by its name.

        Returns:
            Raw predictions, float64.
        """
        raw_prediction = self._model_for(len(features)).raw_prediction(features)
        for column, weights in self._texts:
            raw_prediction += column.words.add_up(texts(column.name), weights)
        return raw_prediction

    def _model_for(self, rows: int) -> Model:
        if rows < MIN_BATCH_ROWS:
            return self._model
        with self._making:
            if self._batches is None:
                self._batches = self._model.for_batches()
            return self._batches

    def answers(self, raw_prediction: Floats) -> PredictionBatch:
        """Turns raw predictions into what they say.

        Args:
            raw_prediction: Shape (n, width).

        Returns:
            A batch.
        """
        goal = self._model.goal
        if goal.task == "regression":
            values = goal.scale.inverse(raw_prediction[:, 0])
            told = np.rint(values).astype(np.int64) if self._whole else values
            return PredictionBatch(raw_prediction, told, goal)
        return PredictionBatch(
            raw_prediction, goal.predict_class(raw_prediction, self._artifact.offset), goal
        )

    def ends(self, raw_prediction: Floats) -> tuple[Floats, Floats] | None:
        """Returns both ends of the intervals around raw predictions, each (n,).

        None for a classification.

        Args:
            raw_prediction: Shape (n, 1).

        Returns:
            Low and high ends in the unit of the target, or None.
        """
        if self._artifact.interval is None:
            return None
        scale = self._model.goal.scale
        low, high = self._artifact.interval.around(scale.clip(raw_prediction[:, 0]))
        return scale.inverse(low), scale.inverse(high)

    def interval(self, prediction: Prediction) -> dict[str, float] | None:
        """Returns the range that holds the truth of nine rows in ten; None for a classification.

        Args:
            prediction: An answer.

        Returns:
            `low`, `high` and `level`, or None.
        """
        found = self.ends(prediction.raw_prediction[None])
        if found is None:
            return None
        return {"low": float(found[0][0]), "high": float(found[1][0]), "level": INTERVAL_LEVEL}

    def explain(self, row: Mapping[str, Any], prediction: Prediction) -> dict[str, Any]:
        """Returns what each column adds to the raw prediction of the answer, and the base.

        The raw prediction is the log-odds of the second class, the score of the class that was
        named, or the value itself (its log1p where that was learnt).

        Args:
            row: Values by the names of the input fields.
            prediction: The answer to the row.

        Returns:
            `base`, the share of each column, and the raw prediction they add up to.
        """
        return self.explain_many([row], [prediction])[0]

    def explain_many(
        self, rows: Sequence[Mapping[str, Any]], predictions: Sequence[Prediction]
    ) -> list[dict[str, Any]]:
        """Explains the answers of rows, each as `explain` does.

        Args:
            rows: Rows, each values by the names of the input fields.
            predictions: The answers to the rows.

        Returns:
            For each row what `explain` gives.
        """
        if self._explainer is None:
            self._explainer = Explainer(self._model)
        places = [0] * len(rows)
        if self._model.goal.task == "multiclass":
            places = [self.classes.index(one.result[self._target]) for one in predictions]
        raw_predictions = [
            one.raw_prediction[place] for one, place in zip(predictions, places, strict=True)
        ]
        return self._explainer.tell(rows, places, raw_predictions, self.classes)

    def results(self, answers: PredictionBatch) -> list[dict[str, Any]]:
        """Returns what matches the output schema, answer by answer.

        Args:
            answers: Answers to n rows.

        Returns:
            For each row the target's name with its value.
        """
        target, told, classes = self._target, answers.told.tolist(), self.classes
        if classes:
            return [{target: classes[place]} for place in told]
        return [{target: value} for value in told]

    def predictions(self, answers: PredictionBatch) -> list[Prediction]:
        """Returns answers one by one.

        Args:
            answers: Answers to n rows.

        Returns:
            For each row its answer.
        """
        parts = self.results(answers), answers.raw_prediction, answers.probabilities
        return list(map(Prediction, *parts))


def load(path: Path | str, *, verify_with: str | Sequence[str] | None = None) -> Predictor:
    """Loads a downloaded model.

    ```
    model = modelwright_client.load("churn-v1.0.zip")
    model.predict([{"age": 41, "plan": "pro"}], include=["probabilities"])
    ```

    Args:
        path: The zip.
        verify_with: The public key of the server that must have signed it, or several of which one
            must.

    Returns:
        What predicts.

    Raises:
        ArtifactError: The file is not a model, was changed, or is not signed by one of the keys.
    """
    keys = [verify_with] if isinstance(verify_with, str) else verify_with
    return Predictor.load(Path(path), verify_with=keys)


def spelt(value: Any) -> str:
    """Spells a class as a member's name: `true` for a boolean, as JSON does.

    Args:
        value: A class as JSON has it.

    Returns:
        A text.
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def _domains_in(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """Finds what training had; a manifest may come from anybody, and older ones lack it."""
    report = manifest.get("report")
    domains = report.get("inputs") if isinstance(report, Mapping) else None
    return domains if isinstance(domains, Mapping) else {}
