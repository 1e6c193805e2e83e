"""One container a test, over a database migrated once a worker; SQLite, or PostgreSQL when named.

`MODELWRIGHT_TEST_DATABASE_URL` names a PostgreSQL server's database to run the same tests on.
"""

import tests.processor  # noqa: F401, I001 - before anything that loads NumPy

import atexit
import gc
import logging
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import certifi
import pytest
import structlog
from fastapi.testclient import TestClient
from sqlalchemy import Dialect, Engine, text
from sqlalchemy.engine import make_url
from tests import s3_server
from tests.built_models import (
    built_folder,
    cafes,
    marked_towns,
    mass,
    nested_species,
    penguins,
    species,
    weights,
)
from tests.factories import model_side, worker
from tests.in_process_children import in_process_children
from tests.memory_disk import write_to_memory
from tests.s3_server import S3Server
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from modelwright import migrations
from modelwright.api_keys.service import Keys
from modelwright.bootstrap.container import Container, build_container
from modelwright.core import logging as logs
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS, Base, Database
from modelwright.core.http.context import Level, Tier
from modelwright.core.limits.store import MemoryRateLimitStore
from modelwright.server.app import create_app
from modelwright.storage.s3_signing import Bucket
from modelwright.users.service import Users

__all__ = [
    "built_folder",
    "cafes",
    "in_process_children",
    "marked_towns",
    "mass",
    "model_side",
    "nested_species",
    "penguins",
    "species",
    "weights",
    "worker",
]

POSTGRES = os.environ.get("MODELWRIGHT_TEST_DATABASE_URL", "")
ONE_WORKER = ("tests/contract/", "tests/unit/connections/", "tests/unit/language_models/")
"""Folders whose tests share what takes seconds to make: a world, databases, a language model."""
ASKED_FOR = {Path(__file__).parent / marker: marker for marker in ("soak", "release")}
"""Folders all of whose tests have a marker, and are left out unless asked for by it."""
SHARED = Path(__file__).parents[2] / "shared" / "benchmarks"

# The workers of a run inherit it: they find compiled what they import.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_configure(config: pytest.Config) -> None:
    """Has all but long runs, which fill disks, write to memory."""
    if not config.option.markexpr:
        write_to_memory()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Does not even import what was not asked for: it loads what no other test does."""
    marker = ASKED_FOR.get(collection_path)
    return None if marker is None or marker in config.option.markexpr else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves long runs and a release out unless asked for by `-m`, wherever they lie.

    On PostgreSQL only what has a database runs: all else is the same as without.
    """
    for marker in ASKED_FOR.values():
        if marker not in config.option.markexpr:
            items[:] = [item for item in items if item.get_closest_marker(marker) is None]
    if POSTGRES:
        items[:] = [item for item in items if _has_database(item)]


def _has_database(item: pytest.Item) -> bool:
    """Tells whether a test or any of its fixtures asks for a database, by name or by import."""
    known = getattr(item, "_fixtureinfo", None)
    if known is None or "migrated" in known.names_closure:
        return known is not None
    fixtures = (one for defined in known.name2fixturedefs.values() for one in defined)
    modules = {one.func.__module__ for one in fixtures}
    if isinstance(item, pytest.Function):
        modules.add(item.function.__module__)
    return any(map(_makes_databases, modules - {__name__}))


@cache
def _makes_databases(module: str) -> bool:
    """Tells whether a module imports what makes databases for tests."""
    return not _MAKERS.isdisjoint(vars(sys.modules[module]))


_MAKERS = frozenset({"POSTGRES", "_recreate", "empty_installation", "migrated_database"})


class ByFileOrFolder(LoadFileScheduling):  # type: ignore[misc] # xdist tells no types
    """Gives all tests of a file to one worker, and those of some folders."""

    def _split_scope(self, nodeid: str) -> str:
        folders = (folder for folder in ONE_WORKER if nodeid.startswith(folder))
        return next(folders, super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFileOrFolder | None:
    return ByFileOrFolder(config, log) if config.option.dist == "loadfile" else None


def pytest_report_collectionfinish(items: list[pytest.Item]) -> list[str]:
    """Tells how many tests PostgreSQL runs, so that one that drops out is seen."""
    return [f"PostgreSQL runs the {len(items)} tests that have a database."] if POSTGRES else []


def pytest_collectstart() -> None:
    """Looks for no garbage among what is collected, which stays: it took a third of the time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leaves what is imported and collected out of each search for garbage: a sixth of the time."""
    gc.freeze()
    atexit.register(gc.unfreeze)  # after pytest's own searches, before Python's
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """Address of a migrated database: a file to copy, or this worker's own on the server."""
    with migrated_database(tmp_path_factory.mktemp("migrated"), f"test_{worker_id}") as address:
        yield address


@contextmanager
def migrated_database(folder: Path, name: str) -> Iterator[str]:
    """Makes a database of its own with all tables: a file in the folder, or one on the server."""
    if not POSTGRES:
        path = folder / "modelwright.sqlite"
        with closing(Database(f"sqlite:///{path}")) as database:
            migrations.upgrade(database)
        yield str(path)
        return
    name = f"modelwright_{name}"
    with closing(Database(POSTGRES)) as server:
        _recreate(server, name)
        url = make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
        with closing(Database(url)) as database:
            migrations.upgrade(database)
            _MIGRATED[url] = database
            yield url
        _recreate(server, name, again=False)


_MIGRATED: dict[str, Database] = {}
"""Those on the server, by address: connecting to one takes longer than emptying it."""


def _recreate(server: Database, name: str, *, again: bool = True) -> None:
    with server.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"drop database if exists {name} with (force)"))
        if again:
            connection.execute(text(f"create database {name}"))


