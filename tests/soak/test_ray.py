"""Builds whose fits run on a real cluster of Ray, also while nodes of it are lost.

`SOAK_BUILDS` says in how many builds a node is killed, twenty where it does not.
"""

import json
import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import psutil
import pytest
from tests.e2e.cluster import until
from tests.e2e.processor_share import ProcessorShare
from tests.e2e.server import Server
from tests.soak.ray_nodes import RayNodes, ray_nodes
from tests.unit.engines.automl.test_executors import a_fit, data, model_hash

from modelwright.builds.parallelism import start_gateway
from modelwright.engines.automl.estimators.estimator import Deadline
from modelwright.engines.automl.fitting import BuildInputs, fit
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.search.executors import (
    FitExecutor,
    RemoteExecutor,
    RemoteFitError,
    ThreadExecutor,
)
from modelwright_client import Client
from modelwright_client.demo.table import PENGUINS

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]

NODES = 2
SECONDS = 30
OVER = 0.1
"""By how much of its seconds a build may be late on a machine that has nothing else to do."""
LAST_SECONDS = 5.0
"""What follows the deadline there takes no longer; where other work takes processors meanwhile, it
takes so many times as long."""
LATEST_KILL_SECONDS = 20.0
"""Of a build that is given `SECONDS`; by then its fits are done."""
CAPPED = 6
"""Candidates of the builds that the clock does not decide."""
LONG_SECONDS = 600
"""Given to a build that is cancelled, so that nothing but the cancel ends it in time."""
LARGE_ROWS = 200_000
LARGE_COLUMNS = 20
ROOM_MB = 6144
TIGHT_MB = 64
"""Less than a process has that has loaded the libraries."""
CANCEL_SECONDS = 30.0
"""After a cancel, no process that fitted is left in the cluster."""
BUILDS = int(os.environ.get("SOAK_BUILDS", "20"))
INTENT = "Predict the species of a penguin"


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayNodes]:
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    with ray_nodes(NODES) as made:
        yield made


