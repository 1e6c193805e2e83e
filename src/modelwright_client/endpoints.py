"""Stable addresses of models: which version is in service, moved at once and back.

Callers who name an environment in place of a version need no change when another one is promoted.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from modelwright_client._http import Resource, path
from modelwright_client.arguments import checked_row, checked_rows, refuse_misread
from modelwright_client.deployments import Environment
from modelwright_client.predictions import Extra
from modelwright_client.types import (
    EndpointBatchItem,
    EndpointDetail,
    EndpointHistory,
    EndpointList,
    Prediction,
)


class Endpoints(Resource):
    """Stable addresses of models: which version is in service, moved at once and back."""

    def list(
        self, model_name: str, *, limit: int | None = None, offset: int | None = None
    ) -> EndpointList:
        """Lists a model's endpoints, production first.

        Args:
            model_name: Name of the model.
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            The version in service in each environment.
        """
        query = {"limit": limit, "offset": offset}
        return self._calls.get(path("models", model_name, "endpoints"), EndpointList, query)

    def read(self, model_name: str, *, environment: Environment = "production") -> EndpointDetail:
        """Tells which version is in service, since when, and where it answers.

        Args:
            model_name: Name of the model.
            environment: production, staging or development.

        Returns:
            The endpoint.
        """
        return self._calls.get(_path(model_name, environment), EndpointDetail)

    def history(
        self,
        model_name: str,
        *,
        environment: Environment = "production",
        limit: int | None = None,
        offset: int | None = None,
    ) -> EndpointHistory:
        """Lists which version was in service from when to when, newest first.

        Args:
            model_name: Name of the model.
            environment: production, staging or development.
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of times with their version, and who put it in service.
        """
        query = {"limit": limit, "offset": offset}
        return self._calls.get(_path(model_name, environment, "history"), EndpointHistory, query)

    def promote(
        self, model_name: str, model_version: str, *, environment: Environment = "production"
    ) -> EndpointDetail:
        """Puts a version in service at once; refused with `ConflictError` unless it is `READY`.

        Args:
            model_name: Name of the model.
            model_version: The version that is to answer, such as `v1.2`.
            environment: production, staging or development.

        Returns:
            The endpoint with that version.
        """
        body = {"model_version": model_version}
        return self._calls.patch(_path(model_name, environment), EndpointDetail, body)

    def rollback(
        self, model_name: str, *, environment: Environment = "production"
    ) -> EndpointDetail:
        """Puts the version before in service again; `ConflictError` where there was none.

        Args:
            model_name: Name of the model.
            environment: production, staging or development.

        Returns:
            The endpoint with that version.
        """
        return self._calls.post(_path(model_name, environment, "rollback"), EndpointDetail)

    def infer(
        self,
        model_name: str,
        row: Mapping[str, Any],
        *,
        environment: Environment | None = None,
        include: Sequence[Extra] = (),
    ) -> Prediction:
        """Predicts one row with the version in service.

        Args:
            model_name: Name of the model.
            row: Values by the names of the input fields.
            environment: production, staging or development; else production.
            include: What to add: `probabilities`, `explanation`, `interval`, `warnings`.

        Returns:
            The prediction with its `model_version`, and what `include` asked for.
        """
        query = _query(environment, include)
        return self._calls.ask(
            path("models", model_name, "infer"), Prediction, checked_row(row), query
        )

    def many(
        self,
        model_name: str,
        rows: Sequence[Mapping[str, Any]],
        *,
        environment: Environment | None = None,
        include: Sequence[Extra] = (),
        errors: Literal["request", "rows"] | None = None,
    ) -> Sequence[EndpointBatchItem]:
        """Predicts rows in their order with the version in service.

        Args:
            model_name: Name of the model.
            rows: Rows, each values by the names of the input fields.
            environment: production, staging or development; else production.
            include: What to add: `probabilities`, `explanation`, `interval`, `warnings`.
            errors: `rows` answers a row that does not fit by its error; else all are refused.

        Returns:
            A prediction with its `model_version`, or an error, for each row in their order.
        """
        query = _query(environment, include) | {"errors": errors}
        where, body = path("models", model_name, "predictions"), checked_rows(rows)
        return self._calls.ask(where, list[EndpointBatchItem], body, query)


def _path(model_name: str, environment: str, *more: str) -> str:
    return path("models", model_name, "endpoints", environment, *more)


def _query(environment: str | None, include: Sequence[Extra]) -> dict[str, str | None]:
    refuse_misread("include", include, Sequence[Extra])
    return {"environment": environment, "include": ",".join(include) or None}
