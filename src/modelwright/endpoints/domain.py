"""The feature's terms: which version is in service where, since when, and who put it there."""

from dataclasses import dataclass
from datetime import datetime

from modelwright.deployments.domain import DeploymentInfo
from modelwright.models.domain import ServedVersion


@dataclass(frozen=True, slots=True)
class EndpointTarget:
    """What answers at an endpoint."""

    version: ServedVersion
    deployment: DeploymentInfo | None
    """The deployment whose replicas answer; None where the API processes do."""


@dataclass(frozen=True, slots=True)
class Changer:
    """Who changed what is in service; nobody did where a first version came by itself."""

    email: str | None = None
    key_name: str | None = None
    """None for those who are signed in to the console."""


@dataclass(frozen=True, slots=True)
class EndpointChangeInfo:
    """A time that a version was in service."""

    model_version: str
    since: datetime
    until: datetime | None
    """None while it is in service."""
    changed_by: str | None
    key_name: str | None


@dataclass(frozen=True, slots=True)
class EndpointInfo:
    """What is known of an endpoint."""

    model_name: str
    environment: str
    model_version: str
    former_version: str | None
    """The version that a rollback leads to; None where there is none."""
    deployment_id: str | None
    """The deployment whose replicas answer; None where the API processes do."""
    since: datetime
    changed_by: str | None
    key_name: str | None
