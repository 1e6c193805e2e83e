"""What the server answers about models, versions and builds."""

from typing import Any, Literal, NotRequired, TypedDict

from modelwright_client.types.paging import Pagination

ModelStatus = Literal["DRAFT", "BUILDING", "READY", "ERROR"]
DeploymentState = Literal["DEPLOYING", "DEPLOYED", "UNDEPLOYED"]


class ModelSummary(TypedDict):
    """A model as lists show it."""

    model_name: str
    model_version: str
    name: str
    intent: str
    status: ModelStatus
    deployment_status: DeploymentState | None
    deployed_versions: list[str]
    created_at: str
    updated_at: str


class Model(ModelSummary):
    """A model in full."""

    description: str
    endpoint: str
    metrics: dict[str, Any]
    dataset_id: str
    input_schema: dict[str, str] | None
    output_schema: dict[str, str] | None
    tags: list[str]
    created_by: str
    error: NotRequired[str | None]


class ModelPage(TypedDict):
    """One page of models, newest first unless asked otherwise."""

    models: list[ModelSummary]
    pagination: Pagination


class BuildStarted(TypedDict):
    """A build that waits for its turn."""

    job_id: str
    status: str
    model_name: str
    model_version: str
    created_at: str


class RetrainStarted(TypedDict):
    """A build of the next minor version."""

    job_id: str
    status: str
    model_name: str
    new_version: str
    created_at: str


class VersionStarted(BuildStarted):
    """A build of the next major version."""

    version_id: str
    version: int


class BuildState(TypedDict):
    """How far a version is."""

    model_name: str
    model_version: str
    status: ModelStatus
    deployment_status: DeploymentState | None
    last_updated: str
    build_progress: int
    error: NotRequired[str | None]


class TrainingInfo(TypedDict):
    """How a version came about, null until it is READY; `dataset_size` counts rows."""

    dataset_size: int | None
    training_time_minutes: float | None
    algorithm: str | None
    feature_importance: dict[str, float]


class ModelDescription(TypedDict):
    """What a version takes, gives and is worth."""

    model_name: str
    model_version: str
    description: str
    input_schema: dict[str, str] | None
    output_schema: dict[str, str] | None
    performance_metrics: dict[str, Any]
    training_info: TrainingInfo
    plan: NotRequired[dict[str, Any] | None]
    error: NotRequired[str | None]


class CardData(TypedDict):
    """What a version was learnt from and measured on."""

    dataset_id: str
    dataset_name: str | None
    rows: int
    held_out_rows: int
    sha256: str | None
    target: dict[str, Any]


class ModelCard(TypedDict):
    """All that is to be known of a version before it is trusted."""

    model_name: str
    model_version: str
    name: str
    description: str
    intent: str
    created_at: str
    task: str
    target: str
    algorithm: str
    members: dict[str, float]
    training_time_minutes: float | None
    data: CardData
    input_schema: dict[str, str]
    output_schema: dict[str, str]
    libraries: dict[str, str]
    plan: dict[str, Any]
    metrics: dict[str, Any]
    feature_importance: dict[str, float]
    curves: dict[str, Any]
    limits: list[str]


class ModelAmended(TypedDict):
    """A model's labels after a change."""

    model_name: str
    model_version: str
    name: str
    description: str
    tags: list[str]
    updated_at: str


class ModelDeleted(TypedDict):
    """The answer to a deletion."""

    model_name: str
    model_version: str
    status: Literal["DELETED"]
    deleted_at: str


class Version(TypedDict):
    """One version of a model; `version` rises by one each time."""

    version_id: str
    version: int
    status: ModelStatus
    deployment_status: DeploymentState | None
    metrics: dict[str, Any]
    created_at: str
    model_version: NotRequired[str]
    error: NotRequired[str | None]


class Versions(TypedDict):
    """All versions of a model, newest first."""

    model_name: str
    model_version: str
    versions: list[Version]
    pagination: NotRequired[Pagination]


class LogLine(TypedDict):
    """One line of a build's log."""

    job_id: str
    model_name: str
    timestamp: str
    level: str
    message: str


class BuildLogs(TypedDict):
    """Lines of build logs, oldest first."""

    logs: list[LogLine]
    pagination: Pagination
