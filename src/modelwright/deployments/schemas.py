"""Request and response bodies of deployments."""

from typing import Annotated, Literal

from pydantic import Field

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import RequestBody, ResponseBody, Text, Timestamp
from modelwright.core.limits.contract import LIMITS
from modelwright.deployments.domain import DeploymentInfo, Environment, Status


class Deploy(RequestBody):
    """Deploys a version."""

    environment: Environment = "production"
    replicas: Annotated[int, Field(ge=1, le=LIMITS.replicas_max)] = 1
    """Number of processes that answer; with `auto_scale` the maximum."""
    auto_scale: bool = True
    """Whether the number of replicas follows the load."""
    model_version: Text | None = None
    """The version to deploy; the newest READY one by default."""


class DeploymentDetail(ResponseBody):
    """A deployed version."""

    deployment_id: str
    model_name: str
    model_version: str
    version_id: str
    version: int
    status: Status
    endpoint: str
    """Where it answers."""
    environment: Environment
    replicas: int
    auto_scale: bool
    created_at: Timestamp
    error: str | None
    """Why it is FAILED."""

    @classmethod
    def of(cls, facts: DeploymentInfo, base_url: str) -> "DeploymentDetail":
        """Describes a deployment."""
        return cls.showing(facts, endpoint=f"{base_url}/predict/{facts.deployment_id}")


class DeploymentList(ResponseBody):
    """One page of a model's deployments, newest first."""

    model_name: str
    model_version: str
    deployments: list[DeploymentDetail]
    pagination: Pagination


class Undeployed(ResponseBody):
    """A deployment that is being taken down; requests in flight are answered."""

    model_name: str
    model_version: str
    deployment_id: str
    status: Literal["UNDEPLOYING"] = "UNDEPLOYING"
    undeployed_at: Timestamp
