"""Secrets the server makes for itself."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from modelwright.bootstrap.startup import StartupError, open_container
from modelwright.cli.doctor import examine
from modelwright.core.config.secret_files import SECRET_BYTES, KeyFileError, read_or_make
from modelwright.core.config.settings import Settings


class TestReadOrMake:
    def test_it_is_made_once_and_kept(self, tmp_path: Path):
        first = read_or_make(tmp_path / "deep" / "secret.key")
        assert len(first) == SECRET_BYTES
        assert read_or_make(tmp_path / "deep" / "secret.key") == first
        assert read_or_make(tmp_path / "other.key") != first

    def test_only_its_owner_may_read_it(self, tmp_path: Path):
        read_or_make(tmp_path / "secret.key")
        assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600

    def test_all_who_start_at_once_agree(self, tmp_path: Path):
        with ThreadPoolExecutor(8) as pool:
            found = set(pool.map(lambda _: read_or_make(tmp_path / "secret.key"), range(64)))
        assert len(found) == 1
        assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]


class TestRefuse:
    @pytest.mark.parametrize("size", [0, 1, SECRET_BYTES - 1, SECRET_BYTES + 1, 4096])
    def test_another_length(self, tmp_path: Path, size: int):
        path = tmp_path / "secret.key"
        path.write_bytes(b"x" * size)
        path.chmod(0o600)
        with pytest.raises(KeyFileError, match=f"has {size} bytes in place of {SECRET_BYTES}"):
            read_or_make(path)
        assert path.stat().st_size == size

    @pytest.mark.parametrize("rights", [0o640, 0o604, 0o660, 0o622, 0o644, 0o777])
    def test_others_rights(self, tmp_path: Path, rights: int):
        path = tmp_path / "secret.key"
        read_or_make(path)
        path.chmod(rights)
        with pytest.raises(KeyFileError, match=f"its rights are {rights:o}.*chmod 600"):
            read_or_make(path)

    def test_a_folder_or_a_pipe_in_its_place(self, tmp_path: Path):
        (tmp_path / "folder.key").mkdir()
        os.mkfifo(tmp_path / "pipe.key", 0o600)
        for name in ("folder.key", "pipe.key"):
            with pytest.raises(KeyFileError, match=f"{name} is no file"):
                read_or_make(tmp_path / name)

    def test_a_link_to_nothing(self, tmp_path: Path):
        path = tmp_path / "secret.key"
        path.symlink_to(tmp_path / "not mounted")
        with pytest.raises(KeyFileError, match=r"is a link to .*not mounted, which is not there"):
            read_or_make(path)
        assert [one.name for one in tmp_path.iterdir()] == ["secret.key"]

    def test_a_link_to_a_file_that_others_may_read(self, tmp_path: Path):
        read_or_make(tmp_path / "kept")
        (tmp_path / "secret.key").symlink_to(tmp_path / "kept")
        assert read_or_make(tmp_path / "secret.key") == (tmp_path / "kept").read_bytes()
        (tmp_path / "kept").chmod(0o644)
        with pytest.raises(KeyFileError, match="its rights are 644"):
            read_or_make(tmp_path / "secret.key")

    @pytest.mark.parametrize("name", ["secret.key", "storage.key"])
    def test_the_server_says_why_it_does_not_start_with_what_is_no_file(
        self, tmp_path: Path, name: str
    ):
        (tmp_path / name).mkdir()
        with pytest.raises(StartupError, match=f"{name} is no file"):
            open_container(Settings(data_dir=tmp_path))

    @pytest.mark.parametrize("name", ["secret.key", "storage.key"])
    def test_the_server_does_not_start_and_the_doctor_says_why(self, tmp_path: Path, name: str):
        settings = Settings(data_dir=tmp_path)
        open_container(settings).database.close()
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(StartupError, match=f"{name} has 0 bytes"):
            open_container(settings)
        (found,) = (one for one in examine(settings) if one.part == "secrets")
        assert "has 0 bytes in place of 32" in found.message
        assert "put it back from a backup" in found.remedy
