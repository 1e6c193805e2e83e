"""The services of compose.machines.yaml, started as processes, carry the whole main job.

Each runs the command and has the settings that the file gives it; names of hosts become ports of
loopback, and the images of PostgreSQL, Redis and the store the programs of this machine.
"""

import os
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from tests import s3_server
from tests.e2e.fork_server import COMMAND
from tests.e2e.proxying import proxied
from tests.ports import free_port
from tests.unit.connections.servers import PASSWORD, postgresql
from tests.unit.core import redis_server

from modelwright.core.config.settings import PREFIX, Settings
from modelwright_client import Client
from modelwright_client.demo.table import PENGUINS, as_input, examples

pytestmark = pytest.mark.release

DEPLOY = Path(__file__).parents[2] / "deploy" / "docker"
SERVERS = ("server-1", "server-2", "server-3")
WORKERS = ("worker-1", "worker-2")
STOPPING_SECONDS = 60.0
STARTING_SECONDS = 90.0
SECRET = "0123456789abcdef0123456789abcdef"


def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(
        (DEPLOY / "compose.machines.yaml").read_text("utf-8")
    )["services"]
    return found


def filled(text: str, values: Mapping[str, str]) -> str:
    """Replaces `${NAME:-default}` and `${NAME:?}` as compose does."""

    def value(found: re.Match[str]) -> str:
        name, default = found[1], found[2]
        assert default is not None or name in values, f"{name} is not in the example"
        return values.get(name) or str(default or "")

    return re.sub(r"\$\{(\w+):(?:-([^}]*)|\?)\}", value, text)


class Machines:
    """The processes of the services, and what is asked of them."""

    def __init__(self, folder: Path, url: str, hosts: Mapping[str, str], secrets: Any) -> None:
        self.folder, self.url, self.hosts, self.secrets = folder, url, hosts, secrets
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def environment(self, name: str) -> dict[str, str]:
        """Returns the settings of a service, as it has them on this machine."""
        told = {
            key: self._here(filled(str(value), self.secrets))
            for key, value in services()[name]["environment"].items()
        }
        told[f"{PREFIX}DATA_DIR"] = str(self.folder / name)
        return told

    def _here(self, text: str) -> str:
        for host, address in self.hosts.items():
            text = text.replace(host, address)
        return text

    def keep_running(self) -> None:
        """Starts what ended again, as compose's `restart` does."""
        for name, process in list(self.processes.items()):
            if process.poll() is not None:
                self.start(name)

    def start(self, name: str) -> None:
        told = self.environment(name)
        command = [str(word) for word in services()[name]["command"]]
        if "--port" in command:
            port = self.hosts[f"{name}:8000"].rpartition(":")[2]
            command = [{"0.0.0.0": "127.0.0.1", "8000": port}.get(one, one) for one in command]
            machine = self.hosts[f"{name}:8700"]
            told = {key: value.replace("0.0.0.0:8700", machine) for key, value in told.items()}
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [COMMAND, *command],
                env=os.environ | told,
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )

    def stop(self, name: str) -> int:
        process = self.processes.pop(name)
        process.terminate()
        return process.wait(STOPPING_SECONDS)

    def command(self, name: str, *words: str) -> str:
        """Runs an operator's command as `docker compose exec` does."""
        return subprocess.run(
            [COMMAND, *words],
            env=os.environ | self.environment(name),
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=True,
        ).stdout


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    folder = tmp_path_factory.mktemp("compose")
    with ExitStack() as stack:
        for name in ("redis", "s3"):
            (folder / name).mkdir()
        postgres = stack.enter_context(postgresql())
        postgres.run("create role modelwright superuser login password '" + PASSWORD + "'")
        postgres.run("create database modelwright owner modelwright")
        redis = stack.enter_context(redis_server.running(folder / "redis"))
        store = stack.enter_context(s3_server.running(folder / "s3"))
        store.make("modelwright")
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        hosts = {
            "postgres:5432": f"127.0.0.1:{postgres.port}",
            "redis://redis:6379/0": redis.url,
            **{f"{name}:8000": f"127.0.0.1:{free_port()}" for name in SERVERS},
            **{f"{name}:8700": f"127.0.0.1:{free_port()}" for name in SERVERS},
        }
        secrets = {
            "POSTGRES_PASSWORD": PASSWORD,
            "S3_ACCESS_KEY": store.named("modelwright").access_key,
            "S3_SECRET_KEY": s3_server.SECRET,
            "SECRET_KEY": SECRET,
            "CLUSTER_SECRET": SECRET[::-1],
            "PUBLIC_URL": url,
            "S3_ENDPOINT": store.url,
            "TRUSTED_PROXIES": "127.0.0.1",
        }
        found = Machines(folder, url, hosts, secrets)
        stack.callback(lambda: [found.stop(name) for name in list(found.processes)])
        stack.enter_context(proxied(folder, hosts, port))
        for name in SERVERS + WORKERS:
            found.start(name)
        for name in SERVERS:
            wait_for_health(f"http://{hosts[f'{name}:8000']}", folder / f"{name}.log")
        found.keep_running()  # a worker does not wait for the tables, compose starts it anew
        yield found


