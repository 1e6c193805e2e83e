"""`/database/connections`; what is brought in has its routes beside this."""

from collections.abc import Callable

from modelwright.connections.domain import OpenConnection
from modelwright.connections.schemas import (
    Connection,
    ConnectionDeleted,
    ConnectionList,
    CreateConnection,
    DatabaseTable,
    TableList,
)
from modelwright.connections.service import Connections
from modelwright.core.http.context import ReadContext, Scope, WriteContext
from modelwright.core.http.paging import LongPaged, Page, Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Prepared, Service

router = ApiRouter("connections", Scope.DATASETS)


def _try(
    ctx: WriteContext, connections: Service[Connections], body: CreateConnection
) -> Callable[[], None]:
    """Opens the database before the request's transaction begins."""
    account = ctx.caller.account_id
    return lambda: connections.try_(account, body.target(), body.password)


@router.post_("/database/connections", first=_try)
def create(
    ctx: WriteContext,
    connections: Service[Connections],
    body: CreateConnection,
    tried: Prepared[None],  # noqa: ARG001 - it refuses, and tells nothing
) -> Connection:
    """Stores a connection to a database, which must open now."""
    return Connection.of(connections.create(ctx.db, body.name, body.target(), body.password))


@router.get_("/database/connections")
def list_(ctx: ReadContext, connections: Service[Connections], page: Paged) -> ConnectionList:
    """Lists stored connections, newest first."""
    found, total = connections.list_(ctx.db, page)
    return ConnectionList(
        connections=[Connection.of(one) for one in found], pagination=Pagination.of(page, total)
    )


@router.get_("/database/connections/{connection_id}")
def read(ctx: ReadContext, connections: Service[Connections], connection_id: str) -> Connection:
    """Reads a stored connection, without its password."""
    return Connection.of(connections.read(ctx.db, connection_id))


def _tables(found: tuple[OpenConnection, Page], connections: Connections) -> TableList:
    opened, page = found
    tables, total = connections.tables(opened, page)
    return TableList(
        tables=[DatabaseTable.model_validate(one) for one in tables],
        pagination=Pagination.of(page, total),
    )


@router.get_("/database/connections/{connection_id}/tables", then=_tables)
def tables(
    ctx: ReadContext, connections: Service[Connections], connection_id: str, page: LongPaged
) -> tuple[OpenConnection, Page]:
    """Lists the tables and views that can be imported, by name."""
    return connections.open(ctx.db, connection_id), page


@router.delete_("/database/connections/{connection_id}")
def delete(
    ctx: WriteContext, connections: Service[Connections], connection_id: str
) -> ConnectionDeleted:
    """Deletes a connection that no schedule uses."""
    deleted_at = connections.delete(ctx.db, connection_id)
    return ConnectionDeleted(connection_id=connection_id, deleted_at=deleted_at)
