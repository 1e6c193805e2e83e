"""What runs in a session's own process: the sandbox, then DuckDB, then one query after another.

Nothing here trusts the SQL, and the process that started this one does not trust what runs here.
"""

import json
import os
import resource
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

from modelwright.engines.ingest import reading
from modelwright.engines.quoting import literal, quoted
from modelwright.engines.sql import framing, json_rendering, sandbox
from modelwright.engines.sql.error_messages import FATAL, closest_name, error_details, query_failure
from modelwright.engines.sql.failures import (
    Crashed,
    OutOfMemory,
    QueryFailed,
    SqlFailed,
    TooLarge,
    Unavailable,
)
from modelwright.engines.sql.statement_validation import allowed_names, validate_statement
from modelwright.system.parent_death import die_with_parent
from modelwright.system.process_title import set_title
from modelwright.system.sandbox import seccomp

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BATCH_ROWS = 256
"""Rows that are fetched and written at a time, so that a limit on bytes is seen soon."""
OPEN_FILES = 1024
"""Descriptors of the process: as many as a session's tables and DuckDB need."""
RECURSION_LIMIT = 8_000
"""Levels of a statement's tree; the 1,000 levels of expressions that DuckDB takes fit in."""
GRACE_SECONDS = 2.0
"""Seconds beyond a query's time after which this process ends by itself."""
DUCKDB_SHARE = 0.75
"""The part of the memory that DuckDB counts itself; the rest is for what it does not count."""
SETTINGS = (
    "SET errors_as_json=true",
    "SET parquet_metadata_cache=true",
    "SET python_enable_replacements=false",
    "SET autoinstall_known_extensions=false",
    "SET autoload_known_extensions=false",
    "SET allow_community_extensions=false",
    "SET allow_persistent_secrets=false",
    "SET temp_directory=''",
)
WARM_UP = "SELECT now(), today(), 1.5, gen_random_uuid(), 'a' ~ 'b'"


def load() -> None:
    """Import what children need, once, before they are forked; they cannot read files later."""
    import duckdb  # noqa: F401, PLC0415 - heavy, only in the process children are forked from
    import pytz  # noqa: PLC0415 - DuckDB's TIMESTAMPTZ values are built with it

    sys.setrecursionlimit(RECURSION_LIMIT)
    pytz.timezone("UTC")
    closest_name("a", allowed_names()["scalar"])
    seccomp.tables()


def run(channel: int, parent: int) -> int:
    """Serves the session at the other end of a socket.

    Args:
        channel: Descriptor of the socket.
        parent: Process id of the fork server, whose end ends this process.

    Returns:
        The process's exit status.
    """
    die_with_parent(parent)
    set_title("query")
    _keep_only(channel)
    with socket.socket(fileno=channel) as session:
        terms = json.loads(framing.receive(session))
        try:
            server = _QueryServer(terms)
        except Exception as error:  # noqa: BLE001 - whatever it was, the session must hear of it
            framing.send_json(session, {"failure": f"{type(error).__name__}: {error}"})
            return 1
        framing.send_json(session, {"columns": server.columns, "layers": server.layers})
        return server.serve(session, terms["idle_seconds"])


def _know_zone(name: str) -> None:
    """Reads what is known of a time zone, before the sandbox hides the files of it."""
    import pytz  # noqa: PLC0415 - as in `load`

    pytz.timezone(name)


def _keep_only(channel: int) -> None:
    silence = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(silence, descriptor)
    last = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    os.closerange(3, channel)
    os.closerange(channel + 1, min(last, 1 << 16))


