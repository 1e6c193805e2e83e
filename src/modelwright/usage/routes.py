"""`GET /usage`."""

from modelwright.core.errors import ValidationFailed
from modelwright.core.http.context import Reading
from modelwright.core.http.routing import Routes, Service
from modelwright.usage.schemas import Day, UsageEntry, UsageReport
from modelwright.usage.service import Usage

router = Routes("usage")
DEFAULT_DAYS = 30


@router.get_("/usage")
def read(
    act: Reading,
    usage: Service[Usage],
    start: Day | None = None,
    end: Day | None = None,
) -> UsageReport:
    """Tells what the account consumed by day, kind and key."""
    first, last = usage.days(start, end, DEFAULT_DAYS)
    if first > last:
        raise ValidationFailed.of("start", "must not be after end.")
    account = act.caller.account_id
    return UsageReport(
        start=first,
        end=last,
        consumption=usage.consumption(act.db, account),
        entries=[
            UsageEntry(day=day, kind=kind, key_id=key_id or None, quantity=quantity)
            for day, kind, key_id, quantity in usage.between(act.db, account, first, last)
        ],
    )
