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
from modelwright.core.http.context import Act, Level, Needs, Reading, Writing
from modelwright.core.http.paging import LongPaged, Paged, Pagination
from modelwright.core.http.pipeline import Door
from modelwright.core.http.routing import Routes, Service
from modelwright.core.ids import AccountId

router = Routes("connections")


def _tried(request: Request, body: CreateConnection) -> None:
    """Opens the database before the request's transaction begins, for an admitted caller only.

    A repeated request is answered as the first was, so nothing is opened for it.
    """
    door: Door = request.app.state.door
    key = request.headers.get(idempotency.HEADER)

    def look(act: Act) -> tuple[AccountId, bool]:
        account, now = act.caller.account_id, door.clock.now()
        return account, key is not None and idempotency.is_known(act.db, account, key, now)

    account, is_known = door.run(request, Needs(Level.READ_WRITE), look, writes=False)
    if not is_known:
        service: Connections = door.services[Connections]  # type: ignore[assignment]
        service.try_(account, body.target(), body.password)


@router.post_("/database/connections", dependencies=[Depends(_tried)])
def create(act: Writing, connections: Service[Connections], body: CreateConnection) -> Connection:
    """Stores a database that could be opened just now."""
    return Connection.of(connections.create(act.db, body.name, body.target(), body.password))


@router.get_("/database/connections")
def list_(act: Reading, connections: Service[Connections], page: Paged) -> ConnectionList:
    """Lists stored databases, newest first."""
    found, total = connections.list_(act.db, page)
    return ConnectionList(
        connections=[Connection.of(one) for one in found], pagination=Pagination.of(page, total)
    )


@router.get_("/database/connections/{connection_id}")
def read(act: Reading, connections: Service[Connections], connection_id: str) -> Connection:
    """Reads one stored database, without its password."""
    return Connection.of(connections.read(act.db, connection_id))


@router.get_("/database/connections/{connection_id}/tables")
def tables(
    act: Reading, connections: Service[Connections], connection_id: str, page: LongPaged
) -> TableList:
    """Lists the tables and views that can be brought in, by name."""
    found, total = connections.tables(act.db, connection_id, page)
    return TableList(
        tables=[DatabaseTable.model_validate(one) for one in found],
        pagination=Pagination.of(page, total),
    )


@router.delete_("/database/connections/{connection_id}")
def delete(
    act: Writing, connections: Service[Connections], connection_id: str
) -> ConnectionDeleted:
    """Forgets a database that no schedule uses."""
    deleted_at = connections.delete(act.db, connection_id)
    return ConnectionDeleted(connection_id=connection_id, deleted_at=deleted_at)
