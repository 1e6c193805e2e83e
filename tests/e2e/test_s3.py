"""Objects in S3: two servers with folders of their own share a database and a bucket, as one.

The database is SQLite or, where `MODELWRIGHT_TEST_DATABASE_URL` names a server, PostgreSQL.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.engine import make_url
from tests.conftest import POSTGRES, _recreate
from tests.e2e.killing import ROW, ROWS
from tests.e2e.server import Server
from tests.e2e.test_deployments import deploy
from tests.e2e.test_serving import INTENT, refused, until
from tests.s3_server import S3Server, settings_of

from modelwright.core.db.database import Database
from modelwright.storage.s3_bucket import S3Bucket
from modelwright.storage.s3_signing import Bucket
from modelwright_client import Client, ModelwrightError
from modelwright_client.demo.table import PENGUINS
from modelwright_client.types import DeclareFile, ListedFile


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("s3-servers")


@pytest.fixture(scope="module")
def bucket(s3: S3Server, folder: Path) -> Bucket:
    """A bucket for both servers, new each time: a worker may come back to this module."""
    s3.make(folder.name)
    return s3.named(folder.name)


@pytest.fixture(scope="module")
def shared(bucket: Bucket, folder: Path, worker_id: str) -> Iterator[dict[str, object]]:
    """The settings that both servers have."""
    url = f"sqlite:///{folder / 'shared.sqlite'}"
    with ExitStack() as stack:
        if POSTGRES:
            server = stack.enter_context(closing(Database(POSTGRES)))
            name = f"modelwright_s3_{worker_id}"
            _recreate(server, name)
            stack.callback(_recreate, server, name, again=False)
            url = make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
        yield {
            "database_url": url,
            "secret_key": "the same on both",
            **settings_of(bucket),
        }


@pytest.fixture(scope="module")
def servers(shared: dict[str, object], folder: Path) -> Iterator[list[Server]]:
    servers = []
    try:
        for name in ("one", "two"):
            (folder / name).mkdir()
            servers.append(Server(folder / name, **shared))
            servers[-1].start()
        yield servers
    finally:
        for server in servers:
            server.stop()


def there(bucket: Bucket) -> set[str]:
    """Names what features have stored in the bucket."""
    found = {meta["path"].partition("/")[0] for meta in S3Bucket(bucket).list("")}
    return found - {"audit", "belonging", "digests", "probe"}


def downloads(client: Client, export_id: str, bucket: Bucket) -> list[bytes]:
    """Fetches an export's files, which the bucket itself must give without a key."""
    files = client.exports.wait(export_id, timeout=240)["files"]
    addresses = [file["download_url"] for file in files]
    assert all(address.startswith(f"{bucket.url}/") for address in addresses)
    return [httpx.get(address).raise_for_status().content for address in addresses]


@pytest.mark.timeout(600)
class TestPreview:
    def test_is_read_again_from_another_local_copy(self, servers: list[Server]):
        with servers[0].client() as client:
            upload = client.uploads.send(PENGUINS, name="looked-at")["upload_id"]
            for limit in (10, 20, 100):
                rows = client.uploads.preview(upload, "penguins.csv", limit=limit)["data"]
                assert len(rows) == limit
            client.uploads.delete(upload)
            client.trash.purge(upload)


class TestTwoServers:
    def test_what_one_takes_the_other_asks_learns_from_and_gives_away(
        self, servers: list[Server], bucket: Bucket, tmp_path: Path
    ):
        with servers[0].client() as one, Client(servers[1].url, one_key(servers)) as two:
            upload_id = one.uploads.send([PENGUINS])["upload_id"]
            for client in (two, one):
                session = client.sessions.create(upload_id)["session_id"]
                counted = client.queries.sql("select count(*) from penguins", session_id=session)
                assert counted["rows"] == [[ROWS]]
            order: dict[str, Any] = {"intent": INTENT, "dataset_id": upload_id, "max_iterations": 1}
            job = two.models.create("p", **order)["job_id"]
            assert one.jobs.wait(job, timeout=240)["status"] == "COMPLETED"
            told = [client.predictions.infer("p", "v1.0", ROW) for client in (one, two)]
            assert told[0]["result"] == told[1]["result"]
            deployed = deploy(two, "p", replicas=1, auto_scale=False)
            for client in (one, two):
                assert client.deployments.infer(deployed, ROW)["result"] == told[0]["result"]
            scored = one.predictions.score("p", "v1.0", upload_id, format="csv")
            (rows,) = downloads(two, scored["export_id"], bucket)
            assert rows.count(b"\n") == ROWS + 1
            exported = two.exports.create(upload_id, format="parquet")
            (table,) = downloads(one, exported["export_id"], bucket)
            assert table.startswith(b"PAR1")
            assert one.models.artifact("p", "v1.0", tmp_path).stat().st_size > 0
            analysed = one.analysis.create(upload_id)["job_id"]
            assert two.jobs.wait(analysed, timeout=240)["status"] == "COMPLETED"
            assert there(bucket) == {"uploads", "tables", "artifacts", "exports", "analyses"}
            two.models.delete("p")
            one.uploads.delete(upload_id)
            two.trash.empty()
            until(lambda: there(bucket) == {"exports"})
        for server in servers:
            assert not (server.data / "objects").exists()
        kept = servers[0].command("backup", str(tmp_path / "backup")) if not POSTGRES else ""
        assert POSTGRES or bucket.url in kept

    def test_an_upload_that_is_not_as_declared_is_refused_by_the_bucket(
        self, servers: list[Server]
    ):
        with servers[0].client() as client:
            size = PENGUINS.stat().st_size
            file: DeclareFile = {"filename": "p.csv", "content_type": "text/csv"}
            file["size_bytes"] = size
            upload = client.uploads.create([file])
            (slot,) = upload["files"]
            assert httpx.put(slot["presigned_url"], content=b"longer" * size).status_code == 403
            arrived: list[ListedFile] = [{"filename": "p.csv", "object_key": slot["object_key"]}]
            with pytest.raises(ModelwrightError, match="has not arrived"):
                client.uploads.confirm(upload["upload_id"], arrived)
            httpx.put(slot["presigned_url"], content=PENGUINS.read_bytes()).raise_for_status()
            client.uploads.confirm(upload["upload_id"], arrived)
            assert client.uploads.wait(upload["upload_id"], timeout=240)["status"] == "complete"
            client.uploads.delete(upload["upload_id"])


class TestStarting:
    def test_a_server_whose_bucket_is_not_there_says_so_and_ends(
        self, bucket: Bucket, tmp_path: Path
    ):
        given = settings_of(bucket) | {"s3_bucket": "nonesuch", "data_dir": tmp_path / "data"}
        told = {f"MODELWRIGHT_{name.upper()}": str(value) for name, value in given.items()}
        done = refused(tmp_path, **told)
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)
        assert "can't be used: NoSuchBucket; see modelwright doctor." in done.stderr


def one_key(servers: list[Server]) -> str:
    """The key of the first server's client, which is good for both."""
    servers[0].client()
    return servers[0].key
