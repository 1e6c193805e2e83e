"""Refusals about models and their versions."""

from modelwright.core.errors import Conflict, Detail, NotFound, ValidationFailed, not_found
from modelwright.models.rules import ServedVersion, Status


class ModelExists(Conflict):
    """The name is taken (409)."""

    def __init__(self, model_name: str) -> None:
        super().__init__(
            f"model_name: you have a model named {model_name!r} already; "
            "choose another name, or retrain that one.",
            details=(Detail("model_name", "is taken"),),
        )


class VersionNotReady(Conflict):
    """The version cannot answer (409)."""

    def __init__(self, version: ServedVersion) -> None:
        why = "its build failed: " + (version.error or "") if version.status == Status.ERROR else ""
        super().__init__(
            f"{version.model_name} {version.model_version} is {version.status}, not READY; "
            + (why or "try again when its build has ended."),
            details=(Detail("model_version", f"is {version.status}"),),
        )


def unknown_model(model_name: str) -> NotFound:
    """Makes the refusal of a name that no model of the caller has."""
    return not_found("model_name", model_name)


def unknown_version(model_version: str) -> NotFound:
    """Makes the refusal of a label that no version of the model has."""
    return not_found("model_version", model_version)


def bad_name() -> ValidationFailed:
    """Makes the refusal of a name that no model may have."""
    return ValidationFailed.of(
        "model_name",
        "use 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit; "
        "'build-logs' is reserved.",
    )
