"""Python client for a Modelwright server.

What needs libraries is loaded when first used, so that the `modelwright` command starts without.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from modelwright_client.errors import (
    ApiError,
    ArtifactError,
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    JobFailedError,
    JobTimeoutError,
    MisreadError,
    ModelwrightError,
    NotFoundError,
    RateLimitedError,
    RowError,
    ServerError,
    TooLargeError,
    UnauthorizedError,
    UnavailableError,
    UnexpectedResponseError,
    UnreachableError,
    UploadBrokenError,
    ValidationError,
)

if TYPE_CHECKING:
    from modelwright_client._http import Retry as Retry
    from modelwright_client.client import Client as Client
    from modelwright_runtime.predictor import load as load

_HOMES = {
    "Client": "modelwright_client.client",
    "Retry": "modelwright_client._http",
    "load": "modelwright_runtime.predictor",
}

__all__ = [
    "ApiError",
    "ArtifactError",
    "Client",
    "ConflictError",
    "ForbiddenError",
    "InvalidRequestError",
    "JobFailedError",
    "JobTimeoutError",
    "MisreadError",
    "ModelwrightError",
    "NotFoundError",
    "RateLimitedError",
    "Retry",
    "RowError",
    "ServerError",
    "TooLargeError",
    "UnauthorizedError",
    "UnavailableError",
    "UnexpectedResponseError",
    "UnreachableError",
    "UploadBrokenError",
    "ValidationError",
    "load",
]


_RENAMED = {
    "RefusedError": "ApiError",
    "UnexpectedAnswerError": "UnexpectedResponseError",
    "FailedError": "JobFailedError",
    "StillRunningError": "JobTimeoutError",
}
"""Names of errors before the first release, with what they are called now."""


def __getattr__(name: str) -> Any:
    """Finds a public name in its module; refuses names the package does not have."""
    if name in _RENAMED:
        return globals()[_RENAMED[name]]
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        home = import_module(_HOMES[name])
    except ModuleNotFoundError as missing:
        if missing.name not in {"numpy", "onnxruntime"}:
            raise
        sentence = (
            "Predicting without the server needs: pip install 'modelwright-platform[runtime]'"
        )
        raise ModuleNotFoundError(sentence, name=missing.name) from None
    return getattr(home, name)
