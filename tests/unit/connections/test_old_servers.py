"""MySQL of old versions: what they do not know keeps nobody from reading them."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

import pymysql
import pytest
from pymysql.constants import ER, FIELD_TYPE

from modelwright.connections.drivers import mysql
from modelwright.connections.drivers.mysql import MySql
from modelwright.jobs.errors import JobRefused


class Field(NamedTuple):
    """A column as a server tells it."""

    name: str
    type_code: int


A = Field("a", FIELD_TYPE.FLOAT)
B = Field("b`c", FIELD_TYPE.LONG)


def server_that(
    monkeypatch: pytest.MonkeyPatch, refuses: Callable[[str], int | None]
) -> tuple[MySql, list[str]]:
    """Makes a connection to a server that refuses statements with a code; gives what it hears."""
    heard: list[str] = []

    def execute(statement: str) -> Any:
        heard.append(statement)
        if code := refuses(statement):
            raise pymysql.OperationalError(code, "You have an error in your SQL syntax")
        return SimpleNamespace(close=lambda: None)

    db: Any = object.__new__(MySql)
    db._db = SimpleNamespace(get_server_info=lambda: "5.6.24")
    monkeypatch.setattr(db, "_execute", execute)
    return db, heard


def test_a_server_without_a_limit_of_statements_is_read(monkeypatch: pytest.MonkeyPatch):
    db, heard = server_that(
        monkeypatch,
        lambda said: ER.UNKNOWN_SYSTEM_VARIABLE if "max_execution_time" in said else None,
    )
    db._prepare(60.0)
    assert heard[-1].startswith("start transaction")


def test_another_fault_of_the_limit_is_one(monkeypatch: pytest.MonkeyPatch):
    db, _ = server_that(monkeypatch, lambda said: ER.SPECIFIC_ACCESS_DENIED_ERROR)
    with pytest.raises(pymysql.OperationalError):
        db._prepare(60.0)


def test_floats_are_made_doubles_without_a_common_table_expression():
    wrapped, are_renamed = mysql._wrapped("select 1", [A, B])
    assert wrapped == "select `a` + 0e0, `b``c` from (select 1\n) as q"
    assert not are_renamed


def test_columns_of_one_name_are_refused_where_they_cannot_be_renamed(
    monkeypatch: pytest.MonkeyPatch,
):
    db, _ = server_that(monkeypatch, lambda said: ER.PARSE_ERROR)
    monkeypatch.setattr(db, "_described", lambda query: [B, B])
    with pytest.raises(JobRefused, match="give one another name with AS"):
        db._rows("select 1, 1", "query")


def test_a_mistake_of_a_query_without_such_columns_is_told_in_the_servers_words(
    monkeypatch: pytest.MonkeyPatch,
):
    db, _ = server_that(monkeypatch, lambda said: ER.PARSE_ERROR)
    monkeypatch.setattr(db, "_described", lambda query: [A, B])
    with pytest.raises(JobRefused, match="error in your SQL syntax"):
        db._rows("select 1", "query")
