"""Response bodies of usage."""

import re
from datetime import date
from typing import Annotated, Any

from pydantic import BeforeValidator

from modelwright.core.http.schemas import ResponseBody


def _day(told: Any) -> Any:
    if isinstance(told, str) and not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", told):
        raise ValueError("must be a day such as 2026-03-02")
    return told


Day = Annotated[date, BeforeValidator(_day)]
"""A day in ISO 8601, and no number of seconds."""


class UsageEntry(ResponseBody):
    """Consumption of one day, kind and key."""

    day: date
    kind: str
    key_id: str | None
    quantity: float


class UsageReport(ResponseBody):
    """An account's usage over some days, oldest first."""

    start: date
    """First day, UTC."""
    end: date
    """Last day, UTC."""
    consumption: int
    """Units consumed since the account was made."""
    entries: list[UsageEntry]
