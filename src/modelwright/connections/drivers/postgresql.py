"""PostgreSQL, read as one COPY stream in a read-only transaction.

COPY gives text, which Arrow reads into types; measured, that streams at flat memory.
"""

import io
import os
import re
import ssl
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import psycopg
import pyarrow as pa
import pyarrow.csv as pc
from psycopg import sql

from modelwright.connections import remarks
from modelwright.connections.database_reader import DatabaseReader
from modelwright.connections.domain import FoundTable
from modelwright.connections.open_decimals import declared_decimal
from modelwright.connections.parquet_writer import Payload, RowBatch
from modelwright.connections.refusals import pick, sentence, unreachable, unreadable
from modelwright.connections.remarks import Remarks
from modelwright.jobs.errors import JobRefused

ALWAYS_TLS = {"require", "verify-ca", "verify-full"}
"""The modes that do not connect without TLS."""
BLOCK_BYTES = 16 * 2**20
"""More than the longest cell that processing takes: a row must fit into a block."""
_LISTING = """
select n.nspname, c.relname, c.relkind, c.reltuples::int8, pg_table_is_visible(c.oid)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
  and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')
order by not pg_table_is_visible(c.oid), n.nspname, c.relname
"""
_TRY = re.compile(
    r"^(- host: .*?hostaddr: '[^']*': )?(connection failed: )?"
    r"(connection to server at .*?, port \d+ failed: )?(FATAL: +)?"
    r"(Multiple connection attempts failed.*)?"
)
"""What the driver says of a try before the reason."""
_FIELDS = {
    "password authentication failed": "password",
    "fe_sendauth: no password": "password",
    'database "': "database",
}
"""Which field a reason that begins so is about."""
_UTC = pa.timestamp("us", "UTC")


@dataclass(frozen=True, slots=True)
class _Form:
    """How a column is asked for, and as what it is read."""

    sql: str
    """`{0}` is the column; null where the type cannot say its value."""
    type: pa.DataType
    said: str | None = None
    """What is said of the rows where the value is null although the column's is not."""
    always: str | None = None
    """What is said of the column whatever its values are."""
    is_open: bool = False
    """Whether its values settle which decimal it is."""


_DAYS = "case when {0} between date '0001-01-01' and date '9999-12-31' then {0} end"
_MOMENTS = "case when {0} >= timestamp '0001-01-01' and {0} < timestamp '10000-01-01' then {0} end"
_AT_UTC = _MOMENTS.replace("{0}", "({0} at time zone 'UTC')")
_FINITE = "case when {0} - {0} = 0 then {0} end"
"""Neither NaN nor an infinity, whichever of them a server's version knows."""
_WHOLE = _Form("{0}", pa.int64())
_FLOAT = _Form("{0}", pa.float64())
_TEXT = _Form("{0}::text", pa.string())
_JSON = _Form("to_json({0})::text", pa.string())
_OPEN = _Form(_FINITE, pa.string(), remarks.NO_NUMBER, is_open=True)
_TYPES = {
    16: _Form("{0}", pa.bool_()),
    17: _Form("encode({0}, 'hex')", pa.string(), always=remarks.BYTES),
    20: _WHOLE,
    21: _WHOLE,
    23: _WHOLE,
    26: _WHOLE,
    700: _FLOAT,
    701: _FLOAT,
    790: _Form("{0}::numeric", pa.string(), is_open=True),
    1082: _Form(_DAYS, pa.date32(), remarks.NO_DAY),
    1114: _Form(_MOMENTS, pa.timestamp("us"), remarks.NO_DAY),
    1184: _Form(_AT_UTC, _UTC, remarks.NO_DAY, always=remarks.MOMENTS),
    2249: _JSON,
}
"""By type id; all others are asked as text, arrays and composite types as JSON."""
NUMERIC_TYPE_OID = 1700
"""PostgreSQL's number of the type `numeric`, which has digits behind the point or not."""
_NESTED = "select oid from pg_type where oid = any(%s) and typcategory in ('A', 'C')"
MOST_ARGUMENTS = 90
"""Arguments of one call of a function; the server takes 100."""
_LOST = "lost"
GONE_SECONDS = 2
"""How often the server looks whether this process is still there while it computes."""


