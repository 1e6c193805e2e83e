"""PostgreSQL killed under load, and put back to a moment together with the objects."""

import shutil
import time
from pathlib import Path

import pytest
from tests.e2e.killing import Campaign
from tests.e2e.private_postgres import private_postgres
from tests.e2e.server import Server

from modelwright.cli.doctor import scrub
from modelwright_client.demo.table import PENGUINS
from modelwright_client.errors import NotFoundError

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]


class TestKilled:
    def test_ten_kills_under_load_lose_nothing(self, tmp_path: Path):
        with private_postgres() as postgres:
            campaign = Campaign(Server(tmp_path, database_url=postgres.url), tmp_path, seed=5)

            def kill_and_start() -> None:
                postgres.kill()
                postgres.start()

            for _ in range(10):
                campaign.disturb(6.0, kill_and_start)
            campaign.reckon()


class TestPointInTime:
    def test_a_deletion_by_mistake_is_undone_with_base_backup_log_and_copied_objects(
        self, tmp_path: Path
    ):
        with private_postgres() as postgres:
            server = Server(tmp_path, database_url=postgres.url).start()
            copy = tmp_path / "copy"

            def copy_objects() -> None:
                """As rsync without --delete: what is gone here stays there."""
                shutil.copytree(server.data, copy, dirs_exist_ok=True)

            with server.client() as client:
                early = client.uploads.send([PENGUINS])["upload_id"]
                base = postgres.back_up()
                late = client.uploads.send([PENGUINS])["upload_id"]
                copy_objects()
                moment = str(postgres.ask("select now()"))
                time.sleep(1)
                client.uploads.delete(early)
                mistaken = client.uploads.send([PENGUINS])["upload_id"]
            copy_objects()
            postgres.ask("select pg_switch_wal()")
            assert server.stop() == 0
            postgres.put_back(base, moment)
            shutil.rmtree(server.data)
            shutil.copytree(copy, server.data)
            server.start()
            with server.client() as client:
                for upload_id in (early, late):
                    files = client.uploads.read(upload_id)["files"]
                    assert [file["rows"] for file in files] == [344]
                    asked = client.sessions.use(upload_id)["session_id"]
                    answer = client.queries.sql(
                        "select count(*) as many from penguins", session_id=asked
                    )
                    assert "344" in str(answer)
                with pytest.raises(NotFoundError):
                    client.uploads.read(mistaken)
            assert [one for one in scrub(server.settings) if one.remedy] == []
            assert server.stop() == 0
