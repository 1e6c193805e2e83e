"""`GET /usage`."""

from modelwright.core.errors import ValidationFailed
from modelwright.core.http.context import ReadContext
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.usage.schemas import Day, UsageEntry, UsageReport
from modelwright.usage.service import Usage

router = ApiRouter("usage")
DEFAULT_DAYS = 30
"""Days that a report covers unless told otherwise."""


@router.get_("/usage")
def read(
    ctx: ReadContext,
    usage: Service[Usage],
    start: Day | None = None,
    end: Day | None = None,
) -> UsageReport:
    """Lists what the account consumed by day, kind and key."""
    first, last = usage.days(start, end, DEFAULT_DAYS)
    if first > last:
        raise ValidationFailed.of("start", "must not be after end.")
    account = ctx.caller.account_id
    return UsageReport(
        start=first,
        end=last,
        consumption=usage.consumption(ctx.db, account),
        entries=[
            UsageEntry(day=day, kind=kind, key_id=key_id or None, quantity=quantity)
            for day, kind, key_id, quantity in usage.between(ctx.db, account, first, last)
        ],
    )