class Postgres(DatabaseReader):
    """One connection, inside one read-only transaction that sees one moment."""

    def __init__(self, target: Payload, addresses: list[str], seconds: float) -> None:
        mode = target["options"].get("sslmode", "prefer")
        roots = ssl.get_default_verify_paths().cafile or "system"
        try:
            self._db = psycopg.connect(
                host=",".join([target["host"]] * len(addresses)),
                hostaddr=",".join(addresses),
                port=target["port"],
                dbname=target["database"],
                user=target["username"],
                password=target["password"] or None,
                sslmode=mode,
                sslrootcert=roots if mode == "verify-full" else None,
                passfile=os.devnull,
                sslcertmode="disable",
                gssencmode="disable",
                # A server may ask for the password itself; it gets it where TLS is sure alone.
                require_auth=None if mode in ALWAYS_TLS else "!password",
                connect_timeout=target["connect_seconds"],
                client_encoding="utf8",
                application_name="modelwright",
            )
            self._db.read_only = True
            self._db.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            self._prepare(int(seconds * 1000))
        except psycopg.Error as fault:
            raise _closed(fault) from None

    def _prepare(self, milliseconds: int) -> None:
        for name, value in (
            ("statement_timeout", str(milliseconds)),
            ("datestyle", "ISO, YMD"),
            ("intervalstyle", "iso_8601"),
            ("extra_float_digits", "1"),
        ):
            self._db.execute("select set_config(%s, %s, true)", (name, value))
        with suppress(psycopg.Error), self._db.transaction():  # before version 14 there is none
            self._db.execute(f"set local client_connection_check_interval = '{GONE_SECONDS}s'")

    def close(self) -> None:
        """Ends the connection."""
        self._db.close()

    def tables(self) -> list[FoundTable]:
        """Lists what the user may read; names that need their schema carry it."""
        return [
            FoundTable(
                schema,
                name,
                "view" if kind in {"v", "m"} else "table",
                rows if rows >= 0 and kind in {"r", "m"} else None,
                visible,
            )
            for schema, name, kind, rows, visible in self._db.execute(_LISTING)
        ]

    def _quoted(self, name: str) -> str:
        found = pick(self.tables(), name)
        return sql.Identifier(found.schema or "", found.table).as_string(self._db)

    def _rows(self, query: str, field: str) -> RowBatch:
        """Asks for a query's columns, then for its rows by COPY, in forms that Arrow reads."""
        try:
            # Prepared, so that the server takes one statement only.
            shape = f"select * from ({query}\n) as q limit 0"  # noqa: S608 - the user's own query, or a quoted name
            asked = self._db.execute(shape.encode(), prepare=True).description or []
        except psycopg.Error as fault:
            raise unreadable(_reason(fault), field) from None
        if not asked:
            raise unreadable("It has no columns.", field)
        forms = self._forms(asked)
        places = [f"c{place}" for place in range(len(asked))]
        wanted = [form.sql.format(place) for place, form in zip(places, forms, strict=True)]
        names = [*places, _LOST]
        copy = (
            f"copy (select {', '.join(wanted)}, {_lost(places, forms)}"  # noqa: S608 - the user's own query, or a quoted name
            f" from ({query}\n) as q({', '.join(places)})) to stdout (format csv)"
        )
        said = Remarks()
        for place, form in enumerate(forms):
            if form.always:
                said.say(place, form.always)
        schema = pa.schema(
            (column.name, form.type) for column, form in zip(asked, forms, strict=True)
        )
        read = dict(
            zip(names, [*(_read_as(form.type) for form in forms), pa.string()], strict=True)
        )
        batches = (
            _checked(batch, schema, forms, said) for batch in self._batches(copy, read, field, said)
        )
        still_open = tuple(place for place, form in enumerate(forms) if form.is_open)
        return RowBatch(schema, batches, said, still_open)

    def _forms(self, columns: Sequence[psycopg.Column]) -> list[_Form]:
        others = [
            one.type_code for one in columns if one.type_code not in {*_TYPES, NUMERIC_TYPE_OID}
        ]
        nested = {oid for (oid,) in self._db.execute(_NESTED, [others])} if others else set()
        return [_JSON if one.type_code in nested else _form(one) for one in columns]

    def _batches(
        self, copy: str, types: dict[str, pa.DataType], field: str, said: Remarks
    ) -> Iterator[pa.RecordBatch]:
        try:
            has_encoding = self._db.info.parameter_status("server_encoding") != "SQL_ASCII"
            if not has_encoding:  # else the server refuses what is not UTF-8
                self._db.execute("set local client_encoding = 'SQL_ASCII'")
            with self._db.cursor() as cursor, cursor.copy(copy.encode()) as stream:
                copied = _Copied(stream) if has_encoding else _CopiedBytes(stream, said)
                file: io.BufferedReader[Any] = io.BufferedReader(copied, BLOCK_BYTES)
                if file.peek(1):
                    yield from _parsed(file, types)
        except psycopg.Error as fault:
            raise unreadable(_reason(fault), field) from None
        except pa.ArrowInvalid as fault:
            is_long = "straddl" in str(fault)
            why = (
                f"A row is longer than {BLOCK_BYTES >> 20} MB." if is_long else f"A value: {fault}."
            )
            raise unreadable(sentence(why), field) from None


