"""Deployments on a real server: at work, through deaths and restarts, until they are gone."""

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import httpx
import psutil
import pytest
from tests.built_models import Built
from tests.e2e.killing import ROW
from tests.e2e.server import Server
from tests.e2e.test_serving import until
from tests.process_names import named

from modelwright_client import Client


def replicas(server: Server) -> list[psutil.Process]:
    """The replica processes that run."""
    return named(server.process, "replica dep")


def deploy(client: Client, name: str, **body: Any) -> str:
    """Deploys a model and waits for the job."""
    made = client.deployments.deploy(name, **body)
    [job] = client.jobs.list(kind="deployment", limit=1)["jobs"]
    assert client.jobs.wait(job["job_id"], timeout=60)["status"] == "COMPLETED"
    return made["deployment_id"]


class Callers:
    """Ask a deployment without pause and without trying again, and remember what they were told."""

    def __init__(self, server: Server, deployment_id: str, number: int = 4) -> None:
        self.statuses: list[int] = []
        self._address = f"{server.url}/predict/{deployment_id}"
        self._headers = {"x-api-key": server.key}
        self._done = threading.Event()
        self._threads = [threading.Thread(target=self._call) for _ in range(number)]
        for thread in self._threads:
            thread.start()

    def _call(self) -> None:
        with httpx.Client(headers=self._headers, timeout=60) as anonymous_client:
            while not self._done.is_set():
                self.statuses.append(anonymous_client.post(self._address, json=ROW).status_code)

    def stop(self) -> set[int]:
        """Ends the asking; returns the statuses there were."""
        self._done.set()
        for thread in self._threads:
            thread.join()
        return set(self.statuses)


@pytest.fixture
def deployed(new_server: Callable[..., Server], species: Built) -> tuple[Server, str]:
    """A server with a deployment of two replicas at work."""
    server = new_server()
    server.give_model("p", species)
    with server.start().client() as client:
        return server, deploy(client, "p", replicas=2, auto_scale=False)


class TestTwo:
    def test_a_second_server_on_the_folder_asks_the_same_replicas_and_takes_them_over(
        self, deployed: tuple[Server, str], new_server: Callable[..., Server]
    ):
        first, deployment_id = deployed
        second = new_server().start()
        second.key = first.key
        with second.client() as client:
            assert client.deployments.infer(deployment_id, ROW)["result"] == {"species": "Gentoo"}
            assert (len(replicas(first)), len(replicas(second))) == (2, 0)
            callers = Callers(second, deployment_id)
            first.kill()
            until(lambda: len(replicas(second)) == 2)
            seen = len(callers.statuses)
            until(lambda: len(callers.statuses) > seen + 20)
            assert callers.stop() == {200}


class TestDeployments:
    @pytest.mark.timeout(300)
    def test_serve_through_deaths_a_power_cut_and_undeploying(self, deployed: tuple[Server, str]):
        server, deployment_id = deployed
        with server.client() as client:
            assert client.models.read("p")["deployment_status"] == "DEPLOYED"
            assert client.deployments.infer(deployment_id, ROW)["result"] == {"species": "Gentoo"}
            self.kill_parts(server, deployment_id)
            self.cut_the_power(server, client, deployment_id)
            self.undeploy(server, client, deployment_id)
        assert server.stop() == 0
        assert server.left_behind() == set()

    @staticmethod
    def kill_parts(server: Server, deployment_id: str) -> None:
        """Kills a replica, then the host of all replicas; no caller sees either."""
        callers = Callers(server, deployment_id)
        first, second = replicas(server)
        os.kill(first.pid, signal.SIGKILL)
        until(lambda: len({one.pid for one in replicas(server)} - {first.pid}) == 2)
        host = second.parent()
        assert host is not None
        os.kill(host.pid, signal.SIGKILL)
        before = {second.pid}
        until(lambda: len({one.pid for one in replicas(server)} - before) == 2)
        seen = len(callers.statuses)
        until(lambda: len(callers.statuses) > seen + 20)
        assert callers.stop() == {200}

    @staticmethod
    def cut_the_power(server: Server, client: Client, deployment_id: str) -> None:
        """Kills everything at once; the deployment comes back by itself."""
        server.family()
        server.kill()
        assert server.left_behind() == set()
        server.start()
        assert client.deployments.infer(deployment_id, ROW)["result"] == {"species": "Gentoo"}
        [shown] = client.deployments.list("p")["deployments"]
        assert shown["status"] == "ACTIVE"

    @staticmethod
    def undeploy(server: Server, client: Client, deployment_id: str) -> None:
        """Takes it down while it is asked: callers see answers, then 409, then 404."""
        callers = Callers(server, deployment_id)
        until(lambda: len(callers.statuses) > 20)
        client.deployments.undeploy("p", deployment_id)
        until(lambda: client.deployments.list("p")["deployments"] == [])
        until(lambda: callers.statuses[-1] == 404)
        assert callers.stop() <= {200, 409, 404}
        until(lambda: replicas(server) == [])
