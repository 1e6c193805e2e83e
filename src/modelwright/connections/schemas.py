"""What connections and ingestions are asked and what they answer.

No answer has a member for the password: what is sealed once is never shown again.
"""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field

from modelwright.connections.domain import (
    HOST_PATTERN,
    WORD_PATTERN,
    ConnectionInfo,
    IngestionInfo,
    IngestionRequest,
    Target,
    host_fault,
    query_fault,
    word_fault,
)
from modelwright.connections.drivers.registry import DRIVERS
from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import (
    Name,
    RequestBody,
    ResponseBody,
    Text,
    Timestamp,
    validated_by,
)
from modelwright.uploads.domain import name_fault

if TYPE_CHECKING:
    DatabaseType = str
else:
    DatabaseType = Literal[tuple(DRIVERS)]

Word = Annotated[Text, Field(json_schema_extra={"pattern": WORD_PATTERN}), validated_by(word_fault)]


class CreateConnection(RequestBody):
    """A connection to be stored; it is opened once as a test."""

    name: Annotated[Name, Field(max_length=255)]
    type: DatabaseType
    """`mysql` is MariaDB too."""
    host: (
        Annotated[
            str,
            Field(max_length=253, json_schema_extra={"pattern": HOST_PATTERN}),
            validated_by(host_fault),
        ]
        | None
    ) = None
    """Name or address; needed except for `sqlite`."""
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """By default 5432 for `postgresql`, 3306 for `mysql`."""
    database: Annotated[Word, Field(min_length=1, max_length=1024)]
    """For `sqlite`: a path inside the folder that the operator names."""
    username: Annotated[Word, Field(min_length=1, max_length=255)] | None = None
    """Needed except for `sqlite`."""
    password: Annotated[Text | None, Field(max_length=4096, repr=False)] = None
    """Sealed at rest; it never comes back."""
    options: dict[str, Text] | None = None
    """`sslmode`: `disable`, `prefer` (the default), `require` or `verify-full`."""

    def target(self) -> Target:
        """Reads the body as the feature's own terms."""
        return Target(
            self.type,
            self.host,
            self.port,
            self.database,
            self.username,
            self.options or {},
        )


class Connection(ResponseBody):
    """A stored connection, without its password."""

    connection_id: str
    name: str
    type: str
    host: str | None
    port: int | None
    database: str
    username: str | None
    options: dict[str, str]
    status: Literal["connected", "failed"]
    """Whether it could be reached the last time."""
    error: str | None
    created_at: Timestamp
    last_used_at: Timestamp | None

    @classmethod
    def of(cls, facts: ConnectionInfo) -> Self:
        """Shows a connection."""
        return cls.showing(facts, **asdict(facts.target))


class ConnectionList(ResponseBody):
    """A page of connections, newest first."""

    connections: list[Connection]
    pagination: Pagination


class ConnectionDeleted(ResponseBody):
    """A deleted connection."""

    connection_id: str
    status: Literal["deleted"] = "deleted"
    deleted_at: Timestamp


class DatabaseTable(ResponseBody):
    """A table that can be imported."""

    name: str
    """What to ask for it by: with its schema where it is not found without."""
    schema_: Annotated[str | None, Field(serialization_alias="schema", validation_alias="schema")]
    kind: Literal["table", "view"]
    rows: int | None
    """The database's own estimate, where it has one."""


class TableList(ResponseBody):
    """A page of a database's tables, by name."""

    tables: list[DatabaseTable]
    pagination: Pagination


class CreateIngestion(RequestBody):
    """What to import: either `table` or `query`."""

    connection_id: Text
    table: Annotated[Text, Field(min_length=1, max_length=512)] | None = None
    query: Annotated[Text, Field(max_length=100_000), validated_by(query_fault)] | None = None
    """One statement that reads; the database sees it in a read-only transaction."""
    dataset_name: Annotated[str, validated_by(name_fault)]
    """Every run is a new version of this dataset."""
    schedule: Annotated[str, Field(max_length=255)] | None = None
    """A cron line in UTC: minute, hour, day of month, month, day of week."""

    def to_request(self) -> IngestionRequest:
        """Reads the body as the feature's own terms."""
        return IngestionRequest(
            self.connection_id, self.table, self.query, self.dataset_name, self.schedule
        )


class Ingestion(ResponseBody):
    """The state of an ingestion."""

    ingestion_id: str
    connection_id: str
    table: str | None
    query: str | None
    dataset_name: str
    schedule: str | None
    status: Literal["pending", "running", "completed", "failed"]
    """Of the newest run; completed means that its upload is in place and being processed."""
    error: str | None
    job_id: str
    """The newest run's."""
    upload_id: str | None
    """Of the newest run that was completed."""
    rows: int | None
    created_at: Timestamp
    completed_at: Timestamp | None
    next_run_at: Timestamp | None

    @classmethod
    def of(cls, facts: IngestionInfo) -> Self:
        """Shows an ingestion."""
        return cls.showing(facts, **asdict(facts.request))


class IngestionList(ResponseBody):
    """A page of ingestions, newest first."""

    ingestions: list[Ingestion]
    pagination: Pagination


class IngestionDeleted(ResponseBody):
    """A deleted ingestion."""

    ingestion_id: str
    status: Literal["deleted"] = "deleted"
    deleted_at: Timestamp
