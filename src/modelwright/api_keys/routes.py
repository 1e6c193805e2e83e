"""`/auth/api-keys`."""

from modelwright.api_keys.domain import Status
from modelwright.api_keys.schemas import (
    AmendKey,
    IssueKey,
    KeyDetail,
    KeyIssued,
    KeyList,
    KeyRevoked,
    KeySummary,
    RotateKey,
    UsageStats,
)
from modelwright.api_keys.service import Keys
from modelwright.core.http.context import ReadContext, WriteContext
from modelwright.core.http.paging import Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.usage.service import Usage

router = ApiRouter("keys")


@router.post_("/auth/api-keys")
def create(ctx: WriteContext, keys: Service[Keys], body: IssueKey) -> KeyIssued:
    """Makes a key; this answer alone shows it."""
    keys.count(ctx)
    issued = keys.create(ctx.db, ctx.caller, body.to_request())
    return KeyIssued.showing(issued.facts, key=issued.secret)


@router.get_("/auth/api-keys")
def list_(
    ctx: ReadContext, keys: Service[Keys], page: Paged, status: Status | None = None
) -> KeyList:
    """Lists the account's keys, newest first."""
    found, total = keys.list_(ctx.db, status, page)
    return KeyList(
        keys=[KeySummary.model_validate(key) for key in found],
        pagination=Pagination.of(page, total),
    )


@router.get_("/auth/api-keys/{keyId}")
def read(
    ctx: ReadContext,
    keys: Service[Keys],
    usage: Service[Usage],
    keyId: str,  # noqa: N803 - contract
) -> KeyDetail:
    """Reads a key and how much it was used."""
    key = keys.read(ctx.db, keyId)
    day, week, month = usage.requests_of(ctx.db, keyId)
    stats = UsageStats(requests_last_24h=day, requests_last_7d=week, requests_last_30d=month)
    return KeyDetail.showing(key, usage_stats=stats)


@router.patch_("/auth/api-keys/{keyId}")
def amend(ctx: WriteContext, keys: Service[Keys], keyId: str, body: AmendKey) -> KeySummary:  # noqa: N803
    """Changes a key's name or expiry."""
    if "name" in body.model_fields_set:
        keys.rename(ctx.db, ctx.caller, keyId, body.name)
    if "expiration_days" in body.model_fields_set:
        keys.expire_in(ctx.db, ctx.caller, keyId, body.expiration_days)
    return KeySummary.model_validate(keys.read(ctx.db, keyId))


@router.post_("/auth/api-keys/{keyId}/rotate")
def rotate(
    ctx: WriteContext,
    keys: Service[Keys],
    keyId: str,  # noqa: N803 - contract
    body: RotateKey | None = None,
) -> KeyIssued:
    """Gives a key a new secret, shown only now; the present one works for some hours more."""
    keys.count(ctx)
    hours = (body or RotateKey()).overlap_hours
    issued = keys.rotate(ctx.db, keyId, hours, ctx.caller)
    return KeyIssued.showing(issued.facts, key=issued.secret)


@router.delete_("/auth/api-keys/{keyId}")
def revoke(ctx: WriteContext, keys: Service[Keys], keyId: str) -> KeyRevoked:  # noqa: N803
    """Revokes a key for good."""
    return KeyRevoked.model_validate(keys.revoke(ctx.db, keyId, ctx.caller))
