"""Errors of loading models and of predicting with them, under the root of all our errors."""


class ModelwrightError(Exception):
    """The root of all errors of Modelwright's packages; its text is one sentence for people."""


class ArtifactError(ModelwrightError):
    """A file is not a model that can be used: broken, changed, hostile, or of another format."""


class RowError(ModelwrightError):
    """A row that cannot be predicted; `row` counts from 0, `field` is None for the whole row."""

    def __init__(self, message: str, *, row: int, field: str | None) -> None:
        super().__init__(message)
        self.row = row
        self.field = field
