"""Refusals of the feature."""

from collections.abc import Sequence

from modelwright.core.errors import Detail, Unavailable, ValidationFailed
from modelwright.engines.language.catalog.faults import Fault


class UnfitCorrection(ValidationFailed):
    """A correction cannot be kept."""

    @classmethod
    def of_all(cls, faults: Sequence[Fault]) -> "UnfitCorrection":
        """Tells all that is wrong."""
        details = tuple(Detail(one.field, one.message) for one in faults)
        return cls(f"{faults[0].field}: {faults[0].message}", details=details)


class TooManyCorrections(ValidationFailed):
    """More is said of one dataset than is kept."""


class TablesNotRead(Unavailable):
    """The tables could not be looked at in time."""

    def __init__(self) -> None:
        super().__init__("The tables could not be read in time; try again.", retry_after=5)
