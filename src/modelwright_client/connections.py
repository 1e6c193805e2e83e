"""Stored databases, and what is brought in from them."""

from collections.abc import Mapping

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.arguments import refuse_misread
from modelwright_client.types import (
    Connection,
    ConnectionDeleted,
    ConnectionList,
    Ingestion,
    IngestionDeleted,
    IngestionList,
    TableList,
)


class Connections(Resource):
    """Connections to databases."""

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
        """Stores a connection; one that cannot be opened is a `ValidationError` with the reason.

        Args:
            name: Name for people.
            type: postgresql, mysql or sqlite.
            database: Name of the database; of SQLite the path that the operator allowed.
            host: Host of the server.
            port: Port, where it is not the usual one.
            username: Who signs in.
            password: Sealed when it is stored; never shown again.
            options: Further options of the driver, such as `sslmode`.

        Returns:
            The stored connection, without its password.
        """
        refuse_misread("options", options, Mapping[str, str])
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
        return self._calls.post("/database/connections", Connection, drop_none(body))

    def list(self, *, limit: int | None = None, offset: int | None = None) -> ConnectionList:
        """Lists the account's connections.

        Args:
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of connections, without their passwords.
        """
        query = {"limit": limit, "offset": offset}
        return self._calls.get("/database/connections", ConnectionList, query)

    def read(self, connection_id: str) -> Connection:
        """Shows one connection.

        Args:
            connection_id: Id of the connection.

        Returns:
            The connection, without its password, and whether it could last be opened.
        """
        return self._calls.get(path("database", "connections", connection_id), Connection)

    def tables(
        self, connection_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> TableList:
        """Lists the tables and views that can be imported, 100 a page.

        Args:
            connection_id: Id of the connection.
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of tables and views, each with its schema.
        """
        where = path("database", "connections", connection_id, "tables")
        return self._calls.get(where, TableList, {"limit": limit, "offset": offset})

    def delete(self, connection_id: str) -> ConnectionDeleted:
        """Deletes a connection; refused with `ConflictError` while a schedule uses it.

        Args:
            connection_id: Id of the connection.

        Returns:
            The id of what was deleted.
        """
        return self._calls.delete(path("database", "connections", connection_id), ConnectionDeleted)


class Ingestions(Resource):
    """Imports from databases."""

    def create(
        self,
        connection_id: str,
        *,
        dataset_name: str,
        table: str | None = None,
        query: str | None = None,
        schedule: str | None = None,
    ) -> Ingestion:
        """Imports a table or a query's result, now and on the schedule, a cron line in UTC.

        Args:
            connection_id: Id of the connection.
            dataset_name: Name of the dataset that the rows become a version of.
            table: The table to bring in; or give a query.
            query: One SELECT whose result is brought in.
            schedule: When to bring it in again, as a cron line in UTC.

        Returns:
            The ingestion; its `upload_id` is known once its first run has ended.
        """
        body = {
            "connection_id": connection_id,
            "table": table,
            "query": query,
            "dataset_name": dataset_name,
            "schedule": schedule,
        }
        return self._calls.post("/database/ingest", Ingestion, drop_none(body))

    def list(self, *, limit: int | None = None, offset: int | None = None) -> IngestionList:
        """Lists the account's ingestions.

        Args:
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of ingestions, each with its last and next run.
        """
        query = {"limit": limit, "offset": offset}
        return self._calls.get("/database/ingest", IngestionList, query)

    def read(self, ingestion_id: str) -> Ingestion:
        """Shows one ingestion.

        Args:
            ingestion_id: Id of the ingestion.

        Returns:
            The ingestion with its status, its last upload and its next run.
        """
        return self._calls.get(path("database", "ingest", ingestion_id), Ingestion)

    def retrigger(self, ingestion_id: str) -> Ingestion:
        """Imports the data again.

        Args:
            ingestion_id: Id of the ingestion.

        Returns:
            The ingestion, running.
        """
        return self._calls.post(path("database", "ingest", ingestion_id, "retrigger"), Ingestion)

    def delete(self, ingestion_id: str) -> IngestionDeleted:
        """Deletes an ingestion and its schedule; the uploads it made stay.

        Args:
            ingestion_id: Id of the ingestion.

        Returns:
            The id of what was deleted.
        """
        return self._calls.delete(path("database", "ingest", ingestion_id), IngestionDeleted)
