"""The feature's terms: how a version moves, how it is labelled, and what is told about it.

Builds, deployments, endpoints and scoring all speak of versions in these terms, and hear of their
changes by what is announced here.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple

TypeName = Literal["string", "integer", "float", "boolean", "date"]
Schema = dict[str, TypeName]


class Status(StrEnum):
    """The state of a version."""

    DRAFT = "DRAFT"
    BUILDING = "BUILDING"
    READY = "READY"
    ERROR = "ERROR"


class BuildEvent(StrEnum):
    """What moves a version."""

    START = "start"
    FINISH = "finish"
    FAIL = "fail"


TRANSITIONS: dict[tuple[Status, BuildEvent], Status] = {
    (Status.DRAFT, BuildEvent.START): Status.BUILDING,
    (Status.DRAFT, BuildEvent.FAIL): Status.ERROR,
    (Status.BUILDING, BuildEvent.START): Status.BUILDING,
    (Status.BUILDING, BuildEvent.FINISH): Status.READY,
    (Status.BUILDING, BuildEvent.FAIL): Status.ERROR,
}
"""Every move there is; a build that lost its worker starts again from BUILDING."""


class DeploymentStatus(StrEnum):
    """The state of a version's deployments; a model shows the first that applies."""

    DEPLOYED = "DEPLOYED"
    DEPLOYING = "DEPLOYING"
    UNDEPLOYED = "UNDEPLOYED"


def deployment_status_of_any(statuses: set[str]) -> DeploymentStatus | None:
    """Sums up the deployment statuses of a model's versions."""
    return next((status for status in DeploymentStatus if status in statuses), None)


NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
RESERVED_NAMES = frozenset({"build-logs"})


def is_name(text: str) -> bool:
    """Returns whether a model may be called so."""
    return NAME_PATTERN.fullmatch(text) is not None and text not in RESERVED_NAMES


def display_name(model_name: str) -> str:
    """Makes the name to show from the name used in paths: `churn-by_month` → `Churn by month`."""
    words = " ".join(re.split(r"[._-]+", model_name)).strip()
    return words[:1].upper() + words[1:]


class Label(NamedTuple):
    """A version's label, `v<major>.<minor>`."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"v{self.major}.{self.minor}"

    @classmethod
    def of(cls, text: str) -> "Label":
        """Reads a label that this feature has written."""
        major, _, minor = text.removeprefix("v").partition(".")
        return cls(int(major), int(minor))


FIRST_LABEL = Label(1, 0)


class Change(StrEnum):
    """How much a new version says it differs from the one before."""

    MINOR = "minor"
    MAJOR = "major"


def next_label(newest: Label, change: Change) -> Label:
    """Raises the minor number for a retrained version, the major one for a new version."""
    if change is Change.MINOR:
        return Label(newest.major, newest.minor + 1)
    return Label(newest.major + 1, 0)


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """What was asked of a version: everything its build is made from."""

    intent: str
    upload_id: str
    dataset_name: str | None = None
    """The dataset the upload is a version of; None for an upload that was never named."""
    input_schema: Schema | None = None
    output_schema: Schema | None = None
    target: str | None = None
    task: str | None = None
    metric: str | None = None
    max_iterations: int | None = None
    split: dict[str, Any] | None = None
    """How rows are held out: `by`, and the `column` that it goes by."""
    threshold: float | None = None
    costs: dict[str, float] | None = None
    sample_weight: str | None = None
    before: dict[str, Any] | None = None
    """What the version it comes after predicts and from what, where that is to stay: `target`,
    `task`, `features` and `types`; None where the request says anew what to predict."""
    inherited: list[str] | None = None
    """Members that the version before was built with and nobody gave anew, which the plan leaves
    out where they do not fit any more."""
    former_target: str | None = None
    """What the version before predicts, where members are inherited."""
    former_positive: Any = None
    """The positive class of that, where it has two classes."""


@dataclass(frozen=True, slots=True)
class ModelMetadata:
    """What a model is called and said to be."""

    name: str | None = None
    description: str | None = None
    tags: list[str] | None = None


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build learnt, as the engine's own figures."""

    algorithm: str
    metrics: dict[str, Any]
    input_schema: Schema
    output_schema: Schema
    feature_importance: dict[str, float]
    dataset_size: int
    training_seconds: float
    plan: dict[str, Any]
    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ModelVersionInfo:
    """What is known of one version; schemas are as asked for until it is READY."""

    version_id: str
    model_id: str
    model_name: str
    model_version: str
    version: int
    status: Status
    request: BuildRequest
    input_schema: Schema | None
    output_schema: Schema | None
    metrics: dict[str, Any]
    plan: dict[str, Any] | None
    training: dict[str, Any]
    error: str | None
    deployment_status: str | None
    created_at: datetime
    updated_at: datetime

    @property
    def inputs(self) -> dict[str, dict[str, Any]]:
        """What training had of each input; earlier programs kept units apart, or not at all."""
        report = self.training.get("report", {})
        units = report.get("units", {})
        return {
            name: {"unit": units.get(name), **held}
            for name, held in report.get("inputs", {}).items()
        }

    @property
    def units(self) -> dict[str, str]:
        """The units of its inputs by their names, where they are known."""
        return {name: held["unit"] for name, held in self.inputs.items() if held["unit"]}


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of one model, with the version it shows."""

    model_id: str
    model_name: str
    name: str
    description: str
    tags: list[str]
    created_by: str
    created_at: datetime
    updated_at: datetime
    deployment_status: str | None
    deployed_versions: list[str]
    """The labels of the versions that answer in a deployment, newest first."""
    shown: ModelVersionInfo


@dataclass(frozen=True, slots=True)
class ModelQuery:
    """Which models to list, and how."""

    status: Status | None = None
    sort_by: Literal["created_at", "name"] = "created_at"
    descending: bool = True


@dataclass(frozen=True, slots=True)
class ServedVersion:
    """The little that answering a prediction needs to know of a READY version."""

    version_id: str
    model_name: str
    model_version: str
    artifact: str


@dataclass(frozen=True, slots=True)
class VersionReady:
    """Announced in the transaction that makes a version READY."""

    model_id: str
    model_name: str


@dataclass(frozen=True, slots=True)
class ModelDeleted:
    """Announced in the transaction that deletes a model and its versions."""

    model_id: str
    model_name: str
    version_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelPurged:
    """Announced in the transaction that removes a model and its versions for good."""

    model_id: str
    version_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrashedModel:
    """A model that lies in the trash, under the name that it had."""

    model_id: str
    model_name: str
    trashed_at: datetime
