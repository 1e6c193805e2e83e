"""Parts of a server that stand still, as after SIGSTOP: each is replaced, nothing is done twice."""

import json
import re
import time

import httpx
import psutil
import pytest
from tests.built_models import Built
from tests.e2e.conftest import HUNG_SECONDS
from tests.e2e.killing import ROW
from tests.e2e.server import Server, lives
from tests.e2e.test_deployments import deploy, replicas
from tests.e2e.test_serving import until
from tests.process_names import name_of, named

from modelwright.cli.doctor import examine
from modelwright_client.demo.table import PENGUINS

PARTS = {"api", "worker", "replica host"}


def part(server: Server, name: str) -> psutil.Process:
    """The process of a part, once it is there."""
    until(lambda: len(of_name(server, name)) == 1)
    return of_name(server, name)[0]


def of_name(server: Server, name: str) -> list[psutil.Process]:
    return [one for one in server.process.children() if name_of(one) == name]


def replaced(server: Server, name: str) -> int:
    """How often the numbers say that a part was replaced for its silence."""
    address = f"http://127.0.0.1:{server.settings.metrics_port}/metrics"
    with httpx.Client(transport=httpx.HTTPTransport(retries=5), timeout=30) as client:
        told = client.get(address).text
    pattern = rf'modelwright_process_replacements_total{{process="{name}"}} ([\d.]+)'
    return int(float(re.findall(pattern, told)[0]))


def diagnosis(server: Server) -> str:
    """What the doctor says of the processes."""
    [told] = [one.message for one in examine(server.settings) if one.part == "processes"]
    return told


def health(server: Server) -> dict[str, dict[str, str]]:
    return dict(httpx.get(f"{server.url}/data/health", timeout=30).json()["checks"])


class TestNames:
    def test_every_process_is_named_as_its_part(self, hanging: Server):
        assert name_of(hanging.process) == "supervisor"
        until(lambda: {name_of(one) for one in hanging.process.children()} >= PARTS)


class TestStopped:
    @pytest.mark.parametrize("name", ["worker", "replica host", "api"])
    def test_a_part_is_replaced_and_that_is_told(self, hanging: Server, name: str):
        victim = part(hanging, name)
        before = replaced(hanging, name)
        victim.suspend()
        until(lambda: not lives(victim.pid))
        assert part(hanging, name).pid != victim.pid
        until(lambda: replaced(hanging, name) == before + 1)
        lines = [
            json.loads(line) for line in hanging.log.read_text().splitlines() if line[:1] == "{"
        ]
        told = [line["child"] for line in lines if line["event"] == "supervise.child_hung"]
        assert told.count(name) == before + 1
        until(lambda: f"{name} {before + 1} times" in diagnosis(hanging))

    def test_health_and_doctor_name_it_before_it_is_replaced(self, hanging: Server):
        victim = part(hanging, "replica host")
        victim.suspend()
        until(lambda: health(hanging)["processes"]["status"] == "down")
        until(lambda: health(hanging)["processes"]["status"] == "ok")
        assert not lives(victim.pid)

    def test_a_busy_server_is_not_taken_for_a_hung_one(self, hanging: Server):
        before = {name: part(hanging, name).pid for name in PARTS}
        with hanging.client() as client:
            upload_id = client.uploads.send([PENGUINS])["upload_id"]
            session = client.sessions.create(upload_id)
            slow = "SELECT sum(hash(a.range)) FROM range(3000000) a, range(60) b"
            client.queries.sql(slow, session_id=session["session_id"])
        assert {name: part(hanging, name).pid for name in PARTS} == before

    def test_a_whole_server_that_was_stopped_for_long_goes_on_as_it_was(self, hanging: Server):
        before = {name: part(hanging, name).pid for name in PARTS}
        family = [psutil.Process(pid) for pid in hanging.family()]
        for one in [hanging.process, *family]:
            one.suspend()
        time.sleep(2 * HUNG_SECONDS)
        for one in reversed(family):
            one.resume()
        until(lambda: httpx.get(f"{hanging.url}/data/health", timeout=30).status_code == 200)
        time.sleep(1.0)
        assert {name: part(hanging, name).pid for name in PARTS} == before

    def test_the_supervisor_s_silence_is_told_by_health(self, hanging: Server):
        hanging.process.suspend()
        try:
            until(lambda: health(hanging)["processes"]["status"] == "down")
            assert "supervisor" in health(hanging)["processes"]["message"]
        finally:
            hanging.process.resume()
        until(lambda: health(hanging)["processes"]["status"] == "ok")

    def test_a_query_process_is_given_up_and_the_next_query_answered(self, hanging: Server):
        with hanging.client() as client:
            upload_id = client.uploads.send([PENGUINS])["upload_id"]
            session = client.sessions.create(upload_id)["session_id"]
            client.queries.sql("SELECT 1 AS a", session_id=session)
            for stopped in ("query host", "query"):
                for one in named(hanging.process, stopped):
                    one.suspend()
                found = client.queries.sql("SELECT 2 AS a", session_id=session)
                assert [list(row) for row in found["rows"]] == [[2]]

    def test_a_replica_is_replaced_and_its_callers_are_answered(
        self, hanging: Server, species: Built
    ):
        hanging.give_model("m", species)
        with hanging.client() as client:
            deployment_id = deploy(client, "m", replicas=1)
            [victim] = replicas(hanging)
            victim.suspend()
            answer = client.deployments.infer(deployment_id, ROW)
            assert answer["result"] == {"species": "Gentoo"}
            assert not lives(victim.pid)
        assert "deployments.replica_hung" in hanging.log.read_text()
