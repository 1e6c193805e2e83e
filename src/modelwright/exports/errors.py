"""Errors of the feature."""

from modelwright.core.errors import Conflict, NotFound, PayloadTooLarge, ValidationFailed
from modelwright.core.limits.contract import GB, Limits


class AccountFull(PayloadTooLarge):
    """The account's exports take all that they may."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(
            f"Your exports take the {limits.account_bytes / GB:g} GB that they may; each goes"
            f" {limits.export_days} days after it was made. Wait for that, or export fewer rows."
        )


class UnknownFile(ValidationFailed):
    """A file that the upload does not have, or none at all."""


class MailNotConfigured(ValidationFailed):
    """Nobody can be told by mail."""


class ExportNotCompleted(Conflict):
    """The export has no files, or not yet."""


class NoSuchExportedFile(NotFound):
    """The export has no file of that name."""
