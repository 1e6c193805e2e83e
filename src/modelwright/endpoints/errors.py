"""Refusals about endpoints."""

from modelwright.core.errors import Conflict, Detail, NotFound
from modelwright.deployments.domain import ENVIRONMENTS


class NothingInService(NotFound):
    """The model has no endpoint in the environment (404)."""

    def __init__(self, model_name: str, environment: str) -> None:
        what = "deploy a version there first."
        if environment not in ENVIRONMENTS:
            what = f"use one of {', '.join(ENVIRONMENTS)}."
        super().__init__(
            f"environment: no version of {model_name} is in service in {environment!r}; {what}",
            details=(Detail("environment", "has no version in service"),),
        )


class NothingReadyYet(Conflict):
    """The model has no READY version that could be in service (409)."""

    def __init__(self, model_name: str) -> None:
        super().__init__(
            f"{model_name} has no READY version yet; try again when its build has ended.",
            details=(Detail("model_name", "has no READY version"),),
        )


class NothingBefore(Conflict):
    """There is no version to roll back to (409)."""

    def __init__(self, model_name: str, environment: str, model_version: str) -> None:
        super().__init__(
            f"No version of {model_name} was in service in {environment} before {model_version};"
            " there is nothing to roll back to. Promote the version that you want.",
            details=(Detail("environment", "has no version before this one"),),
        )


class ChangedMeanwhile(Conflict):
    """Somebody else changed what is in service while the version was being loaded (409)."""

    def __init__(self, model_name: str, environment: str, model_version: str) -> None:
        super().__init__(
            f"What is in service of {model_name} in {environment} was changed meanwhile, and is"
            f" {model_version} now: look whether that is what you want, and else ask again.",
            details=(Detail("environment", "was changed meanwhile"),),
        )
