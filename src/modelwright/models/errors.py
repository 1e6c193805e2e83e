"""Refusals about models and their versions."""

from modelwright.core.errors import Conflict, Detail, ValidationFailed
from modelwright.models.rules import Status


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

    def __init__(self, model_name: str, model_version: str, status: str, error: str | None) -> None:
        why = "its build failed: " + (error or "") if status == Status.ERROR else ""
        super().__init__(
            f"{model_name} {model_version} is {status}, not READY; "
            + (why or "try again when its build has ended."),
            details=(Detail("model_version", f"is {status}"),),
        )


def bad_name() -> ValidationFailed:
    """Makes the refusal of a name that no model may have."""
    return ValidationFailed.of(
        "model_name",
        "use 1 to 100 letters, digits, '.', '_' or '-', beginning with a letter or digit; "
        "'build-logs' is reserved.",
    )
