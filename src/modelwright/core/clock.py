"""The one clock: UTC, milliseconds, and a twin that tests can set."""

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Returns the present moment in UTC, cut to milliseconds."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Returns the present moment in UTC, cut to milliseconds."""
        moment = datetime.now(UTC)  # noqa: TID251 - this is the clock
        return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


class FrozenClock:
    """A clock that moves only when told to."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        """Returns the moment it was set to."""
        return self.moment

    def advance(self, **delta: float) -> None:
        """Moves the clock by the given `timedelta` members."""
        self.moment += timedelta(**delta)


def iso(moment: datetime) -> str:
    """Spells a moment as ISO 8601 UTC with `Z` and at most milliseconds."""
    here = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    text = here.isoformat(timespec="milliseconds")
    return (text[:-10] if text[-10:-6] == ".000" else text[:-6]) + "Z"
