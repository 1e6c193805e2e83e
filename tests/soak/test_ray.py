"""Builds whose fits run on a real cluster of Ray, also while a node of it is lost."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.server import Server

from modelwright_client import Client
from modelwright_client.demo.table import PENGUINS

pytestmark = pytest.mark.soak

NODES = 2
SECONDS = 60


class Cluster:
    """The cluster's process."""

    def __init__(self) -> None:
        program = Path(__file__).with_name("ray_cluster.py")
        self.process = subprocess.Popen(
            [sys.executable, program, str(NODES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.address = self._line()

    def _line(self) -> str:
        assert self.process.stdout
        while line := self.process.stdout.readline().strip():
            if line.startswith(("127.", "killed")):
                return line
        raise AssertionError("the cluster ended")

    def kill_a_node(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("kill\n")
        self.process.stdin.flush()
        assert self._line() == "killed"

    def stop(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(60)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    made = Cluster()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def upload_of(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("ray")
    server = Server(folder, build_seconds=SECONDS, ray_address=cluster.address).start()
    yield server
    server.stop()


def log_of(client: Client, job_id: str) -> str:
    return "\n".join(line["message"] for line in client.jobs.logs(job_id, limit=100)["logs"])


@pytest.mark.timeout(300)
class TestBuild:
    def test_fits_on_the_cluster_and_outlives_a_node(self, upload_of: Server, cluster: Cluster):
        with upload_of.client() as client:
            upload = client.uploads.send(PENGUINS)["upload_id"]
            intent = "Predict the species of a penguin"
            started = client.models.create("p", intent=intent, dataset_id=upload, max_iterations=8)
            wait_for(client, started["job_id"], f"Fits run on Ray, {NODES} at a time.")
            cluster.kill_a_node()
            client.jobs.wait(started["job_id"], timeout=200)
            assert client.models.read("p")["status"] == "READY"

    def test_goes_on_without_a_cluster_that_is_away(self, tmp_path: Path):
        server = Server(tmp_path, build_seconds=SECONDS, ray_address="127.0.0.1:1").start()
        try:
            with server.client() as client:
                upload = client.uploads.send(PENGUINS)["upload_id"]
                intent = "Predict the species of a penguin"
                model = client.models.build("p", intent, upload, max_iterations=1)
                job = client.jobs.list(kind="build")["jobs"][0]["job_id"]
                assert model["status"] == "READY"
                assert "Ray cannot be reached, so that fits run on this machine" in log_of(
                    client, job
                )
        finally:
            server.stop()


def wait_for(client: Client, job_id: str, sentence: str) -> None:
    for _ in range(600):
        if sentence in log_of(client, job_id):
            return
        assert client.jobs.read(job_id)["status"] in {"PENDING", "RUNNING"}, log_of(client, job_id)
        time.sleep(0.1)
    raise AssertionError(log_of(client, job_id))
