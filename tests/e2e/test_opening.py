"""A database that does not open is told in one sentence that names the setting."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest
from sqlalchemy import inspect
from tests.e2e import fork_server
from tests.e2e.commands import command
from tests.e2e.fork_server import COMMAND
from tests.e2e.server import START_SECONDS, Server
from tests.ports import free_port
from tests.unit.storage.disks import small_file_system

from modelwright import migrations
from modelwright.bootstrap.startup import StartupError, check_object_store, open_container
from modelwright.cli.doctor import examine
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import Database
from modelwright.core.process.open_files import MAX_OPEN_FILES
from modelwright_client import cli

PASSWORD = "not-to-be-shown"
OPENING = [("serve", "--port", "0"), ("worker",)]
"""The two ways in: `serve` opens the container for its welcome as all other commands do."""


def run(folder: Path, *words: str, database_url: str = "") -> subprocess.CompletedProcess[str]:
    named = {"MODELWRIGHT_DATA_DIR": str(folder), "MODELWRIGHT_DATABASE_URL": database_url}
    return fork_server.run(words, os.environ | named, folder, within=START_SECONDS)


@pytest.fixture
def away() -> str:
    """The address of a database that nobody serves."""
    return f"postgresql+psycopg://modelwright:{PASSWORD}@127.0.0.1:{free_port()}/modelwright"


class TestSettings:
    @pytest.mark.parametrize(
        "words",
        [
            ("serve", "--port", "0"),
            ("worker",),
            ("users", "list"),
            ("doctor",),
            ("backup", "../copy"),
            ("restore", "copy"),
        ],
        ids=lambda words: words[0],
    )
    def test_every_command_names_a_wrong_one_as_it_was_written(
        self,
        words: tuple[str, ...],
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ):
        monkeypatch.setenv("MODELWRIGHT_BUILD_SECONDS", "0")
        monkeypatch.setattr(sys, "argv", ["modelwright", *words])
        assert cli.main() == 1
        told = "MODELWRIGHT_BUILD_SECONDS: must be greater than 0.\n"
        assert capsys.readouterr() == ("", told)

    @pytest.mark.parametrize(
        ("variable", "remedy"),
        [
            ("MODELWRIGHT_BUILD_SECOND", "did you mean MODELWRIGHT_BUILD_SECONDS?"),
            ("MODELWRIGHT_TRUSTED_PROXY", "did you mean MODELWRIGHT_TRUSTED_PROXIES?"),
            ("MODELWRIGHT_BUILD_SECONDS", ""),
            ("MODELWRIGHT_URL", ""),
            ("MODELWRIGHT_API_KEY", ""),
            ("MODELWRIGHT_PORT", ""),
            ("MODELWRIGHT_SERVICE_HOST", ""),
        ],
    )
    def test_the_doctor_sees_a_slip_of_the_pen_and_lets_other_names_be(
        self, variable: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        for name in [name for name in os.environ if name.startswith("MODELWRIGHT_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv(variable, "9")
        (found,) = (one for one in examine(Settings(data_dir=tmp_path)) if one.part == "settings")
        assert found.remedy == remedy


class TestUnreachable:
    @pytest.mark.parametrize("words", OPENING, ids=lambda words: words[0])
    def test_every_command_says_it_in_one_sentence(
        self, tmp_path: Path, words: tuple[str, ...], away: str
    ):
        done = run(tmp_path, *words, database_url=away)
        assert done.returncode == 1
        (told,) = done.stderr.splitlines()
        assert told.startswith("The database can't be reached: ")
        assert told.endswith("; check MODELWRIGHT_DATABASE_URL.")
        assert PASSWORD not in done.stderr + done.stdout

    def test_the_doctor_says_so_too(self, tmp_path: Path, away: str):
        findings = examine(Settings(data_dir=tmp_path, database_url=away))
        [found] = [finding for finding in findings if finding.part == "database"]
        assert found.message.startswith("The database can't be reached: ")
        assert PASSWORD not in found.message + found.remedy

    @pytest.mark.parametrize("kind", ["postgres", "mysql+pymysql"])
    def test_another_kind_of_database_is_told_which_there_are(self, tmp_path: Path, kind: str):
        address = f"{kind}://modelwright:{PASSWORD}@127.0.0.1/modelwright"
        with pytest.raises(StartupError, match="MODELWRIGHT_DATABASE_URL must begin") as told:
            open_container(Settings(data_dir=tmp_path, database_url=address))
        assert PASSWORD not in str(told.value)

    def test_an_address_that_is_none_names_its_setting(self, tmp_path: Path):
        with pytest.raises(StartupError, match="MODELWRIGHT_DATABASE_URL") as told:
            open_container(Settings(data_dir=tmp_path, database_url=f"nonsense:{PASSWORD}"))
        assert PASSWORD not in str(told.value)

    def test_a_broken_file_names_the_data_folder(self, tmp_path: Path):
        (tmp_path / "modelwright.sqlite").write_text("no database at all " * 100)
        with pytest.raises(StartupError, match="not a database; check MODELWRIGHT_DATA_DIR"):
            open_container(Settings(data_dir=tmp_path))


class TestTooNew:
    """A database that a newer program has upgraded already."""

    @pytest.mark.parametrize("words", OPENING, ids=lambda words: words[0])
    def test_every_command_says_so_and_leaves_it_alone(
        self, tmp_path: Path, words: tuple[str, ...]
    ):
        settings = Settings(data_dir=tmp_path)
        with (
            closing(open_container(settings).database) as database,
            database.engine.begin() as newer,
        ):
            newer.exec_driver_sql("update alembic_version set version_num = '9999'")
            newer.exec_driver_sql("drop table objects_marks")
        done = run(tmp_path, *words)
        assert done.returncode == 1
        (told,) = done.stderr.splitlines()
        assert told.startswith("The database is a newer program's: it stands at step 9999, ")
        assert "install the newer program again" in told
        with closing(Database(settings.database)) as database, database.engine.connect() as found:
            assert migrations.revision(found) == "9999"
            assert not inspect(found).has_table("objects_marks")


class TestNoInstallation:
    """A folder where no server ever started, such as the wrong one."""

    @pytest.mark.parametrize(
        "words",
        [
            ("users", "list"),
            ("keys", "list"),
            ("audit",),
            ("worker",),
            ("trash", "list"),
            ("backup", "../copy"),
        ],
        ids=lambda words: words[0],
    )
    def test_a_command_names_the_folder_and_makes_nothing(
        self, tmp_path: Path, words: tuple[str, ...]
    ) -> None:
        done = command(tmp_path, words, {"MODELWRIGHT_DATA_DIR": str(tmp_path)})
        assert done.returncode == 1
        (told,) = done.stderr.splitlines()
        assert told.startswith(f"There is no installation in {tmp_path}")
        assert list(tmp_path.iterdir()) == []


class TestStrangers:
    def test_read_nothing_of_what_is_put_into_a_folder_that_they_can_enter(self, tmp_path: Path):
        folder = tmp_path / "data"
        folder.mkdir(mode=0o755)
        assert run(folder, "adopt", "--yes").returncode == 0  # begins an installation
        assert run(folder, "users", "create", "ana@example.org").returncode == 0
        modes = {path.name: path.stat().st_mode & 0o007 for path in folder.rglob("*")}
        assert modes["modelwright.sqlite"] == 0
        assert set(modes.values()) == {0}


class TestObjectsOfAnother:
    """A second machine: it shares the database, and has a data folder of its own."""

    @pytest.fixture
    def first(self, tmp_path: Path) -> Path:
        """A data folder as a server's first start leaves it."""
        self.start(Settings(data_dir=tmp_path / "first"))
        return tmp_path / "first"

    @pytest.fixture
    def second(self, first: Path, tmp_path: Path) -> Settings:
        (tmp_path / "second").mkdir()
        shared = f"sqlite:///{first / 'modelwright.sqlite'}"
        return Settings(data_dir=tmp_path / "second", database_url=shared)

    @staticmethod
    def start(settings: Settings) -> None:
        """Opens all as every server and worker does before anything else."""
        container = open_container(settings)
        with closing(container.database):
            check_object_store(container)

    @pytest.mark.parametrize("words", OPENING, ids=lambda words: words[0])
    def test_without_the_objects_it_does_not_work(self, second: Settings, words: tuple[str, ...]):
        done = run(second.data_dir, *words, database_url=second.database_url)
        assert done.returncode == 1
        (told,) = done.stderr.splitlines()
        assert told.startswith("The objects here are not those of the database: ")
        assert "first machine" in told

    def test_with_them_it_does(self, first: Path, second: Settings):
        with pytest.raises(StartupError):
            self.start(second)
        second.objects_dir.rename(second.data_dir / "own")
        second.objects_dir.symlink_to(first / "objects")
        self.start(second)

    def test_without_its_objects_a_restored_database_is_not_served(self, first: Path):
        (first / "objects").rename(first / "lost")
        done = run(first, "serve", "--port", "0")
        assert done.returncode == 1
        assert "restore" in done.stderr


