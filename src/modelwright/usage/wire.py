"""Response bodies of usage."""

from datetime import date

from modelwright.core.wire import Answer


class UsageEntry(Answer):
    """What was used on one day of one kind with one key."""

    day: date
    kind: str
    key_id: str | None
    quantity: float


class UsageReport(Answer):
    """An account's usage over some days, oldest first."""

    start: date
    """First day, UTC."""
    end: date
    """Last day, UTC."""
    consumption: int
    """Units consumed since the account was made."""
    entries: list[UsageEntry]
