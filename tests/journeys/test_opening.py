"""A database that does not open is told in one sentence that names the setting."""

import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from tests.journeys.server import COMMAND, START_SECONDS, Server
from tests.ports import free_port

from modelwright.core.open_files import MOST

PASSWORD = "not-to-be-shown"


def run(
    folder: Path, *words: str, seconds: float = START_SECONDS, **settings: str
) -> subprocess.CompletedProcess[str]:
    named = {f"MODELWRIGHT_{name.upper()}": value for name, value in settings.items()}
    return subprocess.run(
        [COMMAND, *words],
        env=os.environ | {"MODELWRIGHT_DATA_DIR": str(folder / "data")} | named,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )


def away(port: int) -> str:
    """The address of a database that nobody serves."""
    return f"postgresql+psycopg://modelwright:{PASSWORD}@127.0.0.1:{port}/modelwright"


@pytest.mark.parametrize(
    "words", [("serve", "--port", "0"), ("worker",), ("users", "list")], ids=lambda words: words[0]
)
class TestUnreachable:
    def test_it_is_said_in_one_sentence(self, tmp_path: Path, words: tuple[str, ...]):
        done = run(tmp_path, *words, database_url=away(free_port()))
        assert done.returncode == 1
        (told,) = done.stderr.splitlines()
        assert told.startswith("The database can't be reached: ")
        assert told.endswith("; check MODELWRIGHT_DATABASE_URL.")
        assert PASSWORD not in done.stderr + done.stdout

    def test_an_address_that_is_none_is_too(self, tmp_path: Path, words: tuple[str, ...]):
        done = run(tmp_path, *words, database_url=f"nonsense:{PASSWORD}")
        assert done.returncode == 1
        (told,) = done.stderr.splitlines()
        assert "MODELWRIGHT_DATABASE_URL" in told
        assert PASSWORD not in told

    def test_a_broken_file_names_the_data_folder(self, tmp_path: Path, words: tuple[str, ...]):
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "modelwright.sqlite").write_text("no database at all " * 100)
        done = run(tmp_path, *words)
        assert done.returncode == 1
        (told,) = done.stderr.splitlines()
        assert "not a database; check MODELWRIGHT_DATA_DIR." in told


class TestObjectsOfAnother:
    """A second machine: it shares the database, and has a data folder of its own."""

    @pytest.fixture
    def second(self, server: Server, tmp_path: Path) -> tuple[Path, str]:
        (folder := tmp_path / "second").mkdir()
        return folder, f"sqlite:///{server.data / 'modelwright.sqlite'}"

    @pytest.mark.parametrize("words", [("worker",), ("serve", "--port", "0")])
    def test_without_the_objects_it_does_not_work(
        self, second: tuple[Path, str], words: tuple[str, ...]
    ):
        done = run(second[0], *words, database_url=second[1])
        assert done.returncode == 1
        (told,) = done.stderr.splitlines()
        assert told.startswith("The objects here are not those of the database: ")
        assert "first machine" in told

    def test_with_them_it_does(self, server: Server, second: tuple[Path, str]):
        (second[0] / "data").mkdir()
        (second[0] / "data" / "objects").symlink_to(server.data / "objects")
        with pytest.raises(subprocess.TimeoutExpired):
            run(second[0], "worker", database_url=second[1], seconds=8)

    def test_without_its_objects_a_restored_database_is_not_served(self, server: Server):
        server.stop()
        (server.data / "objects").rename(server.data / "lost")
        done = run(server.data.parent, "serve", "--port", "0")
        assert done.returncode == 1
        assert "restore" in done.stderr


class TestOpenFiles:
    def test_a_low_limit_is_raised(self, new_server: Callable[..., Server]):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
        try:
            server = new_server().start()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for pid in server.family():
            found, most = psutil.Process(pid).rlimit(psutil.RLIMIT_NOFILE)
            assert found == min(most, MOST) > 1024


class TestDoctor:
    def test_says_so_too(self, tmp_path: Path):
        done = run(tmp_path, "doctor", database_url=away(free_port()))
        assert done.returncode == 1
        assert "✗ database: The database can't be reached: " in done.stdout
        assert PASSWORD not in done.stdout