class _QueryServer:
    """One connection in the sandbox, and the session's tables on it."""

    def __init__(self, terms: dict[str, Any]) -> None:
        paths = self.paths = {name: Path(path) for name, path in terms["tables"].items()}
        self.threads: int = terms["threads"]
        self.private = sorted(
            {str(part) for path in paths.values() for part in (path, path.parent)}
        )
        self.private.append(terms["home"])
        os.environ["HOME"] = terms["home"]
        _know_zone(terms["time_zone"])
        self.layers = sandbox.enter_sandbox(paths.values(), terms["memory_bytes"], OPEN_FILES)
        self.connection = _connect(paths, terms)
        self.columns = {name: self._columns(name) for name in paths}
        self.connection.execute(WARM_UP).fetchall()

    def _columns(self, table: str) -> list[str]:
        described = self.connection.execute(f"FROM {quoted(table)} LIMIT 0").description
        return [column[0] for column in described]

    def serve(self, session: socket.socket, idle_seconds: float) -> int:
        while True:
            try:
                order = json.loads(framing.receive(session, monotonic() + idle_seconds))
                framing.send(session)
            except (framing.Late, framing.Closed):
                return 0
            sandbox.bound_time(order["seconds"] + GRACE_SECONDS, self.threads)
            failure, parts = self.attempt(order)
            framing.send(session, *parts)
            sandbox.unbound_time()
            if isinstance(failure, OutOfMemory | Crashed):
                return 1

    def attempt(self, order: dict[str, Any]) -> tuple[QueryFailed | None, list[bytes]]:
        """The answer to one order: a line of JSON about it, then the rows."""
        try:
            return None, self.preview(order) if "preview" in order else self.answer(order)
        except QueryFailed as known:
            failure = known
        except Exception as error:  # noqa: BLE001 - sorted by kind, none may end the process
            failure = self.failed(error, order["sql"])
        return failure, [_failure_line(failure)]

    def failed(self, error: Exception, sql: str) -> QueryFailed:
        if isinstance(error, RecursionError):
            return SqlFailed("The SQL is nested too deeply; simplify it.")
        if error_details(error).get("exception_type") in FATAL:
            return Crashed("The query could not be finished; simplify it.")
        return query_failure(error, sql, self.columns, self.private)

    def answer(self, order: dict[str, Any]) -> list[bytes]:
        """Runs one statement that was found harmless; returns what it gave as JSON, in parts."""
        started = perf_counter()
        statement = validate_statement(order["sql"], list(self.columns), self.connection)
        described = self.connection.execute(statement).description
        types = [column[1] for column in described]
        if again := json_rendering.casts_for_json(statement, types):
            self.connection.execute(again)
        rows, truncated = _rows(
            self.connection.fetchmany,
            json_rendering.converters(types),
            order["max_rows"],
            order["max_bytes"],
        )
        about = {
            "columns": [column[0] for column in described],
            "types": [json_rendering.type_name(one) for one in types],
            "row_count": len(rows),
            "truncated": truncated,
            "milliseconds": (perf_counter() - started) * 1e3,
        }
        return [json.dumps(about).encode(), b"\n[", b",".join(rows), b"]"]

    def preview(self, order: dict[str, Any]) -> list[bytes]:
        """The answer to an order for rows of the only table, fewer where they are too large."""
        started, wanted = perf_counter(), order["preview"]
        (path,) = self.paths.values()
        read = reading.read_records if wanted["as_records"] else reading.read_strings
        total, columns, rows = read(self.connection, path, wanted["limit"], wanted["offset"])
        kept, size = [], 2
        for row in rows:
            kept.append(json_rendering.encode(row))
            size += len(kept[-1]) + 1
            if size > order["max_bytes"]:
                kept.pop()
                break
        if rows and not kept:
            raise TooLarge(f"One row is larger than {order['max_bytes']:,} bytes.")
        about = {
            "columns": columns,
            "types": [],
            "row_count": len(kept),
            "truncated": len(kept) < len(rows),
            "milliseconds": (perf_counter() - started) * 1e3,
            "total_rows": total,
        }
        return [json.dumps(about).encode(), b"\n[", b",".join(kept), b"]"]


def _rows(
    fetch: Callable[[int], list[tuple[Any, ...]]],
    conversions: list[tuple[int, json_rendering.Converter]],
    max_rows: int,
    max_bytes: int,
) -> tuple[list[bytes], bool]:
    """The rows as JSON as far as they may go, and whether there were more."""
    rendered: list[bytes] = []
    size = 2
    while batch := fetch(min(BATCH_ROWS, max_rows + 1 - len(rendered))):
        for row in batch:
            if len(rendered) == max_rows:
                return rendered, True
            text = json_rendering.render(row, conversions)
            size += len(text) + 1
            if size > max_bytes:
                if not rendered:
                    raise TooLarge(f"One row of the result is larger than {max_bytes:,} bytes.")
                return rendered, True
            rendered.append(text)
    return rendered, False


def _failure_line(failure: QueryFailed) -> bytes:
    document: dict[str, Any] = {"failure": type(failure).__name__, "message": failure.message}
    if isinstance(failure, SqlFailed):
        document |= {"position": failure.position, "suggestion": failure.suggestion}
    return json.dumps(document).encode()


def _connect(paths: dict[str, Path], terms: dict[str, Any]) -> "DuckDBPyConnection":
    """DuckDB in memory with the tables as views, closed to everything else."""
    import duckdb  # noqa: PLC0415 - heavy, only in the process children are forked from

    memory = int(terms["memory_bytes"] * DUCKDB_SHARE)
    config = {
        "threads": terms["threads"],
        "memory_limit": f"{memory}B",
        "home_directory": terms["home"],
    }
    connection = duckdb.connect(":memory:", config=config)
    for name, path in paths.items():
        if set("*?[") & set(str(path)):
            raise Unavailable("The path of a table may not hold *, ? or [.")
        connection.execute(f"CREATE VIEW {quoted(name)} AS FROM read_parquet({literal(str(path))})")
    for setting in (*SETTINGS, f"SET TimeZone={literal(terms['time_zone'])}"):
        connection.execute(setting)
    permitted = ", ".join(literal(str(path)) for path in paths.values())
    connection.execute(f"SET allowed_paths=[{permitted}]")
    connection.execute("SET enable_external_access=false")
    connection.execute("SET lock_configuration=true")
    return connection
