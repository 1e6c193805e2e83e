"""Request and response bodies of endpoints."""

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import RequestBody, ResponseBody, Text, Timestamp
from modelwright.deployments.domain import Environment
from modelwright.endpoints.domain import EndpointInfo


class Promote(RequestBody):
    """Asks for a version to be put in service."""

    model_version: Text
    """The READY version that is to answer."""


class EndpointDetail(ResponseBody):
    """The stable address of a model in an environment, and the version in service there."""

    model_name: str
    environment: Environment
    model_version: str
    """The version in service."""
    former_version: str | None
    """The version that a rollback leads to; null where there is none."""
    endpoint: str
    """Where it answers, whichever version is in service."""
    deployment_id: str | None
    """The deployment whose replicas answer; null where the API itself does."""
    since: Timestamp
    """Since when this version is in service."""
    changed_by: str | None
    """Who put it in service; null where the first version came by itself."""
    key_name: str | None
    """Name of the API key that was used; null for the console."""

    @classmethod
    def of(cls, facts: EndpointInfo, base_url: str) -> "EndpointDetail":
        """Describes an endpoint."""
        query = "" if facts.environment == "production" else f"?environment={facts.environment}"
        path = f"models/{facts.model_name}/infer{query}"
        return cls.showing(facts, endpoint=f"{base_url}/{path}")


class EndpointList(ResponseBody):
    """One page of a model's endpoints, production first."""

    model_name: str
    endpoints: list[EndpointDetail]
    pagination: Pagination


class EndpointChange(ResponseBody):
    """A time that a version was in service."""

    model_version: str
    since: Timestamp
    """When it came into service."""
    until: Timestamp | None
    """When it went out of service; null while it is there."""
    changed_by: str | None
    """Who put it in service; null where the first version came by itself."""
    key_name: str | None
    """Name of the API key that was used; null for the console."""


class EndpointHistory(ResponseBody):
    """One page of what was in service when, newest first."""

    model_name: str
    environment: Environment
    changes: list[EndpointChange]
    pagination: Pagination
