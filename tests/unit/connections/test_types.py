"""Every type of every database and its values: what is kept, as which type, and what is said.

The tables in docs/reference/database-types.md hold what these tests show.
"""

# ruff: noqa: E501 - the cases are tables, a line each

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pymysql
import pytest
from tests.unit.connections.kept import REACHING, Kept, bring_in
from tests.unit.connections.servers import PASSWORD, Server

from modelwright.connections import driver_process
from modelwright.jobs.errors import JobRefused

DOCUMENTED = Path(__file__).parents[3] / "docs/reference/database-types.md"
HUGE = "9" * 60
MONEY = "12345678901234567.89"
NOON = datetime(2024, 3, 31, 12, 0, 0, 500_000)  # noqa: DTZ001 - what a clock shows


@dataclass(frozen=True)
class Case:
    """One column: its type, a value, what is kept of it, and a piece of what is said."""

    name: str
    """The type as the documentation has it."""
    value: str
    """As the database's SQL writes it."""
    kept: Any
    type: str
    """DuckDB's name of the type it is kept in."""
    said: str = ""
    declared: str = ""
    """The type in a table's definition where the name is none."""


POSTGRESQL = [
    Case("smallint, integer, bigint, oid", "-32768", -32768, "BIGINT", declared="smallint"),
    Case("smallint, integer, bigint, oid", "9223372036854775807", 2**63 - 1, "BIGINT", declared="bigint"),
    Case("smallint, integer, bigint, oid", "4294967295", 2**32 - 1, "BIGINT", declared="oid"),
    Case("real, double precision", "0.1", 0.1, "DOUBLE", declared="real"),
    Case("real, double precision", "1e300", 1e300, "DOUBLE", declared="double precision"),
    Case("real, double precision", "'NaN'", None, "DOUBLE", declared="double precision"),
    Case("numeric(p,s)", MONEY, Decimal(MONEY), "DECIMAL(20,2)", declared="numeric(20,2)"),
    Case("numeric(p,s)", "9234567890.1234567891", Decimal("9234567890.1234567891"), "DECIMAL(30,10)", declared="numeric(30,10)"),
    Case("numeric(p,s)", "0.00123", Decimal("0.00123"), "DECIMAL(5,5)", declared="numeric(3,5)"),
    Case("numeric(p,s)", "'NaN'", None, "DECIMAL(9,2)", "not a number", declared="numeric(9,2)"),
    Case("numeric(p,0)", "12", 12, "BIGINT", declared="numeric(18,0)"),
    Case("numeric(p,0)", "123456789012345678901234567890", 123456789012345678901234567890, "DECIMAL(38,0)", declared="numeric(30,0)"),
    Case("numeric", MONEY, Decimal(MONEY), "DECIMAL(38,2)"),
    Case("numeric", "19.90", Decimal("19.90"), "DECIMAL(18,2)"),
    Case("numeric", "42", 42, "BIGINT"),
    Case("numeric", "-0.5", Decimal("-0.5"), "DECIMAL(18,1)"),
    Case("numeric", "'Infinity'", None, "BIGINT", "infinite"),
    Case("numeric", "1e-30", Decimal("1e-30"), "DECIMAL(38,30)"),
    Case("numeric(p,s), p > 38", "1.50", Decimal("1.50"), "DECIMAL(18,2)", declared="numeric(50,2)"),
    Case("numeric(p,s), p > 38", HUGE, HUGE, "VARCHAR", "more than 38 digits", declared="numeric(60,0)"),
    Case("numeric(p,s), p > 38", "1200", 1200, "BIGINT", declared="numeric(3,-2)"),
    Case("money", "1234.5", Decimal("1234.50"), "DECIMAL(18,2)"),
    Case("boolean", "true", True, "BOOLEAN"),
    Case("text, varchar, char, name, citext", "'né'", "né", "VARCHAR", declared="text"),
    Case("text, varchar, char, name, citext", "'ab'", "ab", "VARCHAR", declared="char(5)"),
    Case("text, varchar, char, name, citext", "'a'", "a", "VARCHAR", declared='"char"'),
    Case("text, varchar, char, name, citext", "'t'", "t", "VARCHAR", declared="name"),
    Case("bytea", "'deadbeef'", "6465616462656566", "VARCHAR", "hexadecimal"),
    Case("date", "'2024-02-29'", date(2024, 2, 29), "DATE"),
    Case("date", "'infinity'", None, "DATE", "no day of the calendar"),
    Case("date", "'0044-03-15 BC'", None, "DATE", "no day of the calendar"),
    Case("timestamp", "'2024-03-31 12:00:00.5'", NOON, "TIMESTAMP"),
    Case("timestamp", "'-infinity'", None, "TIMESTAMP", "no day of the calendar"),
    Case("timestamptz", "'2024-03-31 08:00:00.5-04'", NOON.replace(tzinfo=UTC), "TIMESTAMP WITH TIME ZONE", "kept in UTC"),
    Case("timestamptz", "'infinity'", None, "TIMESTAMP WITH TIME ZONE", "no day of the calendar"),
    Case("time, timetz", "'24:00:00'", "24:00:00", "VARCHAR", declared="time"),
    Case("time, timetz", "'12:00:00+02'", "12:00:00+02", "VARCHAR", declared="timetz"),
    Case("interval", "'1 year 2 days 3 seconds'", "P1Y2DT3S", "VARCHAR"),
    Case("uuid", "'A0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "VARCHAR"),
    Case("inet, cidr, macaddr", "'192.168.0.1/24'", "192.168.0.1/24", "VARCHAR", declared="inet"),
    Case("inet, cidr, macaddr", "'08:00:2b:01:02:03'", "08:00:2b:01:02:03", "VARCHAR", declared="macaddr"),
    Case("json, jsonb, xml", """'{"a": 1}'""", '{"a": 1}', "VARCHAR", declared="jsonb"),
    Case("an enum", "'sad'", "sad", "VARCHAR", declared="mood"),
    Case("a domain: as its type", MONEY, Decimal(MONEY), "DECIMAL(20,2)", declared="price"),
    Case("a composite type: JSON", "row(1, 'a b')", '{"a":1,"b":"a b"}', "VARCHAR", declared="pair"),
    Case("an array: JSON", f"array[{MONEY}, null]", f"[{MONEY},null]", "VARCHAR", declared="numeric[]"),
    Case("an array: JSON", "array[array['a,b'], array['{}']]", '[["a,b"],["{}"]]', "VARCHAR", declared="text[][]"),
    Case("ranges and multiranges", "'[1,5)'", "[1,5)", "VARCHAR", declared="int4range"),
    Case("ranges and multiranges", "'{[1,5),[7,9)}'", "{[1,5),[7,9)}", "VARCHAR", declared="int4multirange"),
    Case("bit, varbit", "B'101'", "101", "VARCHAR", declared="bit(3)"),
    Case("all others: their text", "'(1,2)'", "(1,2)", "VARCHAR", declared="point"),
    Case("all others: their text", "'a b'", "'a' 'b'", "VARCHAR", declared="tsvector"),
]  # fmt: skip
MYSQL = [
    Case("tinyint to bigint, unsigned or not", "-128", -128, "BIGINT", declared="tinyint(1)"),
    Case("tinyint to bigint, unsigned or not", "4294967295", 2**32 - 1, "BIGINT", declared="int unsigned"),
    Case("tinyint to bigint, unsigned or not", "-9223372036854775808", -(2**63), "BIGINT", declared="bigint"),
    Case("bigint unsigned beyond 64 bits", "18446744073709551615", 2**64 - 1, "DECIMAL(38,0)", declared="bigint unsigned"),
    Case("float, double", "0.1", 0.1, "DOUBLE", declared="float"),
    Case("float, double", "1234567.9", 1234567.9, "DOUBLE", declared="float"),
    Case("float, double", "16777215", 16777215.0, "DOUBLE", declared="float"),
    Case("float, double", "0.1", 0.1, "DOUBLE", declared="double"),
    Case("decimal(p,s)", MONEY, Decimal(MONEY), "DECIMAL(20,2)", declared="decimal(20,2)"),
    Case("decimal(p,s)", "9234567890.1234567891", Decimal("9234567890.1234567891"), "DECIMAL(38,10)", declared="decimal(38,10)"),
    Case("decimal(p,s)", "1.5", Decimal("1.50"), "DECIMAL(9,2)", declared="decimal(9,2) unsigned"),
    Case("decimal(p,0)", "12", 12, "BIGINT", declared="decimal(18,0)"),
    Case("decimal(p,0)", "123456789012345678901234567890", 123456789012345678901234567890, "DECIMAL(38,0)", declared="decimal(30,0)"),
    Case("decimal(p,s), p > 38", "1.5", Decimal("1.5"), "DECIMAL(38,30)", declared="decimal(65,30)"),
    Case("decimal(p,s), p > 38", "12345678901.5", Decimal("12345678901.5"), "DECIMAL(18,1)", declared="decimal(65,30)"),
    Case("decimal(p,s), p > 38", HUGE, HUGE, "VARCHAR", "more than 38 digits", declared="decimal(65,0)"),
    Case("bit(1)", "b'1'", True, "BOOLEAN"),
    Case("bit(n)", "b'101'", 5, "BIGINT", declared="bit(9)"),
    Case("bit(n)", "b'1'", 1, "BIGINT", declared="bit(64)"),
    Case("year", "2024", 2024, "BIGINT"),
    Case("year", "0", None, "BIGINT", "no day of the calendar"),
    Case("date", "'2024-02-29'", date(2024, 2, 29), "DATE"),
    Case("date", "'0000-00-00'", None, "DATE", "no day of the calendar"),
    Case("date", "'2024-00-10'", None, "DATE", "no day of the calendar"),
    Case("date", "'2023-02-29'", None, "DATE", "no day of the calendar"),
    Case("datetime", "'2024-03-31 12:00:00.5'", NOON, "TIMESTAMP", declared="datetime(6)"),
    Case("datetime", "'2023-02-30 10:00:00'", None, "TIMESTAMP", "no day of the calendar", declared="datetime"),
    Case("timestamp", "'2024-03-31 12:00:00.5'", NOON.replace(tzinfo=UTC), "TIMESTAMP WITH TIME ZONE", "kept in UTC", declared="timestamp(6) null"),
    Case("timestamp", "'0000-00-00'", None, "TIMESTAMP WITH TIME ZONE", "no day of the calendar", declared="timestamp null"),
    Case("time", "'-838:59:59'", "-838:59:59", "VARCHAR"),
    Case("char, varchar, text", "'né 😀'", "né 😀", "VARCHAR", declared="varchar(9) character set utf8mb4"),
    Case("char, varchar, text", "'né'", "né", "VARCHAR", declared="text character set latin1"),
    Case("binary, varbinary, blob", "'deadbeef'", "6465616462656566", "VARCHAR", "hexadecimal", declared="blob"),
    Case("binary, varbinary, blob", "x'00ff'", "00ff0000", "VARCHAR", "hexadecimal", declared="binary(4)"),
    Case("binary, varbinary, blob", "x'00ff'", "00ff", "VARCHAR", "hexadecimal", declared="varbinary(9)"),
    Case("enum, set", "'y'", "y", "VARCHAR", declared="enum('x','y')"),
    Case("enum, set", "'y,x'", "x,y", "VARCHAR", declared="set('x','y')"),
    Case("json", "'[1]'", "[1]", "VARCHAR"),
    Case("uuid, inet6", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "VARCHAR", declared="uuid"),
    Case("uuid, inet6", "'::1'", "::1", "VARCHAR", declared="inet6"),
    Case("geometry", "point(1, 2)", "00000000" + "0101000000000000000000f03f0000000000000040", "VARCHAR", "hexadecimal", declared="point"),
]  # fmt: skip


@pytest.fixture(scope="module")
def keep(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Kept]:
    def make(payload: dict[str, Any], **asked: str) -> Kept:
        return bring_in(tmp_path_factory.mktemp("kept"), payload, **asked)

    return make


def reached(server: Server) -> dict[str, Any]:
    return server.body(password=PASSWORD)


def table_of(cases: list[Case]) -> tuple[str, str]:
    columns = [f"c{at} {case.declared or case.name}" for at, case in enumerate(cases)]
    return ", ".join(columns), ", ".join(case.value for case in cases)


@pytest.fixture(scope="module")
def of_postgresql(postgresql: Server, keep: Callable[..., Kept]) -> Kept:
    columns, values = table_of(POSTGRESQL)
    postgresql.run("drop table if exists every_type; drop type if exists mood, pair;"
                   "drop domain if exists price")  # fmt: skip
    postgresql.run("create type mood as enum ('happy', 'sad'); create type pair as (a int, b text);"
                   "create domain price as numeric(20,2) check (value > 0)")  # fmt: skip
    postgresql.run(f"create table every_type ({columns}); insert into every_type values ({values})")
    return keep(reached(postgresql), table="every_type")


def is_known(server: Server, case: Case) -> bool:
    """Tells whether a MySQL or MariaDB has a type: not each has all of them."""
    try:
        server.run(f"use shop; create temporary table probe (c {case.declared or case.name})")
    except pymysql.Error:
        return False
    return True


def knows_with(server: Server) -> bool:
    """Tells whether a MySQL or MariaDB has common table expressions."""
    try:
        server.run("use shop; with q(a) as (select 1) select a from q")
    except pymysql.Error:
        return False
    return True


@pytest.fixture(scope="module")
def of_mysql(mariadb: Server, keep: Callable[..., Kept]) -> Kept:
    known = {at: case for at, case in enumerate(MYSQL) if is_known(mariadb, case)}
    columns = ", ".join(f"c{at} {case.declared or case.name}" for at, case in known.items())
    values = ", ".join(case.value for case in known.values())
    mariadb.run(
        "use shop; set names utf8mb4; set sql_mode = 'ALLOW_INVALID_DATES';"
        "set time_zone = '+00:00'; drop table if exists every_type;"
        f"create table every_type ({columns}); insert into every_type values ({values})"
    )
    return keep(reached(mariadb), table="every_type")


def named(cases: list[Case]) -> list[Any]:
    return [
        pytest.param(at, case, id=f"{case.declared or case.name} {case.value}"[:60])
        for at, case in enumerate(cases)
    ]


def check(kept: Kept, at: int, case: Case) -> None:
    name = f"c{at}"
    assert kept.columns[name] == [case.kept]
    assert kept.types[name] == case.type
    said = kept.said_of(name)
    assert bool(said) == bool(case.said), said
    assert case.said in " ".join(said)


@pytest.mark.parametrize(("at", "case"), named(POSTGRESQL))
def test_a_type_of_postgresql(of_postgresql: Kept, at: int, case: Case):
    check(of_postgresql, at, case)


@pytest.mark.parametrize(("at", "case"), named(MYSQL))
def test_a_type_of_mysql(of_mysql: Kept, at: int, case: Case):
    if f"c{at}" not in of_mysql.columns:
        pytest.skip("the server has no such type")
    check(of_mysql, at, case)


@dataclass(frozen=True)
class Values:
    """One column of SQLite, whose values have types: all of them count."""

    name: str
    values: list[str]
    kept: list[Any]
    type: str
    said: str = ""
    declared: str = ""


SQLITE = [
    Values("integers", ["1", "9223372036854775807"], [1, 2**63 - 1], "BIGINT", declared="integer"),
    Values("integers", ["true", "false"], [1, 0], "BIGINT", declared="boolean"),
    Values("integers", ["'12'", "'007'"], [12, 7], "BIGINT", declared="numeric"),
    Values("integers and reals", ["1", "2.5"], [1.0, 2.5], "DOUBLE", declared="decimal(9,2)"),
    Values("integers and reals", ["9007199254740993", "2.5"], [9007199254740992.0, 2.5], "DOUBLE", "rounded"),
    Values("texts", ["'12'", "'007'"], ["12", "007"], "VARCHAR", declared="varchar(9)"),
    Values("texts", ["cast(x'6eff' as text)", "'b'"], ["n\ufffd", "b"], "VARCHAR", "not UTF-8"),
    Values("texts that are all days", ["'2024-02-29'", "'2024-03-01'"], [date(2024, 2, 29), date(2024, 3, 1)], "DATE", declared="date"),
    Values("texts that are all days", ["'2024-02-30'", "'2024-03-01'"], ["2024-02-30", "2024-03-01"], "VARCHAR", declared="date"),
    Values("texts that are all date-times", ["'2024-03-31T12:00:00.5'", "null"], [NOON, None], "TIMESTAMP", declared="datetime"),
    Values("texts that are all date-times", ["'2024-03-31T12:00:00Z'", "null"], ["2024-03-31T12:00:00Z", None], "VARCHAR", declared="datetime"),
    Values("texts among numbers", ["1", "'x'"], ["1", "x"], "VARCHAR", "text among numbers"),
    Values("texts among numbers", ["0.1", "'n/a'"], ["0.1", "n/a"], "VARCHAR", "text among numbers", "decimal(9,2)"),
    Values("blobs", ["x'deadbeef'", "cast('deadbeef' as blob)"], ["deadbeef", "6465616462656566"], "VARCHAR", "hexadecimal", "blob"),
    Values("blobs among other values", ["x'deadbeef'", "'deadbeef'"], ["X'DEADBEEF'", "deadbeef"], "VARCHAR", "bytes among other values"),
    Values("blobs among other values", ["x'31'", "1"], ["X'31'", "1"], "VARCHAR", "bytes among other values"),
    Values("no value", ["null", "null"], [None, None], "VARCHAR", declared="integer"),
]  # fmt: skip


@pytest.fixture(scope="module")
def sqlite_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sqlite").resolve()
    columns = ", ".join(f"c{at} {case.declared}" for at, case in enumerate(SQLITE))
    rows = [", ".join(case.values[row] for case in SQLITE) for row in (0, 1)]
    with closing(sqlite3.connect(folder / "shop.db")) as db:
        db.executescript(
            f"create table every_type ({columns}); insert into every_type values ({rows[0]});"
            f"insert into every_type values ({rows[1]});"
            "create table made (a int, b int as (a + 1) stored, c int as (a * 2));"
            "insert into made values (20);"
            "create table fts_notes (n); insert into fts_notes values (1);"
            "create virtual table fts using fts5(body); insert into fts values ('hello');"
            "create view found as select * from fts; create view seen as select * from made;"
        )
    return folder


def stored(folder: Path) -> dict[str, Any]:
    return {"type": "sqlite", "database": "shop.db", "sqlite_folder": str(folder), "password": None}


@pytest.fixture(scope="module")
def of_sqlite(sqlite_folder: Path, keep: Callable[..., Kept]) -> Kept:
    return keep(stored(sqlite_folder), table="every_type")


@pytest.mark.parametrize(("at", "case"), list(enumerate(SQLITE)))
def test_values_of_sqlite(of_sqlite: Kept, at: int, case: Values):
    name = f"c{at}"
    assert of_sqlite.columns[name] == case.kept
    assert of_sqlite.types[name] == case.type
    said = of_sqlite.said_of(name)
    assert bool(said) == bool(case.said), said
    assert case.said in " ".join(said)


class TestTables:
    def listed(self, payload: dict[str, Any]) -> list[str]:
        asked = REACHING | payload | {"offset": 0, "limit": 100}
        return [one["name"] for one in driver_process.tables(asked, lambda _: None)["tables"]]

    def test_sqlite_lists_neither_virtual_tables_nor_what_these_keep(self, sqlite_folder: Path):
        found = self.listed(stored(sqlite_folder))
        assert found == ["every_type", "found", "fts_notes", "made", "seen"]

    @pytest.mark.parametrize(
        "asked", [{"table": "fts"}, {"table": "found"}, {"query": "select * from fts"}]
    )
    def test_a_virtual_table_is_refused_by_its_name(
        self, sqlite_folder: Path, keep: Callable[..., Kept], asked: dict[str, str]
    ):
        with pytest.raises(JobRefused, match=r"'fts' is.* a virtual table of SQLite"):
            keep(stored(sqlite_folder), **asked)

    @pytest.mark.parametrize("table", ["made", "seen"])
    def test_generated_columns_come_too(
        self, sqlite_folder: Path, keep: Callable[..., Kept], table: str
    ):
        assert keep(stored(sqlite_folder), table=table).columns == {"a": [20], "b": [21], "c": [40]}

    def test_all_that_postgresql_calls_a_relation_can_be_read(
        self, postgresql: Server, keep: Callable[..., Kept], tmp_path: Path
    ):
        postgresql.run(
            "create table parted (a int, b numeric(20,2)) partition by range (a);"
            "create table part_1 partition of parted for values from (0) to (10);"
            f"insert into parted values (1, {MONEY});"
            "create view viewed as select * from parted;"
            "create materialized view kept as select * from parted;"
            "create extension file_fdw; create server files foreign data wrapper file_fdw;"
            "create foreign table far (a int, b numeric(20,2)) server files"
            f" options (program 'echo 1,{MONEY}', format 'csv')"
        )
        names = ["far", "kept", "parted", "viewed"]
        assert set(names) <= set(self.listed(reached(postgresql)))
        assert "part_1" not in self.listed(reached(postgresql))
        for name in names:
            found = keep(reached(postgresql), table=name)
            assert found.columns == {"a": [1], "b": [Decimal(MONEY)]}, name
            assert found.types["b"] == "DECIMAL(20,2)"

    def test_views_of_mysql_can_be_read(self, mariadb: Server, keep: Callable[..., Kept]):
        mariadb.run(
            "use shop; create table base (a int, b float, `c``d` int);"
            "insert into base values (1, 0.1, 2); create view viewed as select * from base"
        )
        found = keep(reached(mariadb), table="viewed")
        assert found.columns == {"a": [1], "b": [0.1], "c`d": [2]}

    def test_generated_columns_of_mysql_can_be_read(
        self, mariadb: Server, keep: Callable[..., Kept]
    ):
        made = Case("a generated column", "1", 1, "BIGINT", declared="int generated always as (1)")
        if not is_known(mariadb, made):
            pytest.skip("the server has no generated columns")
        mariadb.run(
            "use shop; create table made (a int, c int generated always as (a + 1));"
            "insert into made (a) values (1)"
        )
        assert keep(reached(mariadb), table="made").columns == {"a": [1], "c": [2]}

    @pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
    def test_two_columns_of_one_name_are_told_apart(
        self, kind: str, request: pytest.FixtureRequest, keep: Callable[..., Kept]
    ):
        query = "select a.id, b.id, 0.1 as id, b.day as `we ``ird` from orders a join orders b on b.id = a.id where a.id = 1"
        query = query if kind == "mariadb" else query.replace("`we ``ird`", '"we `ird"')
        server = request.getfixturevalue(kind)
        if kind == "mariadb" and not knows_with(server):
            with pytest.raises(JobRefused, match="give one another name with AS"):
                keep(reached(server), query=query)
            return
        found = keep(reached(server), query=query)
        assert found.names == ["id", "id_2", "id_3", "we `ird"]
        assert found.columns["id_2"] == [1]

    def test_a_name_in_decomposed_letters_finds_its_table(
        self, postgresql: Server, keep: Callable[..., Kept]
    ):
        postgresql.run('create table "cafe\u0301" ("re\u0301gion" int)')
        assert keep(reached(postgresql), table="caf\u00e9").names == ["r\u00e9gion"]


class TestBytes:
    def test_different_bytes_stay_different_in_mysql(
        self, mariadb: Server, keep: Callable[..., Kept]
    ):
        query = "select 1 id, x'deadbeef' as bl union all select 2, cast('deadbeef' as binary)"
        found = keep(reached(mariadb), query=query)
        assert found.columns["bl"] == ["deadbeef", "6465616462656566"]
        assert found.notices == ["The bytes in bl are kept as hexadecimal digits."]


class TestSettling:
    def test_a_bare_numeric_is_of_the_type_that_holds_all_its_values(
        self, postgresql: Server, keep: Callable[..., Kept]
    ):
        query = (
            "select case when n = 200000 then 12345678901234567.125::numeric"
            " when n % 3 = 0 then null when n = 7 then 'NaN' else n end as n, avg(n) over () as mean"
            " from generate_series(1, 200000) n"
        )
        found = keep(reached(postgresql), query=query)
        assert found.types == {"n": "DECIMAL(38,3)", "mean": "DECIMAL(18,12)"}
        assert found.columns["n"][-1] == Decimal("12345678901234567.125")
        assert found.columns["n"][:3] == [Decimal(1), Decimal(2), None]
        assert found.said_of("n") == [
            "In n, 1 value is not a number or infinite, which no decimal can be: empty there."
        ]

    def test_texts_of_a_database_without_an_encoding_are_read(
        self, postgresql: Server, keep: Callable[..., Kept]
    ):
        postgresql.run(
            "create database legacy encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'"
            " template template0"
        )
        query = "select n, t from (values (1, E'M\\xfcller'), (2, E'caf\\xc3\\xa9')) as v(n, t)"
        found = keep(reached(postgresql) | {"database": "legacy"}, query=query)
        assert found.columns == {"n": [1, 2], "t": ["Müller", "café"]}
        assert [one for one in found.notices if "1 value is not UTF-8" in one]

    def test_no_rows_keep_the_types(self, postgresql: Server, keep: Callable[..., Kept]):
        query = "select 1.5::numeric(9,2) as a, 1.5::numeric as b, now() as c where false"
        found = keep(reached(postgresql), query=query)
        assert (found.types["a"], found.types["c"]) == ("DECIMAL(9,2)", "TIMESTAMP WITH TIME ZONE")


class TestDocumentation:
    """The tables that users read say what these tests show, type by type."""

    def documented(self, section: str) -> dict[str, set[str]]:
        part = DOCUMENTED.read_text().split(f"## {section}\n")[1].split("\n## ")[0]
        rows = [line.split("|") for line in part.splitlines() if line.startswith("| ")]
        return {row[1].strip(): set(row[2].strip().split(", ")) for row in rows[1:]}

    @pytest.mark.parametrize(
        ("section", "cases"),
        [("PostgreSQL", POSTGRESQL), ("MySQL and MariaDB", MYSQL), ("SQLite", SQLITE)],
    )
    def test_every_type_is_documented_as_it_is_kept(self, section: str, cases: list[Any]):
        told = self.documented(section)
        assert set(told) == {case.name for case in cases}
        for case in cases:
            digits = re.sub(r"DECIMAL\((18|38),[1-9]\d*\)", r"DECIMAL(\1,s)", case.type)
            plain = re.sub(r"DECIMAL\(\d+,[1-9]\d*\)", "DECIMAL(p,s)", case.type)
            assert told[case.name] & {case.type, digits, plain}, case