def connect(payload: Payload, addresses: list[str]) -> Postgres:
    """Opens the database of a target."""
    return Postgres(payload, addresses, payload["seconds"])


class _Copied(io.RawIOBase):
    """A COPY stream as a file."""

    def __init__(self, stream: psycopg.Copy) -> None:
        self._stream = stream
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        """Says that it is there to be read."""
        return True

    def _row(self) -> bytes | bytearray | memoryview:
        """Returns the next rows, as the server sends them; nothing at the end."""
        return self._stream.read()

    def readinto(self, buffer: Any) -> int:
        """Fills a buffer with rows; 0 at the end."""
        room, filled = memoryview(buffer).cast("B"), 0
        while filled < len(room):
            if not self._rest:
                self._rest = memoryview(self._row())
                if not self._rest:
                    break
            taken = min(len(room) - filled, len(self._rest))
            room[filled : filled + taken] = self._rest[:taken]
            self._rest = self._rest[taken:]
            filled += taken
        return filled


class _CopiedBytes(_Copied):
    """The same of a database that keeps any bytes as texts: each row is UTF-8 or Windows-1252."""

    def __init__(self, stream: psycopg.Copy, said: Remarks) -> None:
        super().__init__(stream)
        self._said = said

    def _row(self) -> bytes | bytearray | memoryview:
        row = bytes(super()._row())
        try:
            row.decode()
        except UnicodeDecodeError:
            self._said.say(0, remarks.NO_ENCODING)
            return row.decode("cp1252", "replace").encode()
        return row


def _parsed(
    file: "io.BufferedReader[Any]", types: dict[str, pa.DataType]
) -> Iterator[pa.RecordBatch]:
    return pc.open_csv(  # type: ignore[no-any-return]
        file,
        pc.ReadOptions(column_names=list(types), block_size=BLOCK_BYTES, use_threads=False),
        pc.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        pc.ConvertOptions(
            column_types=types,
            null_values=[""],
            true_values=["t"],
            false_values=["f"],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _form(column: psycopg.Column) -> _Form:
    if column.type_code != NUMERIC_TYPE_OID:
        return _TYPES.get(column.type_code, _TEXT)
    if column.precision is None or column.scale is None:
        return _OPEN
    kind = declared_decimal(column.precision, column.scale)
    return _OPEN if kind is None else _Form(_FINITE, kind, remarks.NO_NUMBER)


def _lost(places: Sequence[str], forms: Sequence[_Form]) -> str:
    """Asks which columns of a row have a value that their type cannot say, by their places."""
    tests = [
        f"case when {place} is not null and ({form.sql.format(place)}) is null then '{at} ' end"
        for at, (place, form) in enumerate(zip(places, forms, strict=True))
        if form.said
    ]
    starts = range(0, len(tests), MOST_ARGUMENTS)
    parts = [f"concat({', '.join(tests[at : at + MOST_ARGUMENTS])})" for at in starts]
    return f"nullif(concat({', '.join(parts)}), '')" if parts else "null"


def _read_as(kind: pa.DataType) -> pa.DataType:
    """Moments come without their zone, which is UTC."""
    return pa.timestamp("us") if kind == _UTC else kind


def _checked(
    batch: pa.RecordBatch, schema: pa.Schema, forms: Sequence[_Form], said: Remarks
) -> pa.RecordBatch:
    """Takes off the column of lost values and counts them."""
    *columns, lost = batch.columns
    for row in lost.drop_null().to_pylist():
        for at in map(int, row.split()):
            said.say(at, forms[at].said or "")
    kept = [column.cast(kind) for column, kind in zip(columns, schema.types, strict=True)]
    return pa.RecordBatch.from_arrays(kept, schema=schema)


def _closed(fault: psycopg.Error) -> JobRefused:
    """Tells why it did not open, each reason once; the driver has a line for each try."""
    tries = (_TRY.sub("", line).strip() for line in str(fault).splitlines())
    reasons = dict.fromkeys(line if line[-1] in ".?" else f"{line}." for line in tries if line)
    message = _reason(fault) if fault.diag.message_primary else sentence(" ".join(reasons))
    about = (field for words, field in _FIELDS.items() if message.startswith(words))
    return unreachable(message, next(about, "host"))


def _reason(fault: psycopg.Error) -> str:
    diagnosis = fault.diag
    if diagnosis.message_primary is None:
        return sentence(str(fault))
    parts = [diagnosis.message_primary, diagnosis.message_detail, diagnosis.message_hint]
    return sentence(". ".join(part.rstrip(".") for part in parts if part) + ".")
