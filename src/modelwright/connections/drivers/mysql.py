"""MySQL and MariaDB, row by row from an unbuffered cursor in a read-only transaction.

The server sends text, which Arrow reads into types, a batch of a column at a time.
"""

import socket
import ssl
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pymysql
from pymysql.constants import ER, FIELD_TYPE, FLAG
from pymysql.converters import conversions
from pymysql.cursors import SSCursor

from modelwright.connections.domain import FoundTable
from modelwright.connections.parquet_writer import (
    Payload,
    RowBatch,
    pick,
    sentence,
    unreachable,
    unreadable,
    whole_number,
)

BATCH_ROWS = 5_000
BINARY = 63
"""The character set that is none."""
_LISTING = """
select table_name, table_type, table_rows from information_schema.tables
where table_schema = database() and table_type in ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')
order by table_name
"""
_ENCODERS: dict[int | type[Any], Any] = {
    kind: encode for kind, encode in conversions.items() if not isinstance(kind, int)
}
_NO_DATE = r"^0000|-00"
_WHOLE = {
    FIELD_TYPE.TINY,
    FIELD_TYPE.SHORT,
    FIELD_TYPE.INT24,
    FIELD_TYPE.LONG,
    FIELD_TYPE.LONGLONG,
    FIELD_TYPE.YEAR,
}
_FRACTIONS = {FIELD_TYPE.FLOAT, FIELD_TYPE.DOUBLE, FIELD_TYPE.DECIMAL, FIELD_TYPE.NEWDECIMAL}
_FIELDS = {
    ER.ACCESS_DENIED_ERROR: "password",
    ER.BAD_DB_ERROR: "database",
    ER.DBACCESS_DENIED_ERROR: "database",
}
_CLEAR = {b"mysql_clear_password", b"dialog"}
"""Ways to sign in that send the password as it is."""
_TEXTS = {FIELD_TYPE.JSON, FIELD_TYPE.TIME, FIELD_TYPE.NULL}
_MOMENTS = {FIELD_TYPE.DATETIME, FIELD_TYPE.TIMESTAMP}


if TYPE_CHECKING:
    _Base = pymysql.Connection[SSCursor]
else:
    _Base = pymysql.Connection


class _Connection(_Base):
    """A connection that gives its password to nobody in clear."""

    def _process_auth(self, plugin_name: bytes, *rest: Any) -> Any:
        if plugin_name in _CLEAR and not self._secure:  # type: ignore[attr-defined]
            raise pymysql.OperationalError(
                ER.ACCESS_DENIED_ERROR,
                "The server asks for the password in clear, and there is no TLS: it was not sent",
            )
        return super()._process_auth(plugin_name, *rest)  # type: ignore[misc]


class MySql:
    """One connection, inside one read-only transaction that sees one moment."""

    def __init__(self, target: Payload, addresses: list[str], seconds: float) -> None:
        try:
            self._db = _Connection(
                host=target["host"],
                port=target["port"],
                user=target["username"],
                password=target["password"] or "",
                database=target["database"],
                charset="utf8mb4",
                conv=_ENCODERS,
                cursorclass=SSCursor,
                connect_timeout=target["connect_seconds"],
                read_timeout=seconds,
                write_timeout=target["connect_seconds"],
                local_infile=False,
                program_name="modelwright",
                defer_connect=True,
                **_security(target["options"].get("sslmode", "prefer")),
            )
            self._db.connect(_socket(addresses, target["port"], target["connect_seconds"]))
            self._prepare(seconds)
        except (pymysql.Error, OSError) as fault:
            code = fault.args[0] if fault.args else 0
            raise unreachable(_reason(fault), _FIELDS.get(code, "host")) from None

    def _prepare(self, seconds: float) -> None:
        is_maria = "mariadb" in self._db.get_server_info().lower()  # type: ignore[no-untyped-call]
        limit = (
            f"max_statement_time = {seconds:.0f}"
            if is_maria
            else f"max_execution_time = {seconds * 1000:.0f}"
        )
        for statement in (
            f"set session {limit}",
            "set session time_zone = '+00:00', net_write_timeout = 600",
            "set session transaction isolation level repeatable read",
            "start transaction with consistent snapshot, read only",
        ):
            self._execute(statement).close()

    def _execute(self, statement: str) -> SSCursor:
        cursor = self._db.cursor()
        cursor.execute(statement)
        return cursor

    def close(self) -> None:
        """Ends the connection at once, also in the middle of a result."""
        self._db._force_close()  # type: ignore[attr-defined]  # noqa: SLF001 - close() reads the rest first

    def tables(self) -> list[FoundTable]:
        """Lists what the user may read in the database."""
        with self._execute(_LISTING) as cursor:
            return [
                FoundTable(
                    self._db.db.decode() if isinstance(self._db.db, bytes) else self._db.db,
                    name,
                    "view" if kind == "VIEW" else "table",
                    int(rows) if rows else None,
                )
                for name, kind, rows in cursor.fetchall()
            ]

    def table(self, name: str) -> RowBatch:
        """Reads a table."""
        quoted = pick(self.tables(), name).table.replace("`", "``")
        return self._rows(f"select * from `{quoted}`", "table")  # noqa: S608 - the user's own query, or a quoted name

    def query(self, query: str) -> RowBatch:
        """Reads a query's result."""
        return self._rows(f"select * from ({query}\n) as q", "query")  # noqa: S608 - the user's own query, or a quoted name

    def _rows(self, statement: str, field: str) -> RowBatch:
        try:
            cursor = self._execute(statement)
        except pymysql.Error as fault:
            raise unreadable(_reason(fault), field) from None
        fields = cursor._result.fields  # type: ignore[attr-defined]  # noqa: SLF001 - the description leaves out sign and character set
        schema = pa.schema((one.name, _type(one)) for one in fields)
        readers = [_reader(one, kind) for one, kind in zip(fields, schema.types, strict=True)]
        return RowBatch(schema, _batches(cursor, schema, readers, field))


