"""Deployments of versions.

A deployment answers from replicas of its own, on addresses of its id; where the version may change,
`endpoints` has the address that stays.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.arguments import checked_row, checked_rows
from modelwright_client.types import BatchItem, DeploymentDetail, Prediction, Undeployed
from modelwright_client.types import DeploymentList as DeploymentPage

Environment = Literal["production", "staging", "development"]


class Deployments(Resource):
    """Deployments of versions."""

    def deploy(
        self,
        model_name: str,
        *,
        model_version: str | None = None,
        environment: Environment | None = None,
        replicas: int | None = None,
        auto_scale: bool | None = None,
    ) -> DeploymentDetail:
        """Starts replicas of a version, the newest `READY` one unless named.

        Args:
            model_name: Name of the model.
            model_version: The version; else the newest `READY` one.
            environment: production, staging or development.
            replicas: How many processes answer.
            auto_scale: Whether to add and take away replicas as requests come.

        Returns:
            The deployment, still starting; `list` tells when it is running.
        """
        body = {
            "model_version": model_version,
            "environment": environment,
            "replicas": replicas,
            "auto_scale": auto_scale,
        }
        return self._calls.post(
            path("models", model_name, "deploy"), DeploymentDetail, drop_none(body)
        )

    def list(
        self, model_name: str, *, limit: int | None = None, offset: int | None = None
    ) -> DeploymentPage:
        """Lists a model's deployments, newest first.

        Args:
            model_name: Name of the model.
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of deployments with their status and replicas.
        """
        query = {"limit": limit, "offset": offset}
        return self._calls.get(path("models", model_name, "deployments"), DeploymentPage, query)

    def undeploy(self, model_name: str, deployment_id: str) -> Undeployed:
        """Takes a deployment down.

        Args:
            model_name: Name of the model.
            deployment_id: Id of the deployment.

        Returns:
            The id of what was taken down.
        """
        return self._calls.delete(
            path("models", model_name, "deployments", deployment_id), Undeployed
        )

    def infer(self, deployment_id: str, row: Mapping[str, Any]) -> Prediction:
        """Predicts one row with a deployment's replicas.

        Args:
            deployment_id: Id of the deployment.
            row: Values by the names of the input fields.

        Returns:
            The prediction with its `request_id`.
        """
        return self._calls.ask(path("predict", deployment_id), Prediction, checked_row(row))

    def many(self, deployment_id: str, rows: Sequence[Mapping[str, Any]]) -> Sequence[BatchItem]:
        """Predicts rows with a deployment's replicas.

        Args:
            deployment_id: Id of the deployment.
            rows: Rows, each values by the names of the input fields.

        Returns:
            A prediction, or an error, for each row in their order.
        """
        body = checked_rows(rows)
        return self._calls.ask(path("predict", deployment_id), list[BatchItem], body)
