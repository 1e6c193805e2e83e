"""What the server answers about predictions and deployments."""

from typing import Any, Literal, NotRequired, TypedDict

from modelwright_client.types.paging import Pagination

DeploymentStatus = Literal["DEPLOYING", "ACTIVE", "UNDEPLOYING", "FAILED"]
Environment = Literal["production", "staging", "development"]


class Prediction(TypedDict):
    """One answer; `result` has the fields of the version's `output_schema`."""

    request_id: str
    result: dict[str, Any]
    model_name: str
    model_version: str
    created_at: str
    probabilities: NotRequired[Any]
    explanation: NotRequired[Any]
    interval: NotRequired[Any]
    warnings: NotRequired[list[dict[str, str]]]


class BatchItem(TypedDict):
    """One answer of a batch; answers stand in the order of the rows."""

    prediction: dict[str, Any] | None
    request_id: NotRequired[str]
    probabilities: NotRequired[Any]
    explanation: NotRequired[Any]
    interval: NotRequired[Any]
    warnings: NotRequired[list[dict[str, str]]]
    error: NotRequired[dict[str, Any]]


class ScoringStarted(TypedDict):
    """The job that scores an upload, and the export that its files will be in."""

    job_id: str
    export_id: str
    status: str
    model_name: str
    model_version: str
    upload_id: str
    format: str
    created_at: str
    estimated_completion: str


class Deployment(TypedDict):
    """A version at work; `error` says why it is `FAILED`."""

    deployment_id: str
    model_name: str
    model_version: str
    version_id: NotRequired[str]
    version: NotRequired[int]
    status: DeploymentStatus
    endpoint: str
    environment: Environment
    replicas: int
    auto_scale: bool
    created_at: str
    error: NotRequired[str | None]


class Deployments(TypedDict):
    """All deployments of a model."""

    model_name: str
    model_version: str
    deployments: list[Deployment]
    pagination: NotRequired[Pagination]


class Undeployed(TypedDict):
    """The answer to an undeployment; requests in flight are still answered."""

    model_name: str
    model_version: str
    deployment_id: str
    status: Literal["UNDEPLOYING"]
    undeployed_at: str
