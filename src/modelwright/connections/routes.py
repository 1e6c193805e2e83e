"""`/database/connections`; what is brought in has its routes beside this."""

from fastapi import Depends, Request

from modelwright.connections.schemas import (
    Connection,
    ConnectionDeleted,
    ConnectionList,
    CreateConnection,
    DatabaseTable,
    TableList,
)
from modelwright.connections.service import Connections
from modelwright.core.http import idempotency
from modelwright.core.http.context import (
    Level,
    ReadContext,
    RequestContext,
    RequiredPermission,
    Scope,
    WriteContext,
)
from modelwright.core.http.paging import LongPaged, Paged, Pagination
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.core.ids import AccountId

router = ApiRouter("connections", Scope.DATASETS)


def _tried(request: Request, body: CreateConnection) -> None:
    """Opens the database before the request's transaction begins, for an admitted caller only.

    A repeated request is answered as the first was, so nothing is opened for it.
    """
    pipeline: RequestPipeline = request.app.state.pipeline
    key = request.headers.get(idempotency.HEADER)

    def look(ctx: RequestContext) -> tuple[AccountId, bool]:
        account, now = ctx.caller.account_id, pipeline.clock.now()
        return account, key is not None and idempotency.is_known(ctx.db, account, key, now)

    account, is_known = pipeline.run(
        request, RequiredPermission(Level.READ_WRITE, Scope.DATASETS), look, writes=False
    )
    if not is_known:
        service: Connections = pipeline.services[Connections]  # type: ignore[assignment]
        service.try_(account, body.target(), body.password)


@router.post_("/database/connections", dependencies=[Depends(_tried)])
def create(
    ctx: WriteContext, connections: Service[Connections], body: CreateConnection
) -> Connection:
    """Stores a database that could be opened just now."""
    return Connection.of(connections.create(ctx.db, body.name, body.target(), body.password))


@router.get_("/database/connections")
def list_(ctx: ReadContext, connections: Service[Connections], page: Paged) -> ConnectionList:
    """Lists stored databases, newest first."""
    found, total = connections.list_(ctx.db, page)
    return ConnectionList(
        connections=[Connection.of(one) for one in found], pagination=Pagination.of(page, total)
    )


@router.get_("/database/connections/{connection_id}")
def read(ctx: ReadContext, connections: Service[Connections], connection_id: str) -> Connection:
    """Reads one stored database, without its password."""
    return Connection.of(connections.read(ctx.db, connection_id))


@router.get_("/database/connections/{connection_id}/tables")
def tables(
    ctx: ReadContext, connections: Service[Connections], connection_id: str, page: LongPaged
) -> TableList:
    """Lists the tables and views that can be brought in, by name."""
    found, total = connections.tables(ctx.db, connection_id, page)
    return TableList(
        tables=[DatabaseTable.model_validate(one) for one in found],
        pagination=Pagination.of(page, total),
    )


@router.delete_("/database/connections/{connection_id}")
def delete(
    ctx: WriteContext, connections: Service[Connections], connection_id: str
) -> ConnectionDeleted:
    """Forgets a database that no schedule uses."""
    deleted_at = connections.delete(ctx.db, connection_id)
    return ConnectionDeleted(connection_id=connection_id, deleted_at=deleted_at)
