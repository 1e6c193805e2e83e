"""Errors of the feature."""

from modelwright.core.errors import Conflict, Detail, NotFound, PayloadTooLarge, Unavailable
from modelwright.core.limits.contract import MB


class DatasetNotComplete(Conflict):
    """The dataset's uploads are not processed yet, or have failed."""

    def __init__(self, field: str, name: str) -> None:
        message = (
            f"no upload of {name!r} is complete yet; wait for it, or upload it"
            " again where it failed: GET /uploads tells how they stand."
        )
        super().__init__(f"{field}: {message}", details=(Detail(field, message),))


class PreviewTooLarge(PayloadTooLarge):
    """One row of a file is larger than a preview may be."""

    def __init__(self, filename: str, most: int) -> None:
        super().__init__(
            f"A row of {filename} takes more than the {most // MB} MB that a preview may; query"
            " some of its columns instead."
        )


class PreviewUnavailable(Unavailable):
    """A preview cannot be read just now."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; ask for the preview again in a moment.", retry_after=2)


def unknown_file(filename: str) -> NotFound:
    """Makes the refusal of a file that the upload does not have."""
    message = f"the upload has no file named {filename!r}."
    return NotFound(f"filename: {message}", details=(Detail("filename", message),))
