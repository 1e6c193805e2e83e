"""Everything the client raises, under one root; `ApiError` is what the server answers.

Callers catch by what they can do about it: the class follows from the status, not from a text that
may change.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, TypedDict, cast

from modelwright_runtime.errors import ArtifactError, ModelwrightError, RowError

if TYPE_CHECKING:
    from modelwright_client.types import ErrorDetail

__all__ = ["ArtifactError", "ModelwrightError", "RowError"]


class Detail(TypedDict):
    """One field that was refused, and why."""

    field: str
    message: str


class UnreachableError(ModelwrightError):
    """No answer came: wrong address, server down, connection lost, or time ran out."""


class UploadBrokenError(UnreachableError):
    """An upload broke off; `send(…, resume=upload_id)` goes on where it stopped."""

    def __init__(self, upload_id: str, why: ModelwrightError) -> None:
        super().__init__(f"{why} What was sent of {upload_id} is kept; resume it to go on.")
        self.upload_id = upload_id


class UnexpectedResponseError(ModelwrightError):
    """Something answered that does not speak as a Modelwright server does."""


class MisreadError(ModelwrightError, TypeError):
    """An argument would be misread or passed over; nothing was sent."""


class JobFailedError(ModelwrightError):
    """Work that was accepted ended badly: a file could not be read, a build ended in `ERROR`."""


class JobTimeoutError(ModelwrightError):
    """Work was not finished within the time the caller wanted to wait; it goes on."""


class ApiError(ModelwrightError):
    """The server refused, and said why.

    `status` is the refusal's own, also where a gateway collapses the status line to 400 or 500.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        details: Sequence[Detail] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.details = tuple(details)
        self.request_id = request_id
        self.retry_after = retry_after
        """Seconds after which the server wants to be asked again, where it said so."""


class InvalidRequestError(ApiError):
    """400: a required field is missing, or the body cannot be read."""


class UnauthorizedError(ApiError):
    """401: the key is missing, unknown, expired or revoked."""


class ForbiddenError(ApiError):
    """403: the key's level or the account does not allow this."""


class NotFoundError(ApiError):
    """404: no such thing in this account."""


class ConflictError(ApiError):
    """409: the name is taken, or the thing is in use or in another state."""


class TooLargeError(ApiError):
    """413: the body is above the limit."""


class ValidationError(ApiError):
    """422: a field is present but wrong."""

    @property
    def choices(self) -> list["ErrorDetail"]:
        """What a question may mean, the likeliest first; empty of any other refusal."""
        return [cast("ErrorDetail", one) for one in self.details if one["field"] == "choice"]


class RateLimitedError(ApiError):
    """429: too many requests, and waiting would have taken too long."""


class UnavailableError(ApiError):
    """503: the server is busy, or ran out of the time it had."""


class ServerError(ApiError):
    """500 and its like: the server failed; `request_id` finds the reason in its log."""


_BY_STATUS: Mapping[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: TooLargeError,
    422: ValidationError,
    429: RateLimitedError,
    503: UnavailableError,
}


def error_class(status: int) -> type[ApiError]:
    """Names the exception of a status.

    Args:
        status: The HTTP status of the answer.

    Returns:
        The class of that status; `ServerError` from 500 on, else `ApiError`.
    """
    rest = ServerError if status >= HTTPStatus.INTERNAL_SERVER_ERROR else ApiError
    return _BY_STATUS.get(status, rest)
