"""A backup made while the server runs, restored elsewhere, answers as the first did."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.journeys.server import Server

from modelwright.backup import BackupError, back_up, restore
from modelwright.core.settings import Settings
from modelwright.doctor import examine
from modelwright.opening import open_house

PLANTS = "height,leaves,kind\n" + "1,2,herb\n9,80,tree\n2,3,herb\n8,95,tree\n" * 20
ROW = {"height": 9, "leaves": 90}


class TestBackup:
    def test_restores_and_predicts(
        self, server: Server, tmp_path: Path, new_server: Callable[..., Server]
    ):
        plants = tmp_path / "plants.csv"
        plants.write_text(PLANTS)
        client = server.client()
        upload = client.uploads.send([plants], name="plants")
        client.models.build("plants", "Predict the kind", upload["upload_id"])
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
        open_house(Settings(data_dir=tmp_path / "data")).database.close()
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

    def test_refuses_what_is_no_backup(self, tmp_path: Path):
        with pytest.raises(BackupError, match="not a backup"):
            restore(Settings(data_dir=tmp_path / "data"), tmp_path)


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

    def test_finds_a_folder_that_others_can_read(self, tmp_path: Path):
        tmp_path.chmod(0o755)
        settings = Settings(data_dir=tmp_path, build_memory_mb=512)
        (wrong,) = (finding for finding in examine(settings) if finding.remedy)
        assert (wrong.part, wrong.remedy) == ("data folder", f"chmod 700 {tmp_path}")
