"""Refusals about models and their versions.

A version that is not ready, damaged or gone is three different things to whoever has to act.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from modelwright.core.errors import Conflict, Detail, NotFound, ValidationFailed
from modelwright.core.logging import logger
from modelwright.models.domain import Status
from modelwright.storage.errors import ObjectMissing
from modelwright_client.errors import ArtifactError

RETRAIN_HINT = "use another version, retrain the model, or have the operator restore a backup."


class ModelExists(Conflict):
    """The name is taken (409)."""

    def __init__(self, model_name: str) -> None:
        super().__init__(
            f"model_name: you have a model named {model_name!r} already; "
            "choose another name, or retrain that one.",
            details=(Detail("model_name", "is taken"),),
        )


class NameTaken(Conflict):
    """The name of a model that is to be restored is another one's now (409)."""

    def __init__(self, model_name: str) -> None:
        super().__init__(
            f"model_name: you have another model named {model_name!r} by now; restore this one"
            " under another model_name.",
            details=(Detail("model_name", "is taken"),),
        )


class VersionNotReady(Conflict):
    """The version cannot answer (409)."""

    def __init__(self, model_name: str, model_version: str, status: str, error: str | None) -> None:
        why = "its build failed: " + (error or "") if status == Status.ERROR else ""
        super().__init__(
            f"{model_name} {model_version} is {status}, not READY; "
            + (why or "try again when its build has ended."),
            details=(Detail("model_version", f"is {status}"),),
        )


class VersionDamaged(Conflict):
    """What the version has learnt is stored, but cannot be read (409)."""

    def __init__(self, model_name: str, model_version: str) -> None:
        super().__init__(
            f"The stored artifact of {model_name} {model_version} is damaged; {RETRAIN_HINT}",
            details=(Detail("model_version", "is damaged"),),
        )


class VersionGone(NotFound):
    """What the version has learnt is no longer stored (404)."""

    def __init__(self, model_name: str, model_version: str) -> None:
        super().__init__(
            f"What {model_name} {model_version} has learnt is no longer stored; {RETRAIN_HINT}",
            details=(Detail("model_version", "is no longer stored"),),
        )


@contextmanager
def reading(model_name: str, model_version: str) -> Iterator[None]:
    """Tells of a version that cannot be read as a refusal, and the log why."""
    told = {"model_name": model_name, "model_version": model_version}
    try:
        yield
    except ObjectMissing as fault:
        logger().error("models.gone", **told, why=fault.message)
        raise VersionGone(model_name, model_version) from None
    except ArtifactError as fault:
        logger().error("models.damaged", **told, why=str(fault))
        raise VersionDamaged(model_name, model_version) from None


def bad_name() -> ValidationFailed:
    """Makes the refusal of a name that no model may have."""
    return ValidationFailed.of(
        "model_name",
        "use 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit; "
        "'build-logs' is reserved.",
    )
