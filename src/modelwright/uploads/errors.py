"""Errors of the feature.

Most are said to somebody whose file is large and half sent: each tells whether to go on, to send
again or to do something else.
"""

from collections.abc import Sequence

from modelwright.core.errors import Conflict, Detail, NotFound, PayloadTooLarge, ValidationFailed
from modelwright.core.limits.contract import GB, Limits
from modelwright.uploads.domain import ModelReference, Status


class TooManyFiles(PayloadTooLarge):
    """More files than an upload may have."""


class FileTooLarge(PayloadTooLarge):
    """A file larger than a file may be."""


class UploadTooLarge(PayloadTooLarge):
    """Files larger together than an upload may be."""


class AccountFull(PayloadTooLarge):
    """Files for which the account has no room."""

    def __init__(self, wanted: int, limits: Limits) -> None:
        super().__init__(
            f"files: with these your uploads would take {wanted / GB:.1f} GB, and"
            f" {round(limits.account_bytes / GB, 2):g} GB is the most; delete some, and remove"
            " them from the trash with DELETE /trash, where they count too. A file without"
            " size_bytes"
            f" counts as {limits.undeclared_reserve_bytes / GB:.2g} GB until it has come."
        )


class FilesRefused(ValidationFailed):
    """The listed files are not those that were declared, or have not arrived."""

    def __init__(self, details: Sequence[Detail]) -> None:
        message = " ".join(f"{detail.field}: {detail.message}" for detail in details)
        super().__init__(message, details=tuple(details))


class OptionsRefused(ValidationFailed):
    """An option of a file's reading that does not fit the file."""

    def __init__(self, fault: str) -> None:
        field, _, message = fault.partition(": ")
        super().__init__(fault, details=(Detail(field, message),))


class UploadIsOver(Conflict):
    """The upload can no longer be confirmed or given up."""

    def __init__(self, status: Status) -> None:
        super().__init__(f"This upload is {status}; make a new one with POST /data/upload.")


class SizeNotDeclared(Conflict):
    """A file of unknown size cannot come in parts."""

    def __init__(self, filename: str) -> None:
        super().__init__(
            f"{filename!r} was declared without size_bytes, and only a file of a known size can be"
            " sent in parts; PUT it whole to its presigned_url, or make a new upload that says its"
            " size_bytes with POST /data/upload."
        )


class UploadGone(NotFound):
    """The upload whose file comes was deleted."""

    def __init__(self, upload_id: str) -> None:
        super().__init__(f"{upload_id} was deleted; make a new upload with POST /data/upload.")


class UploadNotComplete(Conflict):
    """The upload has no tables to read, or not yet."""

    def __init__(self, upload_id: str, status: Status, error: str | None) -> None:
        hints = {
            Status.PENDING: "Put its files in place and confirm it with POST /uploads/status.",
            Status.PROCESSING: "Wait until GET /uploads/{upload_id} says complete.",
            Status.FAILED: error or "Make a new one.",
        }
        super().__init__(f"The upload {upload_id} is {status}. {hints.get(status, '')}")


class FileNeverCame(Conflict):
    """A file that is to be read again never came, or is gone."""

    def __init__(self, filename: str) -> None:
        super().__init__(
            f"{filename!r} has not come whole, so it cannot be read again; upload it first."
        )


class UploadInUse(Conflict):
    """Models were made from the upload."""

    def __init__(self, users: Sequence[ModelReference]) -> None:
        names = ", ".join(sorted({user.model_name for user in users}))
        super().__init__(f"Models learnt from this upload ({names}); delete those first.")
