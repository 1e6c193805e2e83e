"""Request and response bodies of models and versions.

A version that was built by an earlier release lacks what was added since: its members are filled
here, so that clients need not know by which release.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import Field

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import Name, RequestBody, ResponseBody, Tag, Text, Timestamp
from modelwright.models.domain import DeploymentStatus, ModelInfo, ModelVersionInfo, Schema, Status


class AmendModel(RequestBody):
    """Changes a model's name, description or tags; what is not given stays."""

    name: Annotated[Name, Field(default_factory=str, max_length=200)]
    description: Annotated[Text, Field(default_factory=str, max_length=5000)]
    tags: Annotated[list[Tag], Field(default_factory=list, max_length=50)]


class ModelSummary(ResponseBody):
    """A model as it is listed, by its newest READY version; before there is one, the newest."""

    model_name: str
    model_version: str
    name: str
    intent: str
    status: Status
    deployment_status: DeploymentStatus | None
    deployed_versions: list[str]
    """The versions that answer in a deployment, newest first."""
    created_at: Timestamp
    updated_at: Timestamp

    @classmethod
    def of(cls, model: ModelInfo, **other: Any) -> Self:
        """Describes a model by the version it shows, and by other members."""
        shown = model.shown
        return cls.showing(
            model,
            model_version=shown.model_version,
            intent=shown.request.intent,
            status=shown.status,
            **other,
        )


class ModelList(ResponseBody):
    """One page of models."""

    models: list[ModelSummary]
    pagination: Pagination


class ModelDetail(ModelSummary):
    """A model, with the details of the version that it shows."""

    description: str
    endpoint: str
    """Where this version answers."""
    metrics: dict[str, Any]
    """Measured on rows the version never saw; empty until it is READY."""
    dataset_id: str
    """The upload it was trained on."""
    input_schema: Schema | None
    output_schema: Schema | None
    tags: list[str]
    created_by: str
    error: str | None
    """Why the build failed and what to change."""

    @classmethod
    def detailed(cls, model: ModelInfo, base_url: str) -> Self:
        """Describes a model in full."""
        shown = model.shown
        path = f"models/{model.model_name}/{shown.model_version}/infer"
        return cls.of(
            model,
            endpoint=f"{base_url}/{path}",
            metrics=shown.metrics,
            dataset_id=shown.request.upload_id,
            input_schema=shown.input_schema,
            output_schema=shown.output_schema,
            error=shown.error,
        )


class ModelAmended(ResponseBody):
    """A model's name, description and tags after a change."""

    model_name: str
    model_version: str
    name: str
    description: str
    tags: list[str]
    updated_at: Timestamp

    @classmethod
    def of(cls, model: ModelInfo) -> "ModelAmended":
        """Describes a model's face."""
        return cls.showing(model, model_version=model.shown.model_version)


class ModelDeleted(ResponseBody):
    """A deleted model, with the version that it showed last."""

    model_name: str
    model_version: str
    status: Literal["DELETED"] = "DELETED"
    deleted_at: Timestamp


class VersionItem(ResponseBody):
    """A version as it is listed."""

    version_id: str
    version: int
    model_version: str
    status: Status
    deployment_status: DeploymentStatus | None
    metrics: dict[str, Any]
    error: str | None
    created_at: Timestamp


class VersionList(ResponseBody):
    """One page of a model's versions, newest first."""

    model_name: str
    model_version: str
    versions: list[VersionItem]
    pagination: Pagination


class VersionState(ResponseBody):
    """The state of a version."""

    model_name: str
    model_version: str
    status: Status
    deployment_status: DeploymentStatus | None
    last_updated: Timestamp
    build_progress: Annotated[int, Field(ge=0, le=100)]
    """Percent; never falls, 100 when READY."""
    error: str | None

    @classmethod
    def of(cls, version: ModelVersionInfo, progress: int) -> "VersionState":
        """Describes how far a version is."""
        return cls.showing(version, last_updated=version.updated_at, build_progress=progress)


class TrainingInfo(ResponseBody):
    """How a version was trained; null until it is READY."""

    dataset_size: int | None = None
    """Rows of the training dataset."""
    training_time_minutes: float | None = None
    algorithm: str | None = None
    feature_importance: Annotated[dict[str, float], Field(default_factory=dict)]


class InputDomain(ResponseBody):
    """What a column held in training; null where that does not apply or is not known."""

    required: bool
    """Whether a row must have it: the training data never lacked it."""
    low: float | None = None
    """The least of its numbers."""
    high: float | None = None
    """The greatest of its numbers."""
    values: list[str] | None = None
    """The values of a category, the most frequent first, up to 100."""
    unit: str | None = None
    """The unit of its numbers (`%`, a currency's sign or code); rows are in it too."""


class VersionDescription(ResponseBody):
    """The description of a version: schemas, metrics, and how it was trained."""

    model_name: str
    model_version: str
    description: str
    input_schema: Schema | None
    output_schema: Schema | None
    performance_metrics: dict[str, Any]
    training_info: TrainingInfo
    plan: dict[str, Any] | None
    """What the build decided and why; null until it is READY."""
    warnings: list[str]
    """Warnings about the metrics, in sentences."""
    inputs: dict[str, InputDomain]
    """What training had of each input; empty for versions that were built before it was kept."""
    error: str | None

    @classmethod
    def of(cls, model: ModelInfo, version: ModelVersionInfo) -> "VersionDescription":
        """Describes a version."""
        return cls.showing(
            version,
            description=model.description,
            performance_metrics=version.metrics,
            training_info=TrainingInfo(**version.training),
            warnings=version.training.get("report", {}).get("warnings", []),
            inputs=version.inputs,
        )