@pytest.fixture(scope="module")
def upload_of(cluster: RayNodes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("ray")
    server = Server(folder, build_seconds=SECONDS, ray_address=cluster.address).start()
    yield server
    server.stop()


def log_of(client: Client, job_id: str) -> str:
    return "\n".join(line["message"] for line in client.jobs.logs(job_id, limit=100)["logs"])


class TestFits:
    @pytest.mark.timeout(600)
    def test_make_the_same_model_in_threads_and_on_one_two_and_three_nodes(self, tmp_path: Path):
        pytest.importorskip("ray", reason="the extra `ray` is not installed")
        found = {"threads": model_of(tmp_path / "0", ThreadExecutor(2))}
        with ray_nodes(1) as cluster:
            for nodes in (1, 2, 3):
                if nodes > 1:
                    cluster.add_a_node()
                with closing(RemoteExecutor(start_gateway(cluster.address, ROOM_MB))) as executor:
                    assert executor.workers == nodes
                    found[f"{nodes} nodes"] = model_of(tmp_path / str(nodes), executor)
        sys.stdout.write(f"{json.dumps(found)}\n")
        assert len(set(found.values())) == 1, found

    @pytest.mark.timeout(300)
    def test_that_need_too_much_memory_end_there(self, cluster: RayNodes):
        endless = replace(a_fit(), valid=None, rounds=10**9)
        with closing(RemoteExecutor(start_gateway(cluster.address, TIGHT_MB))) as executor:
            outcome = executor.submit(data(), endless, Deadline(time.monotonic() + LONG_SECONDS))
            with pytest.raises(RemoteFitError, match=f"needed more than {TIGHT_MB} MB of memory"):
                outcome.result(120)
            until(lambda: cluster.fits() == set(), within=60)


class TestBuild:
    @pytest.mark.timeout(120 * BUILDS)
    def test_outlives_a_node_that_is_killed_at_any_moment(
        self, upload_of: Server, cluster: RayNodes
    ):
        """Half of the builds are ended by the clock, half by the number of candidates."""
        chance, told, share = random.Random(BUILDS), [], ProcessorShare()
        with upload_of.client() as client:
            upload = client.uploads.send(PENGUINS)["upload_id"]
            for number in range(BUILDS):
                most: Any = None if number % 2 else CAPPED
                started = client.models.create(
                    f"p{number}", intent=INTENT, dataset_id=upload, max_iterations=most
                )
                mark = share.mark()
                wait_for(client, started["job_id"], f"Fits run on Ray, {NODES} at a time.")
                after = chance.uniform(0.0, LATEST_KILL_SECONDS / (1 if number % 2 else 4))
                time.sleep(after)
                cluster.kill_a_node()
                job = client.jobs.wait(started["job_id"], timeout=200)
                cluster.add_a_node()
                took, slowness = seconds_of(job), share.slowness_since(mark)
                model = client.models.read(f"p{number}")
                told.append((most, after, took, slowness, model["status"]))
                sys.stdout.write(f"{json.dumps(told[-1])}\n")
        share.stop()
        assert {status for *_, status in told} == {"READY"}, told
        assert not [
            one
            for one in told
            if one[0] is None and one[2] > (1 + OVER) * SECONDS + LAST_SECONDS * (one[3] - 1)
        ], told

    @pytest.mark.timeout(600)
    def test_that_is_cancelled_leaves_nothing_of_it_in_the_cluster(
        self, cluster: RayNodes, tmp_path: Path
    ):
        table = tmp_path / "large.csv"
        write_large(table)
        server = Server(tmp_path, build_seconds=LONG_SECONDS, ray_address=cluster.address).start()
        try:
            with server.client() as client:
                upload = client.uploads.send(table)["upload_id"]
                started = client.models.create("p", intent="Predict y", dataset_id=upload)
                wait_for(client, started["job_id"], f"Fits run on Ray, {NODES} at a time.")
                fitting: set[psutil.Process] = set()
                until(lambda: bool(fitting.update(cluster.fits()) or fitting), within=120)
                client.jobs.cancel(started["job_id"])
                took = until(lambda: gone(fitting | cluster.fits()), within=CANCEL_SECONDS)
                ended = lambda: client.jobs.read(started["job_id"])["status"] == "CANCELLED"  # noqa: E731 - read at once
                until(ended, within=60)
                assert cluster.fits() == set()
                sys.stdout.write(f"{len(fitting)} processes gone {took:.1f} s after the cancel\n")
        finally:
            server.stop()

    @pytest.mark.timeout(300)
    def test_goes_on_without_a_cluster_that_is_away(self, tmp_path: Path):
        server = Server(tmp_path, build_seconds=SECONDS, ray_address="127.0.0.1:1").start()
        try:
            with server.client() as client:
                upload = client.uploads.send(PENGUINS)["upload_id"]
                model = client.models.build("p", INTENT, upload, max_iterations=1)
                job = client.jobs.list(kind="build")["jobs"][0]["job_id"]
                assert model["status"] == "READY"
                assert "Ray cannot be reached, so that fits run on this machine" in log_of(
                    client, job
                )
        finally:
            server.stop()

    @pytest.mark.timeout(300)
    def test_goes_on_where_all_of_the_cluster_is_lost(self, tmp_path: Path):
        pytest.importorskip("ray", reason="the extra `ray` is not installed")
        with ray_nodes(NODES) as cluster:
            server = Server(tmp_path, build_seconds=SECONDS, ray_address=cluster.address).start()
            try:
                with server.client() as client:
                    upload = client.uploads.send(PENGUINS)["upload_id"]
                    started = client.models.create("p", intent=INTENT, dataset_id=upload)
                    wait_for(client, started["job_id"], f"Fits run on Ray, {NODES} at a time.")
                    cluster.stop()
                    job = client.jobs.wait(started["job_id"], timeout=200)
                    assert client.models.read("p")["status"] == "READY", job
                    sys.stdout.write(f"{seconds_of(job)} {log_of(client, started['job_id'])}\n")
            finally:
                server.stop()


def model_of(folder: Path, executor: FitExecutor) -> str:
    """Builds of the penguins, by so many candidates; returns the digest of the model."""
    folder.mkdir()
    path = folder / "penguins.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"copy (from '{PENGUINS}') to '{path}' (format parquet)")
    plan = make_plan([path], INTENT, max_iterations=CAPPED, seconds=LONG_SECONDS, seed=0)
    end = time.monotonic() + LONG_SECONDS
    fit(
        BuildInputs([path], plan, folder, deadline=end, progress=lambda *_: None, executor=executor)
    )
    return model_hash(folder)


def write_large(path: Path) -> None:
    """Writes a table of which a fit takes its time."""
    with duckdb.connect() as connection:
        columns = ", ".join(f"random() as x{number}" for number in range(LARGE_COLUMNS))
        connection.execute("set threads = 1")
        connection.execute(
            f"copy (select *, x0 * x1 + sin(9 * x2) + 0.3 * random() as y from"
            f" (select {columns} from range({LARGE_ROWS}))) to '{path}'"
        )


def gone(processes: set[psutil.Process]) -> bool:
    """Whether none of some processes is left."""
    return not any(one.is_running() for one in processes)


def seconds_of(job: Any) -> float:
    """How long a job took once it had begun."""
    begun, ended = (datetime.fromisoformat(job[one]) for one in ("started_at", "completed_at"))
    return (ended - begun).total_seconds()


def wait_for(client: Client, job_id: str, sentence: str) -> None:
    for _ in range(600):
        if sentence in log_of(client, job_id):
            return
        assert client.jobs.read(job_id)["status"] in {"PENDING", "RUNNING"}, log_of(client, job_id)
        time.sleep(0.1)
    raise AssertionError(log_of(client, job_id))
