"""Rows that a newer release wrote are told or refused, never a 500: machines are upgraded in turn.

Each column that holds one of a few words gets a word that this release does not have, and each
JSON column a member more; then all that the tour read is read again.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Literal, get_args, get_origin

import pytest
from sqlalchemy import JSON, Column, String, Text, UniqueConstraint, event, select, update
from tests.contract.world import World

import modelwright
from modelwright.core.db.database import ALL_ACCOUNTS, WITH_TRASH, Base
from modelwright.core.http.context import Level, Tier

UNKNOWN = "FROM_TOMORROW"
MAX_READS = 2
"""Answers of an operation that are asked for again."""


def words() -> set[str]:
    """The words that this release has, of all enumerations and choices of its features."""
    found = {one.name.lower() for kind in (Level, Tier) for one in kind}
    for package in iter_modules(modelwright.__path__, "modelwright."):
        for module in ("domain", "schemas"):
            try:
                loaded = vars(import_module(f"{package.name}.{module}"))
            except ModuleNotFoundError:
                continue
            for one in loaded.values():
                if isinstance(one, type) and issubclass(one, Enum):
                    found |= {str(member.value) for member in one}
                elif get_origin(one) is Literal:
                    found |= {str(value) for value in get_args(one)}
    return found


def more(told: Any) -> Any:
    """A stored JSON value as a newer release writes it, with a member more in each object."""
    if isinstance(told, list):
        return [more(one) for one in told]
    return {**told, UNKNOWN.lower(): "new"} if isinstance(told, dict) else told


def is_text(column: Column[Any]) -> bool:
    """Whether a column holds texts that rows are not told apart by."""
    return isinstance(column.type, String | Text) and not is_key(column)


def is_key(column: Column[Any]) -> bool:
    apart: list[Any] = [
        one for one in column.table.constraints if isinstance(one, UniqueConstraint)
    ]
    unique = [one for one in column.table.indexes if one.unique]
    return column.primary_key or any(column.name in one.columns for one in (*apart, *unique))


@contextmanager
def changed(world: World, columns: Sequence[Column[Any]]) -> Iterator[None]:
    """Holds columns as a newer release wrote them; puts back what there was."""
    before = {one: held(world, one) for one in columns}
    with world.container.database.transaction(ALL_ACCOUNTS) as db:
        for column in columns:
            for key, value in before[column]:
                new = more(value) if isinstance(column.type, JSON) else UNKNOWN
                db.execute(_of(column, key).values({column.name: new}))
    try:
        yield
    finally:
        with world.container.database.transaction(ALL_ACCOUNTS) as db:
            for column in columns:
                for key, value in before[column]:
                    db.execute(_of(column, key).values({column.name: value}))


def _of(column: Column[Any], key: Sequence[Any]) -> Any:
    keys = column.table.primary_key.columns
    where = [one == value for one, value in zip(keys, key, strict=True)]
    return update(column.table).where(*where)


def held(world: World, column: Column[Any]) -> list[tuple[tuple[Any, ...], Any]]:
    """The keys and values of the rows that have something in a column."""
    wanted = select(*column.table.primary_key.columns, column).where(column.is_not(None))
    with world.container.database.transaction(ALL_ACCOUNTS, write=False) as db:
        rows = db.execute(wanted, execution_options=WITH_TRASH).all()
    return [(tuple(row[:-1]), row[-1]) for row in rows]


def reads(world: World) -> list[Any]:
    """What the tour read, each operation a few times."""
    return [
        answer.request
        for answers in world.answers.values()
        for answer in answers[-MAX_READS:]
        if answer.request.method == "GET" and answer.status_code == 200
    ]


@pytest.fixture(scope="session")
def columns(world: World) -> list[Column[Any]]:
    """The columns whose values are all words of this release, and those of JSON."""
    known, found = words(), []
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            values = [value for _, value in held(world, column)] if not column.primary_key else []
            is_word = is_text(column) and {str(one) for one in values} <= known
            if values and (is_word or isinstance(column.type, JSON)):
                found.append(column)
    return found


def statements(world: World) -> list[str]:
    """All that each read asks the database: what names no table knows nothing of its rows."""
    engine, sent, found = world.container.database.engine, list[str](), []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        sent.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    for request in reads(world):
        sent.clear()
        ask(world, request)
        found.append("\n".join(sent))
    event.remove(engine, "before_cursor_execute", note)
    return found


def ask(world: World, request: Any) -> Any:
    """Sends a request of the tour again."""
    headers = {"x-api-key": request.headers.get("x-api-key", "")}
    path = request.url.raw_path.decode()
    return world.anonymous_client.get(path, headers=headers if all(headers.values()) else {})


def failing(world: World, requests: Sequence[Any]) -> list[str]:
    """What is answered with a fault of the server, but for the refusal that says to ask again."""
    found = []
    for request in requests:
        answer = ask(world, request)
        # The gateway has no 503 for keys; the body says it all the same.
        if answer.status_code >= 500 and answer.json()["error"]["status"] != 503:
            found.append(f"{request.url.raw_path.decode()}: {answer.text}")
    return found


class TestRowsOfANewerRelease:
    def test_columns_of_words_are_found(self, columns: list[Column[Any]]):
        named = {str(one) for one in columns}
        wanted = {"jobs.kind", "jobs.status", "uploads.status", "model_versions.status"}
        wanted |= {"deployments.status", "api_keys.level", "users.tier", "model_versions.wish"}
        assert wanted - named == set()

    def test_are_read_with_no_fault_of_the_server(self, world: World, columns: list[Column[Any]]):
        requests = reads(world)
        assert failing(world, requests) == []
        asked = list(zip(requests, statements(world), strict=True))
        found = []
        for one in (one for one in columns if not isinstance(one.type, JSON)):
            concerned = [request for request, sent in asked if one.table.name in sent]
            assert concerned, one
            with changed(world, [one]):
                found += [f"{one}: {fault}" for fault in failing(world, concerned)]
        with changed(world, [one for one in columns if isinstance(one.type, JSON)]):
            found += [f"JSON: {fault}" for fault in failing(world, requests)]
        assert not found, "\n".join(found)
        assert failing(world, requests) == []

    def test_are_told_as_they_are_written(self, world: World):
        column = Base.metadata.tables["jobs"].c.status
        with changed(world, [column]):
            jobs = world.do("jobs.list")["jobs"]
        assert {one["status"] for one in jobs} == {UNKNOWN}
        world.answers["jobs.list"].pop()
