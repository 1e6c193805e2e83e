"""Stored databases, and what is brought in from them."""

from collections.abc import Mapping

from modelwright_client._http import Calls, given, path
from modelwright_client.types import (
    Connection,
    ConnectionDeleted,
    ConnectionList,
    Ingestion,
    IngestionDeleted,
    IngestionList,
    TableList,
)


class Connections:
    """Verbs of the connections room."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(
        self,
        name: str,
        type: str,  # noqa: A002 - the contract's word
        *,
        database: str,
        host: str | None = None,
        port: int | None = None,
        username: str | None = None,
        password: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> Connection:
        """Stores a connection; one that cannot be opened is a `ValidationError` with the reason."""
        body = {
            "name": name,
            "type": type,
            "host": host,
            "port": port,
            "database": database,
            "username": username,
            "password": password,
            "options": options,
        }
        return self._calls.post("/database/connections", Connection, given(body))

    def list(self, *, limit: int | None = None, offset: int | None = None) -> ConnectionList:
        """Lists the account's connections."""
        query = {"limit": limit, "offset": offset}
        return self._calls.get("/database/connections", ConnectionList, query)

    def read(self, connection_id: str) -> Connection:
        """Shows one connection."""
        return self._calls.get(path("database", "connections", connection_id), Connection)

    def tables(
        self, connection_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> TableList:
        """Lists the tables and views that can be brought in, 100 a page."""
        where = path("database", "connections", connection_id, "tables")
        return self._calls.get(where, TableList, {"limit": limit, "offset": offset})

    def delete(self, connection_id: str) -> ConnectionDeleted:
        """Forgets a connection; refused with `ConflictError` while a schedule uses it."""
        return self._calls.delete(path("database", "connections", connection_id), ConnectionDeleted)


class Ingestions:
    """What is brought in from stored databases."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(
        self,
        connection_id: str,
        *,
        dataset_name: str,
        table: str | None = None,
        query: str | None = None,
        schedule: str | None = None,
    ) -> Ingestion:
        """Brings in a table or a query's result, now and whenever the cron line (UTC) says."""
        body = {
            "connection_id": connection_id,
            "table": table,
            "query": query,
            "dataset_name": dataset_name,
            "schedule": schedule,
        }
        return self._calls.post("/database/ingest", Ingestion, given(body))

    def list(self, *, limit: int | None = None, offset: int | None = None) -> IngestionList:
        """Lists the account's ingestions."""
        query = {"limit": limit, "offset": offset}
        return self._calls.get("/database/ingest", IngestionList, query)

    def read(self, ingestion_id: str) -> Ingestion:
        """Shows one ingestion."""
        return self._calls.get(path("database", "ingest", ingestion_id), Ingestion)

    def retrigger(self, ingestion_id: str) -> Ingestion:
        """Brings the data in once more."""
        return self._calls.post(path("database", "ingest", ingestion_id, "retrigger"), Ingestion)

    def delete(self, ingestion_id: str) -> IngestionDeleted:
        """Ends an ingestion and its schedule; the uploads it made stay."""
        return self._calls.delete(path("database", "ingest", ingestion_id), IngestionDeleted)
