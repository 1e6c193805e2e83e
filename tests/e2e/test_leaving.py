"""An account is deleted while the server works for it: what runs is stopped, nothing is left."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.e2e.killing import ROW
from tests.e2e.server import Server
from tests.e2e.test_deployments import deploy, replicas
from tests.e2e.test_serving import INTENT, until
from tests.process_names import named

from modelwright_client import Client
from modelwright_client.demo.table import PENGUINS

EMAIL = "leaving@example.org"


def stored(server: Server) -> set[str]:
    """The objects there are, but for the anchors of the audit log, which outlive accounts."""
    objects = server.data / "objects"
    names = {path.relative_to(objects).as_posix() for path in objects.rglob("*") if path.is_file()}
    return {name for name in names if not name.startswith((".", "audit/", "digests/audit/"))}


def children(server: Server) -> int:
    """How many processes work at jobs."""
    return len(named(server.process, "job"))


@pytest.mark.timeout(300)
class TestDelete:
    def test_stops_builds_and_replicas_and_leaves_nothing(self, new_server: Callable[..., Server]):
        server = new_server(build_seconds=60).start()  # the second build is stopped before
        with server.client() as client:
            kept = client.uploads.send([PENGUINS])["upload_id"]
        before = stored(server)
        key = server.make_key(EMAIL)
        with Client(server.url, key) as client:
            upload_id = client.uploads.send([PENGUINS])["upload_id"]
            order: dict[str, Any] = {"intent": INTENT, "dataset_id": upload_id}
            job = client.models.create("p", **order, max_iterations=1)["job_id"]
            assert client.jobs.wait(job, timeout=120)["status"] == "COMPLETED"
            deployment_id = deploy(client, "p")
            assert client.deployments.infer(deployment_id, ROW)["result"] == {"species": "Gentoo"}
            building = client.models.create("q", **order)["job_id"]
            until(lambda: client.jobs.read(building)["progress"] > 0)
        assert len(replicas(server)) == 1
        told = server.command("users", "delete", EMAIL, "--yes")
        assert told.strip().endswith(f"{EMAIL} is gone.")
        headers = {"x-api-key": key}
        for path in ("/models", f"/jobs/{building}"):
            answer = httpx.get(f"{server.url}{path}", headers=headers, timeout=60)
            assert answer.json()["error"]["code"] == "invalid_key"
        until(lambda: not replicas(server))
        until(lambda: not children(server))
        until(lambda: stored(server) == before)
        assert EMAIL not in server.command("users", "list")
        assert "users.delete" in server.command("audit")
        with server.client() as client:
            assert client.uploads.read(kept)["status"] == "complete"
            order = {"intent": INTENT, "dataset_id": kept, "max_iterations": 1}
            job = client.models.create("mine", **order)["job_id"]
            assert client.jobs.wait(job, timeout=120)["status"] == "COMPLETED"
