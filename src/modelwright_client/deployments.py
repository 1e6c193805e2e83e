"""Versions put to work, and taken down."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from modelwright_client._http import Calls, given, path
from modelwright_client.types import (
    BatchItem,
    DeploymentDetail,
    Prediction,
    Undeployed,
)
from modelwright_client.types import DeploymentList as DeploymentPage

Environment = Literal["production", "staging", "development"]


class Deployments:
    """Verbs of the deployments room."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def deploy(
        self,
        model_name: str,
        *,
        model_version: str | None = None,
        environment: Environment | None = None,
        replicas: int | None = None,
        auto_scale: bool | None = None,
    ) -> DeploymentDetail:
        """Starts replicas of a version, the newest `READY` one unless named."""
        body = {
            "model_version": model_version,
            "environment": environment,
            "replicas": replicas,
            "auto_scale": auto_scale,
        }
        return self._calls.post(path("models", model_name, "deploy"), DeploymentDetail, given(body))

    def list(
        self, model_name: str, *, limit: int | None = None, offset: int | None = None
    ) -> DeploymentPage:
        """Lists a model's deployments, newest first."""
        query = {"limit": limit, "offset": offset}
        return self._calls.get(path("models", model_name, "deployments"), DeploymentPage, query)

    def undeploy(self, model_name: str, deployment_id: str) -> Undeployed:
        """Takes a deployment down."""
        return self._calls.delete(
            path("models", model_name, "deployments", deployment_id), Undeployed
        )

    def infer(self, deployment_id: str, row: Mapping[str, Any]) -> Prediction:
        """Predicts one row with a deployment's replicas."""
        return self._calls.ask(path("predict", deployment_id), Prediction, dict(row))

    def many(self, deployment_id: str, rows: Sequence[Mapping[str, Any]]) -> Sequence[BatchItem]:
        """Predicts rows with a deployment's replicas."""
        body = [dict(row) for row in rows]
        return self._calls.ask(path("predict", deployment_id), list[BatchItem], body)