def wait_for_health(url: str, log: Path) -> None:
    transport = httpx.HTTPTransport(retries=0)
    with httpx.Client(transport=transport, timeout=STARTING_SECONDS) as client:
        for _ in range(int(STARTING_SECONDS / 0.1)):
            try:
                if client.get(f"{url}/data/health").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            pause()
    raise AssertionError(log.read_text()[-3000:])


def pause() -> None:
    time.sleep(0.1)


class TestFile:
    def test_settings_are_those_that_there_are(self):
        known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
        for name in SERVERS + WORKERS:
            assert services()[name]["environment"].keys() <= known

    def test_what_must_be_given_is_in_the_example(self):
        told = (DEPLOY / "compose.machines.yaml").read_text("utf-8")
        example = (DEPLOY / "machines.env.example").read_text("utf-8")
        needed = set(re.findall(r"\$\{(\w+):\?\}", told))
        assert needed == set(re.findall(r"^(\w+)=$", example, re.MULTILINE))

    def test_machines_run_as_the_single_server_does(self):
        alone = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]["server"]
        for name in SERVERS + WORKERS:
            for hardening in ("read_only", "tmpfs", "cap_drop", "security_opt"):
                assert services()[name][hardening] == alone[hardening], name


class TestMachines:
    def test_carry_the_main_job_and_the_loss_of_a_machine(self, machines: Machines):
        key = machines.command(
            "server-1", "keys", "create", "--name", "n", "--permission-level", "read_write"
        ).splitlines()[-1]
        with Client(machines.url, key) as client:
            upload = client.uploads.send(PENGUINS)
            session = client.sessions.use(upload["upload_id"])["session_id"]
            counted = client.queries.sql("SELECT count(*) AS n FROM penguins", session_id=session)
            assert counted["rows"] == [[344]]
            asked = client.queries.ask("number of penguins by island", session_id=session)
            assert {"Torgersen"} <= {cell for row in asked["rows"] for cell in row}
            model = client.models.build(
                "species", "Predict the species of a penguin", upload["upload_id"], max_iterations=3
            )
            version = model["model_version"]
            row = as_input(examples()[0], model["input_schema"] or {})
            answers = [client.predictions.infer("species", version, row) for _ in range(6)]
            assert {answer["result"]["species"] for answer in answers} == {"Gentoo"}
            deployed = client.deployments.deploy("species", replicas=2, auto_scale=False)
            where = deployed["deployment_id"]
            until_active(client, where)
            scored = client.predictions.score("species", version, upload["upload_id"])
            files = client.exports.wait(scored["export_id"])["files"]
            place = client.exports.download(files[0], machines.folder)
            assert place.stat().st_size > 344

            assert machines.stop("server-3") == 0
            assert machines.stop("worker-2") == 0
            again = [client.deployments.infer(where, row) for _ in range(6)]
            assert {answer["result"]["species"] for answer in again} == {"Gentoo"}
            counted = client.queries.sql("SELECT count(*) AS n FROM penguins", session_id=session)
            assert counted["rows"] == [[344]]


def until_active(client: Client, deployment_id: str) -> None:
    for _ in range(300):
        found = client.deployments.list("species")["deployments"]
        if [one["status"] for one in found if one["deployment_id"] == deployment_id] == ["ACTIVE"]:
            return
        pause()
    raise AssertionError("the deployment did not become active")