def connect(payload: Payload, addresses: list[str]) -> MySql:
    """Opens the database of a target."""
    return MySql(payload, addresses, payload["seconds"])


def _batches(
    cursor: SSCursor, schema: pa.Schema, readers: list[Callable[[Any], pa.Array]], field: str
) -> Iterator[pa.RecordBatch]:
    try:
        while rows := cursor.fetchmany(BATCH_ROWS):
            columns = [
                read(cells) for read, cells in zip(readers, zip(*rows, strict=True), strict=True)
            ]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)
    except pymysql.Error as fault:
        raise unreadable(_reason(fault), field) from None
    except (pa.ArrowInvalid, UnicodeDecodeError) as fault:
        raise unreadable(sentence(f"A value could not be read: {fault}"), field) from None


def _type(field: Any) -> pa.DataType:
    kind = field.type_code
    if kind in _WHOLE:
        is_huge = kind == FIELD_TYPE.LONGLONG and field.flags & FLAG.UNSIGNED
        return pa.uint64() if is_huge else pa.int64()
    if kind in _FRACTIONS:
        is_exact = kind in {FIELD_TYPE.DECIMAL, FIELD_TYPE.NEWDECIMAL} and field.scale == 0
        return whole_number(field.length - 1) if is_exact else pa.float64()
    if kind == FIELD_TYPE.BIT:
        return pa.bool_() if field.length == 1 else pa.uint64()
    if kind == FIELD_TYPE.DATE:
        return pa.date32()
    if kind in _MOMENTS:
        return pa.timestamp("us")
    is_binary = field.charsetnr == BINARY and kind not in _TEXTS
    return pa.binary() if is_binary else pa.string()


def _reader(field: Any, kind: pa.DataType) -> Callable[[Any], pa.Array]:
    if field.type_code == FIELD_TYPE.BIT:
        return lambda cells: pa.array(
            [None if cell is None else int.from_bytes(cell, "big") for cell in cells], pa.uint64()
        ).cast(kind)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return lambda cells: _dates(pa.array(cells, pa.string())).cast(kind)
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        return lambda cells: pa.array(cells, kind)
    return lambda cells: pa.array(cells, pa.string()).cast(kind)


def _dates(texts: pa.Array) -> pa.Array:
    """Takes out what MySQL has for days that there are not, such as 0000-00-00."""
    none = pc.match_substring_regex(texts, _NO_DATE)
    return pc.if_else(none, pa.scalar(None, pa.string()), texts)


def _socket(addresses: list[str], port: int, seconds: float) -> socket.socket:
    for address in addresses[:-1]:
        try:
            return socket.create_connection((address, port), seconds)
        except OSError:
            continue
    return socket.create_connection((addresses[-1], port), seconds)


def _security(mode: str) -> dict[str, Any]:
    if mode == "disable":
        return {"ssl_disabled": True}
    if mode == "prefer":
        return {}
    context = ssl.create_default_context()
    if mode == "require":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return {"ssl": context}


def _reason(fault: Exception) -> str:
    if isinstance(fault, OSError):
        return sentence(fault.strerror or str(fault))
    return sentence(str(fault.args[-1] if fault.args else fault))
