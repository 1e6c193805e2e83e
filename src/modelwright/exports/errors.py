"""Refusals of the room."""

from modelwright.core.errors import Conflict, NotFound, ValidationFailed


class UnknownFile(ValidationFailed):
    """A file that the upload does not have, or none at all."""


class NoMail(ValidationFailed):
    """Nobody can be told by mail."""


class ExportNotCompleted(Conflict):
    """The export has no files, or not yet."""


class NoSuchExportedFile(NotFound):
    """The export has no file of that name."""
