"""MySQL and MariaDB, row by row from an unbuffered cursor in a read-only transaction.

The server sends text, which Arrow reads into types, a batch of a column at a time.
"""

import socket
import ssl
import struct
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pymysql
from pymysql.constants import COMMAND, ER, FIELD_TYPE, FLAG
from pymysql.converters import conversions
from pymysql.cursors import SSCursor
from pymysql.protocol import FieldDescriptorPacket

from modelwright.connections import remarks
from modelwright.connections.database_reader import DatabaseReader
from modelwright.connections.domain import FoundTable
from modelwright.connections.open_decimals import declared_decimal
from modelwright.connections.parquet_writer import Payload, RowBatch, batch_of
from modelwright.connections.refusals import pick, sentence, unreachable, unreadable
from modelwright.connections.remarks import Remarks

Say = Callable[..., None]
"""Notes a sentence of a column, and of how many rows."""
BATCH_ROWS = 5_000
"""Rows that are fetched at a time."""
BINARY_CHARSET_ID = 63
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
_NO_YEAR = "0000"
_WHOLE = {
    FIELD_TYPE.TINY,
    FIELD_TYPE.SHORT,
    FIELD_TYPE.INT24,
    FIELD_TYPE.LONG,
    FIELD_TYPE.LONGLONG,
    FIELD_TYPE.YEAR,
}
_FLOATS = {FIELD_TYPE.FLOAT, FIELD_TYPE.DOUBLE}
_DECIMALS = {FIELD_TYPE.DECIMAL, FIELD_TYPE.NEWDECIMAL}
_FIELDS = {
    ER.ACCESS_DENIED_ERROR: "password",
    ER.BAD_DB_ERROR: "database",
    ER.DBACCESS_DENIED_ERROR: "database",
}
_CLEAR = {b"mysql_clear_password", b"dialog"}
"""Ways to sign in that send the password as it is."""
_NO_PUBLIC_KEY = (
    "The server wants the whole password (caching_sha2_password or sha256_password) and there is"
    " no TLS: it was not sent, because nobody vouches for the key that would seal it. Connect with"
    " the option sslmode require or verify-full, or have the operator allow such keys"
    " (MODELWRIGHT_MYSQL_PUBLIC_KEYS)"
)
"""Without TLS, the key is whose it says it is only where nobody stands in between."""
_SAME_NAMES = (
    "Two columns of the query have the same name, which this server (before MySQL 8.0 or MariaDB"
    " 10.2) cannot tell apart: give one another name with AS"
)
_BYTES = {
    FIELD_TYPE.TINY_BLOB,
    FIELD_TYPE.MEDIUM_BLOB,
    FIELD_TYPE.LONG_BLOB,
    FIELD_TYPE.BLOB,
    FIELD_TYPE.VAR_STRING,
    FIELD_TYPE.STRING,
    FIELD_TYPE.GEOMETRY,
}
"""Types of bytes where the character set is none, else of texts."""
_TIMES: dict[int, pa.DataType] = {
    FIELD_TYPE.DATE: pa.date32(),
    FIELD_TYPE.DATETIME: pa.timestamp("us"),
    FIELD_TYPE.TIMESTAMP: pa.timestamp("us", "UTC"),
}


if TYPE_CHECKING:
    _Base = pymysql.Connection[SSCursor]
else:
    _Base = pymysql.Connection


class _Connection(_Base):
    """A connection that gives its password to nobody in clear."""

    def __init__(self, *, takes_public_key: bool, **target: Any) -> None:
        self._takes_public_key = takes_public_key
        self._public_key: bytes | None = None
        super().__init__(**target)

    @property
    def server_public_key(self) -> bytes | None:
        """The key that seals a password without TLS; looked for right before it is asked for.

        It comes over the same connection, so that whoever stands in between can send their own.
        """
        if self._public_key is None and not self._takes_public_key:
            raise pymysql.OperationalError(ER.ACCESS_DENIED_ERROR, _NO_PUBLIC_KEY)
        return self._public_key

    @server_public_key.setter
    def server_public_key(self, key: bytes | None) -> None:
        self._public_key = key

    def _process_auth(self, plugin_name: bytes, *rest: Any) -> Any:
        if plugin_name in _CLEAR and not self._secure:  # type: ignore[attr-defined]
            raise pymysql.OperationalError(
                ER.ACCESS_DENIED_ERROR,
                "The server asks for the password in clear, and there is no TLS: it was not sent",
            )
        return super()._process_auth(plugin_name, *rest)  # type: ignore[misc]


