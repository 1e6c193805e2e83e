"""`…/endpoints`: which version is in service; the feature predictions answers at the addresses.

An address that stays while versions change lets a client be deployed once; which version answers is
moved here without touching it.
"""

from collections.abc import Callable

from modelwright.core.http.context import ReadContext, Scope, WriteContext
from modelwright.core.http.paging import LongPaged, Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Prepared, Service
from modelwright.endpoints.schemas import (
    EndpointChange,
    EndpointDetail,
    EndpointHistory,
    EndpointList,
    Promote,
)
from modelwright.endpoints.service import Endpoints
from modelwright.models.domain import ServedVersion

router = ApiRouter("endpoints", Scope.MODELS)


@router.get_("/models/{model_name}/endpoints")
def list_(
    ctx: ReadContext, endpoints: Service[Endpoints], model_name: str, page: Paged
) -> EndpointList:
    """Lists a model's endpoints, production first."""
    found, total = endpoints.list_(ctx.db, model_name, page)
    return EndpointList(
        model_name=model_name,
        endpoints=[EndpointDetail.of(facts, ctx.base_url) for facts in found],
        pagination=Pagination.of(page, total),
    )


@router.get_("/models/{model_name}/endpoints/{environment}")
def read(
    ctx: ReadContext, endpoints: Service[Endpoints], model_name: str, environment: str
) -> EndpointDetail:
    """Tells which version is in service in an environment, and since when."""
    return EndpointDetail.of(endpoints.read(ctx.db, model_name, environment), ctx.base_url)


@router.get_("/models/{model_name}/endpoints/{environment}/history")
def history(
    ctx: ReadContext,
    endpoints: Service[Endpoints],
    model_name: str,
    environment: str,
    page: LongPaged,
) -> EndpointHistory:
    """Lists which version was in service from when to when, newest first."""
    found, total = endpoints.history(ctx.db, model_name, environment, page)
    return EndpointHistory(
        model_name=model_name,
        environment=environment,
        changes=[EndpointChange.showing(one) for one in found],
        pagination=Pagination.of(page, total),
    )


def _load_candidate(
    ctx: WriteContext,
    endpoints: Service[Endpoints],
    model_name: str,
    environment: str,
    body: Promote,
) -> Callable[[], str]:
    version = endpoints.candidate(ctx.db, model_name, environment, body.model_version)
    return _loading(endpoints, version, version.version_id)


@router.patch_("/models/{model_name}/endpoints/{environment}", first=_load_candidate)
def promote(
    ctx: WriteContext,
    endpoints: Service[Endpoints],
    loaded: Prepared[str],
    model_name: str,
    environment: str,
    body: Promote,
) -> EndpointDetail:
    """Puts a version in service at once; nothing that is being answered fails."""
    wanted = body.model_version
    facts = endpoints.promote(ctx.db, ctx.caller, model_name, environment, wanted, loaded)
    return EndpointDetail.of(facts, ctx.base_url)


def _load_former(
    ctx: WriteContext, endpoints: Service[Endpoints], model_name: str, environment: str
) -> Callable[[], str]:
    change_id, version = endpoints.former(ctx.db, model_name, environment)
    return _loading(endpoints, version, change_id)


@router.post_("/models/{model_name}/endpoints/{environment}/rollback", first=_load_former)
def rollback(
    ctx: WriteContext,
    endpoints: Service[Endpoints],
    seen: Prepared[str],
    model_name: str,
    environment: str,
) -> EndpointDetail:
    """Puts the version in service again that was there before, at once."""
    facts = endpoints.rollback(ctx.db, ctx.caller, model_name, environment, seen)
    return EndpointDetail.of(facts, ctx.base_url)


def _loading(endpoints: Endpoints, version: ServedVersion, looked_at: str) -> Callable[[], str]:
    """Loads a version between the two transactions; the second learns what the first looked at."""

    def load() -> str:
        endpoints.load(version)
        return looked_at

    return load
