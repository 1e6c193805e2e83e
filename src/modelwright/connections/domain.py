"""The words of connections and ingestions, their moves, and what may be asked of a database.

What a host, a name or an option may hold is decided before any driver sees it, since drivers pass
it on as part of a command or an address.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from modelwright.connections.drivers.registry import DRIVERS
from modelwright.uploads.domain import CONTROL_CHARACTERS

HOST_PATTERN = r"^([A-Za-z0-9_][A-Za-z0-9_.-]*|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$"
"""A name or an address, and nothing that a driver reads otherwise."""
WORD_PATTERN = r"^[^\x00-\x1f\x7f]*$"
"""The name of a database or a user: in one line, since drivers send it before they know whether
the other side is a database, and others would take further lines for commands."""
_COMMENTS = r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/|\()*+"
"""Possessive: read in one way only, where many comments could be in more than time allows."""
_SELECTING = re.compile(_COMMENTS + r"(?:select|with|values|table)\b", re.IGNORECASE | re.DOTALL)


class ConnectionStatus(StrEnum):
    """Whether the database could be reached the last time."""

    CONNECTED = "connected"
    FAILED = "failed"


class Status(StrEnum):
    """Where an ingestion's newest run stands."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


class IngestionEvent(StrEnum):
    """What can happen to an ingestion."""

    TRIGGER = "trigger"
    BEGIN = "begin"
    FINISH = "finish"
    FAIL = "fail"


TRANSITIONS: dict[tuple[Status, IngestionEvent], Status] = {
    (Status.COMPLETED, IngestionEvent.TRIGGER): Status.PENDING,
    (Status.FAILED, IngestionEvent.TRIGGER): Status.PENDING,
    (Status.PENDING, IngestionEvent.BEGIN): Status.RUNNING,
    (Status.RUNNING, IngestionEvent.BEGIN): Status.RUNNING,
    (Status.RUNNING, IngestionEvent.FINISH): Status.COMPLETED,
    (Status.PENDING, IngestionEvent.FAIL): Status.FAILED,
    (Status.RUNNING, IngestionEvent.FAIL): Status.FAILED,
}
"""Every move there is; a run that is begun again is one whose worker was lost."""


@dataclass(frozen=True, slots=True)
class Target:
    """A database and who reads it; `database` is a file's path for a type without a port."""

    type: str
    host: str | None
    port: int | None
    database: str
    username: str | None
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OpenConnection:
    """What it takes to look into a database."""

    account_id: str
    target: Target
    password: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class ConnectionInfo:
    """What is known of a connection; the password is not among it."""

    connection_id: str
    name: str
    target: Target
    status: ConnectionStatus
    error: str | None
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class IngestionRequest:
    """What is to be brought in, and when: either a table or a query."""

    connection_id: str
    table: str | None
    query: str | None
    dataset_name: str
    schedule: str | None


@dataclass(frozen=True, slots=True)
class IngestionInfo:
    """How an ingestion stands; upload and rows are those of the newest run that came to its end."""

    ingestion_id: str
    request: IngestionRequest
    status: Status
    error: str | None
    job_id: str
    upload_id: str | None
    rows: int | None
    created_at: datetime
    completed_at: datetime | None
    next_run_at: datetime | None


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table that can be brought in; `rows` is the database's own estimate, where it has one."""

    schema: str | None
    table: str
    kind: str
    rows: int | None
    is_near: bool = True
    """Whether it is found without its schema."""

    @property
    def name(self) -> str:
        """The name to ask for it by."""
        return self.table if self.is_near else f"{self.schema}.{self.table}"


def host_fault(host: str) -> str | None:
    """Says what is wrong with a host; None when nothing is."""
    if re.fullmatch(HOST_PATTERN, host):
        return None
    return "must be one host name or address; sockets, lists and paths are not taken"


def word_fault(word: str) -> str | None:
    """Says what is wrong with the name of a database or a user; None when nothing is."""
    return None if re.fullmatch(WORD_PATTERN, word) else "must not contain control characters"


def option_fault(kind: str, options: Mapping[str, Any]) -> tuple[str, str] | None:
    """Names an option that is not taken, and says what is; None when all are."""
    offered = DRIVERS[kind].options
    for name, value in options.items():
        if name not in offered:
            known = ", ".join(offered) or "none"
            return name, f"is not an option for {kind}; there are: {known}."
        if value not in offered[name]:
            return name, f"must be one of {', '.join(offered[name])}."
    return None


def query_fault(query: str) -> str | None:
    """Says why a query is not one to read with; the database refuses what gets past this."""
    if _SELECTING.match(query):
        return None
    return "must be one statement that reads, such as SELECT … or WITH … SELECT …"


def without_semicolon(query: str) -> str:
    """Cuts the semicolons and spaces off a query's end, so that it can stand in parentheses."""
    return query.rstrip("; \t\r\n")


def filename_for(request: IngestionRequest) -> str:
    """Names the file that a run makes, after the table or the dataset."""
    name = request.table or request.dataset_name
    name = re.sub(rf"[/\\{CONTROL_CHARACTERS}]", "_", name).lstrip(".")[:200]
    return f"{name or 'rows'}.parquet"