class MySql(DatabaseReader):
    """One connection, inside one read-only transaction that sees one moment."""

    def __init__(self, target: Payload, addresses: list[str], seconds: float) -> None:
        try:
            self._db = _Connection(
                takes_public_key=target["takes_public_key"],
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
        # MySQL before 5.7.8 and MariaDB before 10.1 have no limit; reading has one of its own.
        try:
            self._execute(f"set session {limit}").close()
        except pymysql.OperationalError as fault:
            if fault.args[0] != ER.UNKNOWN_SYSTEM_VARIABLE:
                raise
        for statement in (
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

    def _quoted(self, name: str) -> str:
        return "`{}`".format(pick(self.tables(), name).table.replace("`", "``"))

    def _described(self, query: str) -> list[Any]:
        """Has the server prepare a query, without running it, and tell its columns."""
        db: Any = self._db
        db._execute_command(COMMAND.COM_STMT_PREPARE, query)  # noqa: SLF001 - no cursor prepares
        told = db._read_packet()  # noqa: SLF001
        told.advance(1)
        statement, columns, parameters = told.read_struct("<IHH")
        for count, kind in ((parameters, None), (columns, FieldDescriptorPacket)):
            found = [db._read_packet(*filter(None, [kind])) for _ in range(count)]  # noqa: SLF001
            if count:
                db._read_packet()  # noqa: SLF001 - the end of the list
        db._execute_command(COMMAND.COM_STMT_CLOSE, struct.pack("<I", statement))  # noqa: SLF001
        return found

    def _rows(self, query: str, field: str) -> RowBatch:
        """Asks for a query's columns and their types, then for its rows, a batch at a time."""
        are_renamed = False
        try:
            asked = self._described(query)
            wrapped, are_renamed = _wrapped(query, asked)
            cursor = self._execute(wrapped)
        except pymysql.Error as fault:
            # The query itself was prepared before: what cannot be parsed is the `with` around it.
            is_old = fault.args[0] == ER.PARSE_ERROR and are_renamed
            raise unreadable(_SAME_NAMES if is_old else _reason(fault), field) from None
        fields = cursor._result.fields  # type: ignore[attr-defined]  # noqa: SLF001 - the description leaves out sign and character set
        kinds = [_type(one) for one in fields]
        still_open = tuple(place for place, kind in enumerate(kinds) if kind is None)
        schema = pa.schema(
            (one.name, kind or pa.string()) for one, kind in zip(asked, kinds, strict=True)
        )
        said = Remarks()
        readers = [
            _shortest
            if before.type_code == FIELD_TYPE.FLOAT
            else _reader(one, kind, partial(said.say, place))
            for place, (before, one, kind) in enumerate(
                zip(asked, fields, schema.types, strict=True)
            )
        ]
        return RowBatch(schema, _batches(cursor, schema, readers, field), said, still_open)


def _wrapped(query: str, asked: list[Any]) -> tuple[str, bool]:
    """Puts a query where only one that reads can stand; tells whether its columns are renamed.

    One that names two columns alike can stand there only with names of our own, and the server
    writes a FLOAT with all its digits only when it is made a double.
    """
    names = ["`{}`".format(field.name.replace("`", "``")) for field in asked]
    floats = [field.type_code == FIELD_TYPE.FLOAT for field in asked]
    are_renamed = len({name.casefold() for name in names}) < len(names)
    if not are_renamed and not any(floats):
        return f"select * from ({query}\n) as q", False  # noqa: S608 - the user's own query, or a quoted name
    places = [f"c{at}" for at in range(len(names))] if are_renamed else names
    wanted = ", ".join(
        f"{one} + 0e0" if is_float else one for one, is_float in zip(places, floats, strict=True)
    )
    if not are_renamed:
        return f"select {wanted} from ({query}\n) as q", False  # noqa: S608 - as above
    return f"with q({', '.join(places)}) as ({query}\n) select {wanted} from q", True  # noqa: S608 - as above


def connect(payload: Payload, addresses: list[str]) -> MySql:
    """Opens the database of a target."""
    return MySql(payload, addresses, payload["seconds"])


def _batches(
    cursor: SSCursor, schema: pa.Schema, readers: list[Callable[[Any], pa.Array]], field: str
) -> Iterator[pa.RecordBatch]:
    try:
        while rows := cursor.fetchmany(BATCH_ROWS):
            yield batch_of(rows, readers, schema)
    except pymysql.Error as fault:
        raise unreadable(_reason(fault), field) from None
    except (pa.ArrowInvalid, UnicodeDecodeError) as fault:
        raise unreadable(sentence(f"A value could not be read: {fault}"), field) from None


def _type(field: Any) -> pa.DataType | None:
    """Names the type of a column; None for decimals that their values settle."""
    kind = field.type_code
    if kind in _WHOLE:
        is_huge = kind == FIELD_TYPE.LONGLONG and field.flags & FLAG.UNSIGNED
        return pa.uint64() if is_huge else pa.int64()
    if kind in _FLOATS:
        return pa.float64()
    if kind in _DECIMALS:
        signs = (field.scale > 0) + (not field.flags & FLAG.UNSIGNED)
        return declared_decimal(field.length - signs, field.scale)
    if kind == FIELD_TYPE.BIT:
        return pa.bool_() if field.length == 1 else pa.uint64()
    return _TIMES.get(kind, pa.string())


def _reader(field: Any, kind: pa.DataType, say: Say) -> Callable[[Any], pa.Array]:
    """Returns what reads a column's cells, and says what it has to say of them."""
    if field.type_code == FIELD_TYPE.BIT:
        return lambda cells: pa.array(
            [None if cell is None else int.from_bytes(cell, "big") for cell in cells], pa.uint64()
        ).cast(kind)
    if field.type_code in _TIMES:
        if field.type_code == FIELD_TYPE.TIMESTAMP:
            say(remarks.MOMENTS)
        return lambda cells: _times(pa.array(cells, pa.string()), kind, say)
    if field.type_code == FIELD_TYPE.YEAR:
        return lambda cells: _without(pa.array(cells, pa.string()), _NO_YEAR, say).cast(kind)
    if field.type_code in _BYTES and field.charsetnr == BINARY_CHARSET_ID:
        say(remarks.BYTES)
        return lambda cells: pa.array(
            [None if cell is None else cell.hex() for cell in cells], pa.string()
        )
    return lambda cells: pa.array(cells, pa.string()).cast(kind)


def _shortest(cells: Any) -> pa.Array:
    """Reads the doubles that a FLOAT was made as its shortest digits: 0.1, not 0.10000000149."""
    singles = pa.array(cells, pa.string()).cast(pa.float64()).cast(pa.float32(), safe=False)
    return singles.cast(pa.string()).cast(pa.float64())


def _times(texts: pa.Array, kind: pa.DataType, say: Say) -> pa.Array:
    """Reads dates and times; takes out days that there are not, such as 0000-00-00."""
    texts = _without(texts, _NO_DATE, say)
    plain = pa.timestamp("us") if pa.types.is_timestamp(kind) else kind
    try:
        return texts.cast(plain).cast(kind)
    except pa.ArrowInvalid:  # such as 30 February, which a server may be told to take
        days = pc.utf8_slice_codeunits(texts, 0, 10)
        never = [day for day in pc.unique(days).drop_null().to_pylist() if not _is_day(day)]
        return _without(texts, "|".join(never), say).cast(plain).cast(kind)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _without(texts: pa.Array, pattern: str, say: Say) -> pa.Array:
    """Takes out texts that stand for no day or year, and counts them."""
    none = pc.match_substring_regex(texts, pattern)
    say(remarks.NO_DAY, pc.sum(none).as_py() or 0)
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
