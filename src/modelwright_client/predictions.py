"""Predictions of a version: one, or many at once."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.arguments import checked_row, checked_rows, refuse_misread
from modelwright_client.types import BatchItem, Prediction, ScoringStarted

Row = Mapping[str, Any]
"""Field name to value, as the version's `input_schema` names and types them."""
Extra = Literal["probabilities", "explanation", "interval", "warnings"]

MOST_ROWS = 10_000
"""As many rows a single call of `many` takes."""


class Predictions(Resource):
    """Predictions of a version."""

    def infer(
        self, model_name: str, model_version: str, row: Row, *, include: Sequence[Extra] = ()
    ) -> Prediction:
        """Predicts one row; refused with `ConflictError` while the version is not `READY`.

        Args:
            model_name: Name of the model.
            model_version: Version of it, such as `v1.2`.
            row: Values by the names of the input fields.
            include: What to add: `probabilities`, `explanation`, `interval`, `warnings`.

        Returns:
            The prediction with its `request_id`, and what `include` asked for.
        """
        where = path("models", model_name, model_version, "infer")
        return self._calls.ask(where, Prediction, checked_row(row), _query(include))

    def many(
        self,
        model_name: str,
        model_version: str,
        rows: Sequence[Row],
        *,
        include: Sequence[Extra] = (),
        errors: Literal["request", "rows"] | None = None,
    ) -> list[BatchItem]:
        """Predicts rows in their order; refuses more than `MOST_ROWS` with `ValidationError`.

        With `errors="rows"` a row that does not fit has `prediction` None and its `error`.

        Args:
            model_name: Name of the model.
            model_version: Version of it, such as `v1.2`.
            rows: Rows, each values by the names of the input fields.
            include: What to add: `probabilities`, `explanation`, `interval`, `warnings`.
            errors: `rows` answers a row that does not fit by its error; else all are refused.

        Returns:
            A prediction, or an error, for each row in their order.
        """
        where = path("models", model_name, model_version, "predictions")
        body = checked_rows(rows)
        query = {**_query(include), "errors": errors}
        return self._calls.ask(where, list[BatchItem], body, query)

    def score(
        self,
        model_name: str,
        model_version: str,
        upload_id: str,
        *,
        format: Literal["csv", "json", "parquet"] | None = None,  # noqa: A002 - the API's word
        include: Sequence[Extra] = (),
    ) -> ScoringStarted:
        """Starts the prediction of every row of an upload; `exports.wait` gives the files.

        Refused with `ValidationError` when a file lacks a column that the model needs.

        Args:
            model_name: Name of the model.
            model_version: Version of it, such as `v1.2`.
            upload_id: Id of the upload.
            format: csv, json or parquet; else that of each file.
            include: What to add: `probabilities`, `explanation`, `interval`, `warnings`.

        Returns:
            The job, and the export that its files become.
        """
        refuse_misread("include", include, Sequence[Extra])
        body = drop_none({"upload_id": upload_id, "format": format, "include": list(include)})
        where = path("models", model_name, model_version, "score")
        return self._calls.post(where, ScoringStarted, body)


def _query(include: Sequence[Extra]) -> Mapping[str, str | None]:
    refuse_misread("include", include, Sequence[Extra])
    return {"include": ",".join(include) or None}
