"""`modelwright serve`: starting, refusing to start, dying parts, stopping."""

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import httpx
import psutil
import pytest
from tests.e2e import fork_server
from tests.e2e.fork_server import COMMAND
from tests.e2e.server import Server, lives
from tests.ports import free_port

from modelwright.core.config.settings import Settings
from modelwright.processes.listener import CannotListenError, listen
from modelwright_client import ModelwrightError
from modelwright_client.demo.table import PENGUINS

SOON = 60.0
STOPPED_SECONDS = 20.0
INTENT = "Predict the species of a penguin"


def until(true: Callable[[], bool], within: float = SOON) -> None:
    end = time.monotonic() + within
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def parts(server: Server) -> list[psutil.Process]:
    """The API, the worker and the host of replicas, in the order they were started."""
    return sorted(server.process.children(), key=lambda part: part.create_time())


def refused(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    words = ("serve", "--port", environment.pop("port", "0"))
    return fork_server.run(words, os.environ | environment, folder, within=120)


class TestStarting:
    def test_a_taken_port_is_one_clear_line(self, tmp_path: Path):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = str(other.getsockname()[1])
            done = refused(tmp_path, port=port, MODELWRIGHT_DATA_DIR=str(tmp_path / "data"))
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert f"127.0.0.1:{port}" in done.stderr

    def test_a_taken_port_for_the_numbers_is_one_too(self, tmp_path: Path):
        with socket.create_server(("127.0.0.1", 0)) as other:
            settings = Settings(data_dir=tmp_path, metrics_port=other.getsockname()[1])
            with pytest.raises(CannotListenError, match="MODELWRIGHT_METRICS_PORT"):
                listen(settings, "127.0.0.1", 0)

    def test_numbers_at_the_port_of_the_api_are_refused_too(self, tmp_path: Path):
        port = free_port()
        settings = Settings(data_dir=tmp_path, metrics_port=port)
        with pytest.raises(CannotListenError, match="MODELWRIGHT_METRICS_PORT"):
            listen(settings, "127.0.0.1", port)

    def test_a_data_folder_that_cannot_be_written_is_named(self, tmp_path: Path):
        (tmp_path / "data").write_text("a file, not a folder")
        with pytest.raises(CannotListenError, match="data folder"):
            listen(Settings(data_dir=tmp_path / "data"), "127.0.0.1", 0)


@pytest.fixture(scope="module")
def enduring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the tests whose harm it has to survive."""
    server = Server(tmp_path_factory.mktemp("enduring")).start()
    yield server
    server.stop()


class TestFullDisk:
    def test_a_log_that_cannot_be_written_hinders_nothing(self, tmp_path: Path):
        port = free_port()
        with Path("/dev/full").open("wb", buffering=0) as full:
            server = subprocess.Popen(
                [COMMAND, "serve", "--port", str(port)],
                env=os.environ | {"MODELWRIGHT_DATA_DIR": str(tmp_path)},
                stdout=full,
                stderr=full,
            )
        transport = httpx.HTTPTransport(retries=9)
        with httpx.Client(transport=transport, base_url=f"http://127.0.0.1:{port}") as client:
            answers = [client.get("/data/health", timeout=SOON) for _ in range(3)]
            streams = [answer.extensions["network_stream"] for answer in answers]
            assert len({stream.get_extra_info("client_addr") for stream in streams}) == 1
        server.terminate()
        assert server.wait(SOON) == 0
        assert [answer.status_code for answer in answers] == [200, 200, 200]


class TestWelcome:
    def test_says_how_to_get_in_by_lines_that_can_be_pasted(self, enduring: Server):
        told = enduring.log.read_text()
        assert f": {COMMAND} keys create --name first --permission-level read_write\n" in told
        assert f": {COMMAND} users set-password operator@localhost\n" in told


class TestWeighing:
    def test_all_parts_are_of_one_session_so_that_nice_values_count(self, enduring: Server):
        own = enduring.process.pid
        until(lambda: len(parts(enduring)) == 3)
        pids = [one.pid for one in parts(enduring)]
        until(lambda: all(os.getpgid(pid) != os.getpgid(own) for pid in pids))
        assert {os.getsid(pid) for pid in pids} == {os.getsid(own)}


class TestHead:
    @pytest.mark.parametrize("path", ["/data/health", "/docs", "/auth/user", "/models", "/nowhere"])
    def test_ends_after_the_headers_and_keeps_the_connection(self, enduring: Server, path: str):
        with httpx.Client(base_url=enduring.url, timeout=SOON) as client:
            for _ in range(2):
                answer = client.head(path)
                assert (answer.status_code, answer.content) == (client.get(path).status_code, b"")


class TestCounting:
    def test_what_the_worker_used_is_told_while_it_works(self, enduring: Server):
        with enduring.client() as client:
            client.uploads.send([PENGUINS])
            until(
                lambda: "gigabytes_processed" in {e["kind"] for e in client.usage.read()["entries"]}
            )


class TestDying:
    @pytest.mark.parametrize("part", ["api", "worker", "replicas"])
    def test_a_part_that_dies_is_started_again(self, enduring: Server, part: str):
        until(lambda: len(parts(enduring)) == 3)
        assert part  # each in its turn: the oldest is the one that was not yet killed
        victim = parts(enduring)[0].pid
        os.kill(victim, signal.SIGKILL)
        until(lambda: len({p.pid for p in parts(enduring) if lives(p.pid)} - {victim}) == 3)
        assert httpx.get(f"{enduring.url}/data/health", timeout=SOON).status_code == 200

    def test_no_part_outlives_the_supervisor(self, enduring: Server):
        assert len(enduring.family()) >= 4
        os.kill(enduring.process.pid, signal.SIGKILL)
        assert enduring.left_behind() == set()
        assert enduring.stop() == -signal.SIGKILL
        enduring.start()  # for the tests that come after


class TestStopping:
    def test_what_is_not_done_in_time_is_told_to_come_again(
        self, new_server: Callable[..., Server]
    ):
        server = new_server(drain_seconds=1).start()
        with closing(HTTPConnection("127.0.0.1", server.port, SOON)) as slow:
            slow.putrequest("POST", "/models/m")
            slow.putheader("Content-Length", "100")
            slow.putheader("X-Api-Key", server.make_key())
            slow.endheaders(b"{")
            until(lambda: httpx.get(f"{server.url}/data/health").status_code == 200)
            stopping = threading.Thread(target=server.stop)
            stopping.start()
            answer = slow.getresponse()
            told = json.load(answer)["error"]
        stopping.join(SOON)
        assert (answer.status, told["code"]) == (503, "service_unavailable")
        assert told["request_id"] in server.log.read_text()
        assert "Traceback" not in server.log.read_text()

    def test_a_build_under_way_is_handed_back_and_goes_on_at_the_next_start(
        self, new_server: Callable[..., Server]
    ):
        server = new_server(build_seconds=6).start()  # twice as long as jobs may end in
        with server.client() as client:
            upload_id = client.uploads.send([PENGUINS])["upload_id"]
            job_id = client.models.create("p", intent=INTENT, dataset_id=upload_id)["job_id"]
            until(lambda: client.jobs.read(job_id)["progress"] > 0)
            seen: list[str] = []
            hears = threading.Event()

            def follow() -> None:
                with suppress(ModelwrightError):
                    for event in client.jobs.follow(job_id):
                        seen.append(event["event"])
                        if event["event"] == "progress":
                            hears.set()

            follower = threading.Thread(target=follow)
            follower.start()
            assert hears.wait(SOON)
            started = time.monotonic()
            assert server.stop() == 0
            assert time.monotonic() - started < STOPPED_SECONDS
            follower.join(SOON)
            assert server.left_behind() == set()
            assert "end" not in seen
            server.start()
            assert client.jobs.wait(job_id, timeout=120)["status"] == "COMPLETED"


class TestTwo:
    def test_a_second_server_on_the_same_folder_answers_and_takes_over_the_work(
        self, server: Server, new_server: Callable[..., Server]
    ):
        with server.client() as client:
            upload_id = client.uploads.send([PENGUINS])["upload_id"]
        second = new_server().start()
        second.key = server.key
        with second.client() as client:
            assert client.uploads.read(upload_id)["status"] == "complete"
            server.kill()
            assert client.uploads.send([PENGUINS])["status"] == "complete"