class TestOpenFiles:
    def test_a_low_limit_is_raised(self, new_server: Callable[..., Server]):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
        try:
            server = new_server().start(forked=False)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for pid in server.family():
            found, most = psutil.Process(pid).rlimit(psutil.RLIMIT_NOFILE)
            assert found == min(most, MAX_OPEN_FILES) > 1024


def installation(folder: Path) -> Path:
    """Makes a data folder with its database."""
    Settings(data_dir=folder).make_data_dir()
    with closing(Database(f"sqlite:///{folder / 'modelwright.sqlite'}")) as database:
        migrations.upgrade(database)
    return folder


def as_nobody(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a command as a user without rights."""
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not installed")
    return subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", COMMAND, *words],
        env=os.environ | {"MODELWRIGHT_DATA_DIR": str(data), "HOME": "/nonexistent"},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        timeout=START_SECONDS,
    )


class TestDisk:
    """The folder's own faults, each told by every way in, in one sentence."""

    @pytest.mark.parametrize("words", [*OPENING, ("users", "list")])
    def test_a_full_one_is_told_as_such(self, tmp_path: Path, words: tuple[str, ...]):
        with small_file_system(tmp_path / "small") as folder:
            installation(folder / "data")
            with suppress(OSError), (folder / "filler").open("wb", buffering=0) as filler:
                while filler.write(b"x" * 4096):
                    pass
            done = run(folder / "data", *words)
        assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stderr
        assert "the disk is full; free some room" in done.stderr, done.stderr

    def test_a_log_without_its_index_is_taken_up(
        self, new_server: Callable[..., Server], tmp_path: Path
    ):
        """As a copy of a folder holds it, or a machine that lost its power leaves it."""
        server = new_server().start()
        with server.client() as client:
            made = client.keys.create("of the log", "read_only")["key_id"]
            kept = tmp_path / "kept"
            shutil.copytree(server.data, kept)
        server.stop()
        for path in kept.glob("modelwright.sqlite-shm"):
            path.unlink()
        assert (kept / "modelwright.sqlite-wal").stat().st_size > 0
        shutil.rmtree(server.data)
        shutil.copytree(kept, server.data)
        server.start()
        with server.client() as client:
            assert made in {key["key_id"] for key in client.keys.list()["keys"]}

    @pytest.mark.parametrize("words", [*OPENING, ("users", "list"), ("backup", "/elsewhere")])
    def test_one_that_may_not_be_written_is_told_as_such(
        self, tmp_path: Path, words: tuple[str, ...]
    ):
        data = installation(tmp_path / "data")
        for path in [tmp_path, *tmp_path.parents]:
            if path.stat().st_mode & 0o077 == 0:
                path.chmod(path.stat().st_mode | 0o011)
        for path in [*data.rglob("*"), data]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        done = as_nobody(data, *words)
        assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stderr
        assert str(data) in done.stderr or "elsewhere" in done.stderr
        assert "Errno" not in done.stderr
