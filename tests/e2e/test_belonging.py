"""A store is never emptied by mistake: whose it is not, that server does not start."""

import os
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.e2e import fork_server
from tests.e2e.commands import command
from tests.e2e.server import START_SECONDS
from tests.s3_server import settings_of

from modelwright import migrations
from modelwright.bootstrap.startup import StartupError, check_object_store, open_container
from modelwright.core.clock import SystemClock
from modelwright.core.config.settings import DATABASE, Settings
from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.storage import ownership_marker
from modelwright.storage.object_store import ObjectStore

STORED = {f"uploads/upload_{number}/1" for number in range(5)}


def objects_of(settings: Settings) -> ObjectStore:
    container = open_container(settings, is_adopting=True)
    container.database.close()
    return container.service(ObjectStore)  # type: ignore[type-abstract]


def start(settings: Settings) -> None:
    """Opens all as every server and worker does before anything else."""
    container = open_container(settings)
    with closing(container.database):
        check_object_store(container)


def fill(objects: ObjectStore) -> None:
    for key in STORED:
        with objects.writer(key) as writer:
            writer.write(b"a\n1\n")
            writer.commit()


def variables(settings: Settings) -> dict[str, str]:
    """How a process is told of settings."""
    told = settings.model_dump(exclude_defaults=True)
    shown = {
        name: getattr(value, "get_secret_value", lambda v=value: v)()
        for name, value in told.items()
    }
    return {f"MODELWRIGHT_{name.upper()}": str(value) for name, value in shown.items()}


def run(settings: Settings, *words: str) -> subprocess.CompletedProcess[str]:
    environment, folder = os.environ | variables(settings), settings.data_dir.parent
    return fork_server.run(words, environment, folder, within=START_SECONDS)


def do(settings: Settings, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in this process."""
    return command(settings.data_dir.parent, words, variables(settings))


@pytest.fixture(params=["disk", "s3"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """A data folder as a server left it, with objects in it or in a bucket."""
    told: dict[str, object] = {"data_dir": tmp_path / "data"}
    if request.param == "s3":
        told |= settings_of(request.getfixturevalue("bucket"))
    made = Settings.model_validate(told)
    start(made)
    fill(objects_of(made))
    return made


def stored(settings: Settings) -> set[str]:
    return set(objects_of(settings).keys("uploads"))


class TestRefusal:
    def test_its_own_start_without_a_word(self, settings: Settings):
        start(settings)
        assert stored(settings) == STORED

    def test_a_missing_database_is_not_made_anew(self, settings: Settings):
        (settings.data_dir / DATABASE).rename(settings.data_dir / "lost")
        for words in (("serve", "--port", "0"), ("worker",)):
            done = run(settings, *words)
            assert done.returncode == 1
            assert "modelwright adopt" in done.stderr
            assert len(done.stderr.splitlines()) == 1
        if not settings.s3_bucket:
            assert not (settings.data_dir / DATABASE).exists()
        shutil.move(settings.data_dir / "lost", settings.data_dir / DATABASE)
        start(settings)
        assert stored(settings) == STORED

    def test_a_new_database_is_told_how_to_get_the_old_data(self, settings: Settings):
        url = f"sqlite:///{settings.data_dir / 'new.sqlite'}"
        other = Settings.model_validate(settings.model_dump() | {"database_url": url})
        with closing(Database(url)) as database:
            migrations.upgrade(database)
        with pytest.raises(StartupError, match="modelwright migrate-database"):
            start(other)
        assert stored(settings) == STORED

    def test_a_second_server_on_the_same_objects_does_not_start(
        self, settings: Settings, tmp_path: Path
    ):
        told = settings.model_dump() | {"data_dir": tmp_path / "second"}
        second = Settings.model_validate(told)
        second.data_dir.mkdir()
        if not settings.s3_bucket:
            second.objects_dir.symlink_to(settings.objects_dir)
        with pytest.raises(StartupError, match=r"not this database's|is missing, but"):
            start(second)
        assert stored(settings) == STORED

    def test_a_store_that_two_have_marked_is_refused_to_both(self, settings: Settings):
        with objects_of(settings).writer(f"{ownership_marker.FOLDER}/mark_other") as writer:
            writer.commit()
        with pytest.raises(StartupError, match=r"another database's as well: .*mark_other"):
            start(settings)

    def test_a_first_start_that_was_killed_before_its_mark_is_made_up_for(self, tmp_path: Path):
        settings = Settings(data_dir=tmp_path / "data")
        container = open_container(settings)
        with closing(container.database), container.database.transaction(ALL_ACCOUNTS) as db:
            db.execute(text("insert into objects_marks (mark, is_placed) values ('mark_1', 0)"))
        start(settings)
        assert set(objects_of(settings).keys(ownership_marker.FOLDER)) == {
            f"{ownership_marker.FOLDER}/mark_1"
        }


class TestAdopt:
    def test_takes_over_what_another_database_named(self, settings: Settings):
        (settings.data_dir / DATABASE).rename(settings.data_dir / "lost")
        done = do(settings, "adopt", "--yes")
        assert (done.returncode, done.stderr) == (0, "")
        start(settings)
        assert stored(settings) == STORED
        (settings.data_dir / DATABASE).unlink()
        shutil.move(settings.data_dir / "lost", settings.data_dir / DATABASE)
        with pytest.raises(StartupError, match="not those of the database"):
            start(settings)
        assert stored(settings) == STORED

    def test_asks_before(self, settings: Settings):
        (settings.data_dir / DATABASE).rename(settings.data_dir / "lost")
        assert do(settings, "adopt").returncode == 1
        assert len(list(objects_of(settings).keys(ownership_marker.FOLDER))) == 1


class TestEarlierFolders:
    def test_one_that_a_step_before_marked_opens_without_a_word(self, tmp_path: Path):
        settings = Settings(data_dir=tmp_path / "data")
        settings.make_data_dir()
        with closing(Database(settings.database)) as database:
            migrations.walk(database, "0011")
            with database.engine.begin() as connection:
                connection.execute(text("insert into objects_marks values ('mark_1')"))
        mark = settings.objects_dir / ownership_marker.FOLDER / "mark_1"
        mark.parent.mkdir(parents=True)
        mark.touch()
        for key in STORED:
            path = settings.objects_dir / key
            path.parent.mkdir(parents=True)
            path.write_bytes(b"a\n1\n")
        start(settings)
        assert stored(settings) == STORED


class TestTrash:
    def test_is_listed_and_restored(self, settings: Settings):
        done = do(settings, "cleanup", "--yes")
        assert done.stdout == "0 objects moved to the trash.\n"  # they are young
        objects = objects_of(settings)
        for key in STORED:
            objects.discard(key, SystemClock().now())
        listed = do(settings, "trash", "list").stdout
        assert {line.split("  ")[1] for line in listed.splitlines()} == STORED
        assert (
            do(settings, "trash", "restore", "uploads/upload_1").stdout == "1 objects restored.\n"
        )
        assert stored(settings) == {"uploads/upload_1/1"}
        assert do(settings, "trash", "empty", "--yes").stdout == "4 objects removed.\n"
        assert do(settings, "trash", "list").stdout == ""
