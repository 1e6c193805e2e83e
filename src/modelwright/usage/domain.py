"""What is counted, and what one unit of consumption is."""

from datetime import datetime
from enum import StrEnum


class Kind(StrEnum):
    """A kind of counted work."""

    REQUESTS = "requests"
    PREDICTIONS = "predictions"
    BUILD_MINUTES = "build_minutes"
    GIGABYTES_PROCESSED = "gigabytes_processed"


DAYS_BY_HOURS = 31
"""Days that are kept by the hour; 30 of them are asked for so."""
UNITS: dict[Kind, float] = {
    Kind.PREDICTIONS: 1000.0,
    Kind.BUILD_MINUTES: 1.0,
    Kind.GIGABYTES_PROCESSED: 1.0,
}
"""How much of a kind adds one to `consumption`; kinds not named here cost nothing."""


def consumption(totals: dict[Kind, float]) -> int:
    """Counts the whole units in what was used."""
    return sum(int(totals.get(kind, 0.0) / unit) for kind, unit in UNITS.items())


def hour_of(moment: datetime) -> datetime:
    """Returns the start of a moment's hour."""
    return moment.replace(minute=0, second=0, microsecond=0)
