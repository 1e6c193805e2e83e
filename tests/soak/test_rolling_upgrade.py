"""Three machines of the release before are replaced by this one, one by one, while all are asked.

The release before is the last commit that had other tables: its program is put in front of this
one's, and each machine is drained, stopped, and started without it.
"""

import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from tests.e2e.cluster import Load, running, until
from tests.e2e.killing import ROW
from tests.e2e.test_deployments import deploy

from modelwright import migrations
from modelwright.machines.identity import machine_id
from modelwright_client.demo.table import PENGUINS

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
ROOT = Path(__file__).parents[2]
VERSIONS = "src/modelwright/migrations/versions"
GENTOO = {"species": "Gentoo"}
COUNT = "select count(*) from penguins"
BETWEEN = 10
"""Answers at least to be had of each kind between two steps."""
PAUSE_SECONDS = 2.1
"""Between two questions: an account has so many a minute."""


def release_before(folder: Path) -> Path:
    """Unpacks the program as it was before the newest step of the tables; returns its source."""
    [newest] = (ROOT / VERSIONS).glob(f"{migrations.head()}_*.py")
    words = ["log", "--diff-filter=A", "--format=%H", "-1", "--", f"{VERSIONS}/{newest.name}"]
    if not (made := _git(*words).decode().strip()):
        pytest.skip("the history does not say when the newest tables came")
    with tarfile.open(fileobj=io.BytesIO(_git("archive", f"{made}^", "src"))) as packed:
        packed.extractall(folder, filter="data")
    return folder / "src"


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout


class TestRollingUpgrade:
    def test_fails_no_request(self, tmp_path: Path):
        source = release_before(tmp_path / "before")
        with running(tmp_path, source=source) as cluster:
            with cluster.client() as client:
                upload = client.uploads.send([PENGUINS])["upload_id"]
                client.models.build("p", "Predict the species", upload, max_iterations=1)
                deployment = deploy(client, "p", replicas=2, auto_scale=False)
                session = client.sessions.create(upload)["session_id"]
            sql = {"query_type": "sql", "query": COUNT, "session_id": session}
            loads = [
                Load(cluster, f"/predict/{deployment}", ROW, callers=2),
                Load(cluster, "/models/p/v1.0/infer", ROW, callers=2),
                Load(cluster, "/data/query", sql, callers=1, pause_seconds=PAUSE_SECONDS),
                Load(cluster, "/models", callers=1, pause_seconds=PAUSE_SECONDS),
            ]
            for server in cluster.servers:
                for load in loads:
                    load.await_more(BETWEEN)
                # By the first one, where it is new: what is old no longer opens the new tables.
                words = ("drain", "--machine", machine_id(server.data), "--wait", "120")
                assert "nothing left to do" in cluster.servers[0].command(*words)
                assert server.stop() == 0
                del server.environment["PYTHONPATH"]
                server.start()
                assert "works again" in server.command("drain", "--undo")
            until(lambda: sum(cluster.counts()) == 2, within=60, why=cluster.told)
            for load in loads:
                load.await_more(BETWEEN)
            failed = [load.stop() for load in loads]
            told = {
                "requests": [len(load.told) for load in loads],
                "asked again": [sum(one[3] > 1 for one in load.told) for load in loads],
                "slowest": [round(max(one[1] for one in load.told), 2) for load in loads],
            }
            sys.stdout.write(f"{json.dumps(told)}\n")
            assert failed == [[]] * len(loads), told
            with cluster.client() as client:
                assert client.deployments.infer(deployment, ROW)["result"] == GENTOO
                assert client.queries.sql(COUNT, session_id=session)["rows"] == [[344]]
