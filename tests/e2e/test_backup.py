"""A backup made while the server runs, restored elsewhere, answers as the first did."""

import errno
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.e2e.server import Server

from modelwright.bootstrap.startup import check_object_store, open_container
from modelwright.cli.backup import SUMS, BackupError, back_up, restore
from modelwright.cli.doctor import examine
from modelwright.core.config.settings import DATABASE, Settings

PLANTS = "height,leaves,kind\n" + "1,2,herb\n9,80,tree\n2,3,herb\n8,95,tree\n" * 20
ROW = {"height": 9, "leaves": 90}


def here(folder: Path) -> Settings:
    """The settings of a data folder as a server's first start leaves it."""
    settings = Settings(data_dir=folder)
    container = open_container(settings)
    with closing(container.database):
        check_object_store(container)
    return settings


def full(*_paths: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


class TestBackup:
    def test_restores_and_predicts(
        self, server: Server, tmp_path: Path, new_server: Callable[..., Server]
    ):
        plants = tmp_path / "plants.csv"
        plants.write_text(PLANTS)
        client = server.client()
        upload = client.uploads.send([plants], name="plants")
        dataset_id = upload["upload_id"]
        client.models.build("plants", "Predict the kind", dataset_id, max_iterations=1)
        told = client.predictions.infer("plants", "v1.0", ROW)["result"]
        server.command("backup", str(tmp_path / "kept"))
        server.stop()
        for path in (tmp_path / "data").rglob("*"):
            if path.is_file():
                path.unlink()
        (tmp_path / "data").rename(tmp_path / "lost")
        server.command("restore", str(tmp_path / "kept"))
        again = new_server(build_seconds=5)
        again.key = server.key
        assert again.start().client().predictions.infer("plants", "v1.0", ROW)["result"] == told

    def test_only_its_owner_can_read_what_is_put_back(self, tmp_path: Path):
        open_container(Settings(data_dir=tmp_path / "data")).database.close()
        back_up(Settings(data_dir=tmp_path / "data"), tmp_path / "kept")
        restore(Settings(data_dir=tmp_path / "again"), tmp_path / "kept")
        folders = [tmp_path / name for name in ("data", "kept", "again")]
        assert {folder.stat().st_mode & 0o777 for folder in folders} == {0o700}

    def test_refuses_a_folder_with_something_in_it(self, tmp_path: Path):
        settings = Settings(data_dir=tmp_path / "data")
        settings.data_dir.mkdir()
        (settings.data_dir / "modelwright.sqlite").touch()
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "file").touch()
        with pytest.raises(BackupError, match="not empty"):
            back_up(settings, tmp_path / "full")

    @pytest.mark.parametrize("place", ["kept", "objects/kept", "objects/../kept"])
    def test_refuses_a_folder_that_would_be_lost_with_the_data(self, tmp_path: Path, place: str):
        settings = Settings(data_dir=tmp_path / "data")
        open_container(settings).database.close()
        with pytest.raises(BackupError, match="lies in the data folder"):
            back_up(settings, tmp_path / "data" / place)
        (tmp_path / "link").symlink_to(tmp_path / "data")
        with pytest.raises(BackupError, match="lies in the data folder"):
            back_up(settings, tmp_path / "link" / place)

    def test_refuses_a_mount_point_before_it_copies(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        settings = here(tmp_path / "data")
        monkeypatch.setattr(Path, "is_mount", lambda path: path == tmp_path / "disk")
        with pytest.raises(BackupError, match="mount point"):
            back_up(settings, tmp_path / "disk")
        back_up(settings, tmp_path / "disk" / "kept")

    def test_one_that_fails_takes_no_room(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        settings = here(tmp_path / "data")
        monkeypatch.setattr(shutil, "copy2", full)
        with pytest.raises(OSError, match="No space left"):
            back_up(settings, tmp_path / "kept")
        assert list(tmp_path.rglob("kept*")) == []
        monkeypatch.undo()
        back_up(settings, tmp_path / "kept")


class TestRestore:
    @pytest.fixture
    def kept(self, tmp_path: Path) -> Path:
        back_up(here(tmp_path / "data"), tmp_path / "kept")
        return tmp_path / "kept"

    @pytest.fixture
    def again(self, tmp_path: Path) -> Settings:
        return Settings(data_dir=tmp_path / "again")

    def test_refuses_what_is_no_backup(self, again: Settings, tmp_path: Path):
        with pytest.raises(BackupError, match="not a backup"):
            restore(again, tmp_path)

    @pytest.mark.parametrize("size", [0, 100, 60_000])
    def test_refuses_a_database_that_is_cut_off_and_leaves_nothing(
        self, kept: Path, again: Settings, size: int
    ):
        os.truncate(kept / DATABASE, size)
        (kept / SUMS).unlink()
        with pytest.raises(BackupError, match="damaged, or no database"):
            restore(again, kept)
        assert list(again.data_dir.iterdir()) == []

    @pytest.mark.parametrize("name", [DATABASE, "storage.key", "objects"])
    @pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"other")])
    def test_refuses_one_of_which_a_file_is_missing_or_another(
        self, kept: Path, again: Settings, name: str, spoil: Callable[[Path], object]
    ):
        found = kept / name
        path = next(one for one in (found, *found.rglob("*")) if one.is_file())
        spoil(path)
        with pytest.raises(BackupError, match=re.escape(path.name)):
            restore(again, kept)
        assert not again.data_dir.exists()

    def test_refuses_one_of_a_newer_program_and_leaves_nothing(self, kept: Path, again: Settings):
        with closing(sqlite3.connect(kept / DATABASE)) as database:
            database.execute("update alembic_version set version_num = '9999'")
            database.commit()
        (kept / SUMS).unlink()
        with pytest.raises(BackupError, match="newer program"):
            restore(again, kept)
        assert list(again.data_dir.iterdir()) == []

    def test_refuses_a_folder_that_has_data_and_says_what_to_do(self, kept: Path, tmp_path: Path):
        with pytest.raises(BackupError, match=r"stop the server.*MODELWRIGHT_DATA_DIR"):
            restore(Settings(data_dir=tmp_path / "data"), kept)

    def test_one_that_fails_leaves_nothing(
        self, kept: Path, again: Settings, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(shutil, "copy2", full)
        with pytest.raises(OSError, match="No space left"):
            restore(again, kept)
        monkeypatch.undo()
        restore(again, kept)

    def test_takes_a_mere_copy_of_a_folder_whose_server_was_killed(
        self, again: Settings, tmp_path: Path
    ):
        here(tmp_path / "data")
        with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as database:
            database.execute("create table late (one)")
            database.commit()
            assert (tmp_path / "data" / f"{DATABASE}-wal").stat().st_size
            shutil.copytree(tmp_path / "data", tmp_path / "copy")
        restore(again, tmp_path / "copy")
        with closing(sqlite3.connect(again.data_dir / DATABASE)) as database:
            assert database.execute("select count(*) from late").fetchone() == (0,)

    def test_what_only_the_owner_may_read_or_write_is_so_again(self, kept: Path, again: Settings):
        for path in kept.iterdir():
            path.chmod(0o755 if path.is_dir() else 0o444)
        restore(again, kept)
        secrets = list(again.data_dir.glob("*.key"))
        assert {path.stat().st_mode & 0o777 for path in secrets} == {0o600}
        assert (again.data_dir / DATABASE).stat().st_mode & 0o200


class TestDoctor:
    def test_finds_nothing_wrong_with_a_fresh_folder(self, tmp_path: Path):
        settings = Settings(data_dir=tmp_path / "data", build_memory_mb=512)
        assert [finding for finding in examine(settings) if finding.remedy] == []

    def test_finds_open_secrets_a_broken_database_and_a_missing_address(self, tmp_path: Path):
        (tmp_path / "storage.key").write_bytes(b"secret")
        (tmp_path / "storage.key").chmod(0o644)
        (tmp_path / "modelwright.sqlite").write_bytes(b"no database" * 100)
        settings = Settings(data_dir=tmp_path, trusted_proxies="127.0.0.1", build_memory_mb=512)
        wrong = {finding.part for finding in examine(settings) if finding.remedy}
        assert wrong == {"secrets", "database", "address"}

    def test_says_what_in_a_database_is_damaged(self, tmp_path: Path):
        settings, path = here(tmp_path / "data"), tmp_path / "data" / DATABASE
        with closing(sqlite3.connect(path)) as database:
            database.execute("pragma journal_mode = delete")
            [(size,)] = database.execute("pragma page_size")
            [(page,)] = database.execute("select rootpage from sqlite_master where name = 'usage'")
        with path.open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(b"\x0d" + bytes(size - 1))
        [told] = [finding.message for finding in examine(settings) if finding.part == "database"]
        assert told.startswith("it is damaged: ")
        assert "***" not in told

    def test_finds_a_proxy_that_hides_who_calls(self, tmp_path: Path):
        settings = Settings(data_dir=tmp_path / "data", build_memory_mb=512, tls_by_proxy=True)
        (wrong,) = (finding for finding in examine(settings) if finding.remedy)
        assert "MODELWRIGHT_TRUSTED_PROXIES" in wrong.remedy

    def test_finds_a_secret_that_can_be_guessed(self, tmp_path: Path):
        settings = Settings(data_dir=tmp_path / "data", build_memory_mb=512, secret_key="short")
        (wrong,) = (finding for finding in examine(settings) if finding.remedy)
        assert "MODELWRIGHT_SECRET_KEY" in wrong.message

    def test_finds_a_folder_that_others_can_read(self, tmp_path: Path):
        tmp_path.chmod(0o755)
        settings = Settings(data_dir=tmp_path, build_memory_mb=512)
        (wrong,) = (finding for finding in examine(settings) if finding.remedy)
        assert (wrong.part, wrong.remedy) == ("data folder", f"chmod 700 {tmp_path}")
