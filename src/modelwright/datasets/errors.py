"""Refusals of the room."""

from modelwright.core.errors import Conflict, Detail, NotFound


class DatasetNotComplete(Conflict):
    """The dataset's uploads are not processed yet, or have failed."""

    def __init__(self, field: str, name: str) -> None:
        message = f"no upload of {name!r} is complete yet; GET /uploads tells how they stand."
        super().__init__(f"{field}: {message}", details=(Detail(field, message),))


def unknown_file(filename: str) -> NotFound:
    """Makes the refusal of a file that the upload does not have."""
    message = f"the upload has no file named {filename!r}."
    return NotFound(f"filename: {message}", details=(Detail("filename", message),))
