"""Kill -9 in an upgrade: a step is whole or was never begun; the next start goes on from there."""

import os
import shutil
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, inspect
from tests.unit.connections import servers

from modelwright import migrations
from modelwright.core.db.database import Database

STEPS = sorted(path.stem[:4] for path in (migrations.FOLDER / "versions").glob("[0-9]*.py"))
PLACES = (0.0, 0.4, 0.9)
"""How far into the statements of an upgrade it is killed, as a share."""


def url_of(path: Path) -> str:
    return f"sqlite:///{path}"


def statements_to(url: str, step: str, kill_at: int | None = None) -> int:
    """Upgrades in a process of its own; counts its statements, or is killed before one of them."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        done = 0

        def count(*_: Any) -> None:
            nonlocal done
            if done == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
            done += 1

        try:
            with closing(Database(url)) as database:
                event.listen(database.engine, "before_cursor_execute", count)
                migrations.walk(database, step)
            os.write(write_end, str(done).encode())
        finally:
            os._exit(0)
    os.close(write_end)
    _, status = os.waitpid(child, 0)
    with os.fdopen(read_end) as told:
        said = told.read()
    assert os.WIFSIGNALED(status) == (kill_at is not None)
    return int(said or 0)


def tables_of(url: str) -> tuple[str | None, dict[str, list[str]]]:
    """The step that a database stands at, and its tables with their columns."""
    with closing(Database(url)) as database, database.engine.connect() as connection:
        found = inspect(connection)
        names = sorted(set(found.get_table_names()) - {"alembic_version"})
        tables = {name: [one["name"] for one in found.get_columns(name)] for name in names}
        return migrations.revision(connection), tables


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database as it was at each step."""
    folder = tmp_path_factory.mktemp("steps")
    now = folder / "now.sqlite"
    for step in STEPS:
        with closing(Database(url_of(now))) as database:
            migrations.walk(database, step)
        shutil.copy(now, folder / step)
    return folder


class TestSqlite:
    @pytest.mark.parametrize("place", range(1, len(STEPS)), ids=STEPS[1:])
    def test_a_killed_step_leaves_the_one_before_it_and_is_made_again(
        self, walked: Path, tmp_path: Path, place: int
    ):
        before, step = STEPS[place - 1], STEPS[place]
        copy = tmp_path / "counted"
        shutil.copy(walked / before, copy)
        count = statements_to(url_of(copy), step)
        assert count > 1
        after = tables_of(url_of(copy))
        for share in PLACES:
            path = tmp_path / f"killed{share}"
            shutil.copy(walked / before, path)
            statements_to(url_of(path), step, kill_at=int(count * share))
            assert tables_of(url_of(path)) == tables_of(url_of(walked / before))
            statements_to(url_of(path), step)
            assert tables_of(url_of(path)) == after


class TestPostgres:
    def test_a_killed_upgrade_leaves_nothing_and_is_made_again(self):
        with servers.postgresql() as server:
            url = (
                f"postgresql+psycopg://{server.username}:{servers.PASSWORD}@127.0.0.1:"
                f"{server.port}/{server.database}"
            )
            empty = tables_of(url)
            for kill_at in (3, 40):
                statements_to(url, "head", kill_at)
                assert tables_of(url) == empty
            statements_to(url, "head")
            assert tables_of(url)[0] == migrations.head()