@pytest.fixture(scope="session", autouse=True)
def _one_authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Trusts one authority of all: each HTTP client reads them anew, and no test asks any."""
    path = tmp_path_factory.mktemp("authority") / "one.pem"
    path.write_text("".join(certifi.contents().partition("-----END CERTIFICATE-----")[:2]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(path))
        yield


def _log_plainly() -> None:
    """Logs faults as Python shows them; structlog's pretty ones take seconds each."""
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*structlog.get_config()["processors"][:-1], plain])


_log_plainly()


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    """Forgets where a command of this test logged to: that stream ended with the command."""
    yield
    structlog.reset_defaults()
    _log_plainly()
    logging.root.removeHandler(logs.library_handler)
    logs.quick.clear()


@pytest.fixture
def settings(tmp_path: Path, migrated: str) -> Settings:
    return empty_installation(tmp_path / "data", migrated)


def empty_installation(data: Path, migrated: str) -> Settings:
    """Makes a data folder over an empty database."""
    data.mkdir()
    if POSTGRES:
        _empty(_MIGRATED[migrated])
        return defaults().model_copy(update={"data_dir": data, "database_url": migrated})
    shutil.copy(migrated, data / "modelwright.sqlite")
    return defaults().model_copy(update={"data_dir": data})


def _empty(database: Database) -> None:
    """Truncates the tables that have rows: each costs, and most have none."""
    names = [table.name for table in Base.metadata.sorted_tables]
    asked = " union all ".join(f"select '{one}' where exists (select from {one})" for one in names)
    with database.engine.begin() as connection:
        if filled := ", ".join(connection.scalars(text(asked))):
            connection.execute(text(f"truncate {filled} restart identity cascade"))


@cache
def defaults() -> Settings:
    """Reads the settings once: they are fifty, from three places."""
    return Settings()


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(datetime(2026, 3, 2, 12, 0, tzinfo=UTC))


@pytest.fixture
def container(settings: Settings, clock: FrozenClock) -> Iterator[Container]:
    built = build_container(settings, clock=clock, counters=MemoryRateLimitStore(clock))
    share_compiled(built.database.engine)
    yield built
    built.database.close()


def share_compiled(engine: Engine) -> None:
    """Lets engines of one kind share the SQL they compiled: a quarter of its short life."""
    kind = engine.dialect.name
    if kind not in _DIALECTS:
        engine.connect().close()  # which tells the dialect what the database can
        _DIALECTS[kind] = engine.dialect
    engine.dialect = _DIALECTS[kind]
    engine.update_execution_options(compiled_cache=_COMPILED)


_DIALECTS: dict[str, Dialect] = {}
_COMPILED: dict[Any, Any] = {}


@pytest.fixture
def command_line(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets commands find the settings of the test."""
    monkeypatch.setenv("MODELWRIGHT_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("MODELWRIGHT_DATABASE_URL", settings.database_url)


@pytest.fixture
def no_usage_flush(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps usage where tests count it, and the background out of the database."""
    monkeypatch.setattr("modelwright.core.regular_flush.FLUSH_SECONDS", 3600.0)


@pytest.fixture
def make_key(container: Container) -> Callable[..., str]:
    """Makes a key of an account (a new one for a new e-mail)."""

    def make(
        email: str = "ana@example.org",
        level: Level = Level.READ_WRITE,
        tier: Tier = Tier.ENTERPRISE,
    ) -> str:
        with container.database.transaction(ALL_ACCOUNTS) as db:
            account = container.service(Users).for_key(db, email)
            container.service(Users).amend(db, account.user_id, tier=tier.name.lower())
            issued = container.service(Keys).issue(
                db, account.user_id, account.email, "test", level, None
            )
        return issued.secret

    return make


@pytest.fixture
def anonymous_client(container: Container) -> Iterator[TestClient]:
    """A client without a key."""
    with TestClient(
        create_app(container), raise_server_exceptions=False, follow_redirects=False
    ) as client:
        yield client


@pytest.fixture
def as_key(anonymous_client: TestClient) -> Callable[[str], TestClient]:
    """Makes a client of the same application, and of its event loop, that sends a key."""

    def make(secret: str) -> TestClient:
        client = TestClient(
            anonymous_client.app,
            raise_server_exceptions=False,
            follow_redirects=False,
            headers={"x-api-key": secret},
        )
        client.portal = anonymous_client.portal  # a loop for each request took half of its time
        return client

    return make


@pytest.fixture
def api(as_key: Callable[[str], TestClient], make_key: Callable[..., str]) -> TestClient:
    """A client with a read_write key."""
    return as_key(make_key())


@pytest.fixture
def read_only_client(
    as_key: Callable[[str], TestClient], make_key: Callable[..., str]
) -> TestClient:
    """A client with a read_only key of the same account."""
    return as_key(make_key(level=Level.READ_ONLY))


@pytest.fixture
def other_account_client(
    as_key: Callable[[str], TestClient], make_key: Callable[..., str]
) -> TestClient:
    """A client of another account."""
    return as_key(make_key("ben@example.org"))


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """An S3 that checks signatures."""
    with s3_server.running(tmp_path_factory.mktemp("s3")) as server:
        server.make("tests")
        yield server


@pytest.fixture
def bucket(s3: S3Server) -> Bucket:
    """A bucket that is empty."""
    s3.clear("tests")
    return s3.named("tests")


@pytest.fixture
def shared() -> Path:
    """The shared benchmark tables."""
    if not SHARED.is_dir():
        pytest.skip("the shared benchmark tables are not beside the project")
    return SHARED
