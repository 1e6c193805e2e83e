"""Errors of the feature."""

from collections.abc import Sequence

from modelwright.core.errors import ValidationFailed


class UnknownFiles(ValidationFailed):
    """Files were named that the upload does not have, or none at all."""


def unknown_files(unknown: Sequence[str], known: Sequence[str]) -> ValidationFailed:
    """Makes the refusal of files that the upload does not have."""
    listed, having = (", ".join(map(repr, names)) for names in (unknown, known))
    return UnknownFiles.of("files", f"the upload has no {listed}; it has {having}.")


def no_files() -> ValidationFailed:
    """Makes the refusal of an empty list."""
    return UnknownFiles.of("files", "names no file; leave it out to analyse all of them.")
