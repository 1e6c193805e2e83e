"""A database that does not open is told in one sentence that names the setting."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.journeys.server import COMMAND, START_SECONDS
from tests.ports import free_port

PASSWORD = "not-to-be-shown"


def run(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    named = {f"MODELWRIGHT_{name.upper()}": value for name, value in settings.items()}
    return subprocess.run(
        [COMMAND, *words],
        env=os.environ | {"MODELWRIGHT_DATA_DIR": str(folder / "data")} | named,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=START_SECONDS,
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


class TestDoctor:
    def test_says_so_too(self, tmp_path: Path):
        done = run(tmp_path, "doctor", database_url=away(free_port()))
        assert done.returncode == 1
        assert "✗ database: The database can't be reached: " in done.stdout
        assert PASSWORD not in done.stdout
