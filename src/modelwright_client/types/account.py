"""What the server answers about keys, the account, stored databases and consumption."""

from typing import Literal, NotRequired, TypedDict

from modelwright_client.types.paging import Pagination

Level = Literal["read_only", "read_write", "admin"]


class KeyCreated(TypedDict):
    """A new key; `key` is shown this once."""

    key_id: str
    name: str
    key: str
    permission_level: Level
    created_at: str
    expires_at: str | None
    created_by: str


class Key(TypedDict):
    """A key without its secret."""

    key_id: str
    name: str
    key_prefix: str
    key_suffix: str
    permission_level: Level
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    status: Literal["active", "revoked"]
    created_by: str
    usage_stats: NotRequired[dict[str, int]]


class KeyPage(TypedDict):
    """One page of keys, newest first."""

    keys: list[Key]
    pagination: Pagination


class KeyRevoked(TypedDict):
    """The answer to a revocation."""

    key_id: str
    status: Literal["revoked"]
    revoked_at: str


class User(TypedDict):
    """The account the key belongs to."""

    user_id: str
    email: str
    name: str
    user_name: str
    credits: int
    consumption: int
    is_active: bool
    has_api_key: bool
    permission_level: Literal["read_only", "read_write", "admin"]


class UsageEntry(TypedDict):
    """What was used on one day, of one kind, with one key."""

    day: str
    kind: str
    key_id: str | None
    quantity: float


class UsageReport(TypedDict):
    """What an account used between two days; `consumption` counts units since its beginning."""

    start: str
    end: str
    consumption: int
    entries: list[UsageEntry]


class AuditEntry(TypedDict):
    """One thing that was done: by whom, to what, from where."""

    entry_id: str
    at: str
    account_id: str
    actor: str
    key_id: str | None
    operation: str
    resource: str
    path: str
    address: str
    request_id: str


class AuditLog(TypedDict):
    """One page of what was done on the server, newest first."""

    entries: list[AuditEntry]
    pagination: Pagination


class Connection(TypedDict):
    """A stored database; the password never comes back."""

    connection_id: str
    name: str
    type: str
    host: str | None
    port: int | None
    database: str
    username: str | None
    options: dict[str, str]
    status: Literal["connected", "failed"]
    created_at: str
    last_used_at: str | None
    error: NotRequired[str | None]


class ConnectionPage(TypedDict):
    """One page of connections, newest first."""

    connections: list[Connection]
    pagination: Pagination


class ConnectionDeleted(TypedDict):
    """The answer to a deletion."""

    connection_id: str
    status: Literal["deleted"]
    deleted_at: str


class DatabaseTable(TypedDict):
    """A table or view that can be brought in by its name."""

    name: str
    schema: str | None
    kind: Literal["table", "view"]
    rows: int | None


class DatabaseTablePage(TypedDict):
    """One page of a database's tables, by name."""

    tables: list[DatabaseTable]
    pagination: Pagination


class Ingestion(TypedDict):
    """Data brought in from a database, once or on a schedule; each run is an upload."""

    ingestion_id: str
    connection_id: str
    table: str | None
    query: str | None
    dataset_name: str
    schedule: str | None
    status: Literal["pending", "running", "completed", "failed"]
    error: str | None
    job_id: str
    upload_id: str | None
    rows: int | None
    created_at: str
    completed_at: str | None
    next_run_at: str | None


class IngestionPage(TypedDict):
    """One page of ingestions, newest first."""

    ingestions: list[Ingestion]
    pagination: Pagination


class IngestionDeleted(TypedDict):
    """The answer to a deletion."""

    ingestion_id: str
    status: Literal["deleted"]
    deleted_at: str
