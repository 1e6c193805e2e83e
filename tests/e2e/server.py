"""A real server process: `modelwright serve` on a free port over a folder of its own."""

import os
import signal
import subprocess
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psutil
from tests.built_models import Built, put_to_work
from tests.e2e import fork_server
from tests.factories import ModelSide
from tests.ports import free_port

from modelwright.api_keys.service import Keys
from modelwright.bootstrap.startup import check_object_store, open_container
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.context import Level
from modelwright.users.service import Users
from modelwright_client import Client

START_SECONDS = 180.0
"""How long a start may take, on a machine that is busy with all else; one that ends is noticed."""
STOP_SECONDS = 120.0


def lives(pid: int) -> bool:
    """Whether a process has not ended; one that only waits to be buried has."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Server:
    """One server; can be stopped, killed and started again on the same data."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.data = folder / "data"
        self.log = folder / "serve.log"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.key = ""
        self.settings = Settings.model_validate({**settings, "data_dir": self.data})
        self._folder = folder
        named = {f"MODELWRIGHT_{name.upper()}": str(value) for name, value in settings.items()}
        self.environment = os.environ | {"MODELWRIGHT_DATA_DIR": str(self.data)} | named
        self._process: fork_server.Fork | subprocess.Popen[bytes] | None = None
        self._seen: set[psutil.Process] = set()
        """Processes, not their numbers: the system gives those of the dead to others."""

    def start(self, *, forked: bool = True) -> "Server":
        """Starts it and waits until it answers; not as a fork, it takes after this process."""
        with self.log.open("ab") as log:
            words = ["serve", "--port", str(self.port)]
            start = fork_server.start if forked else fork_server.execute
            self._process = start(words, self.environment, self._folder, log)
        until = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.02)
        return self

    def _answers(self) -> bool:
        with closing(HTTPConnection("127.0.0.1", self.port, START_SECONDS)) as connection:
            try:
                connection.request("GET", "/data/health")
                return connection.getresponse().status == 200
            except (OSError, HTTPException):
                return False

    def command(self, *words: str, told: str = "") -> str:
        """Runs an operator's command, and tells it what it asks; returns what it printed."""
        done = fork_server.run(words, self.environment, self._folder, told=told)
        done.check_returncode()
        return done.stdout

    def make_key(self, email: str = "") -> str:
        """Makes a read_write key beside the server, of the operator's account unless told."""
        container = open_container(self.settings)
        with closing(container.database), container.database.transaction(ALL_ACCOUNTS) as db:
            users, keys = container.service(Users), container.service(Keys)
            operator = users.operator(db, self.settings.operator_email)
            account = users.for_key(db, email) if email else operator
            db.flush()
            made = keys.issue(db, account.user_id, account.email, "test", Level.READ_WRITE, None)
        return made.secret

    def give_model(self, name: str, built: Built, email: str = "") -> None:
        """Makes what was built a READY model beside the server, the operator's unless told."""
        container = open_container(self.settings)
        with closing(container.database):
            check_object_store(container)  # marks the store as this database's, as a start does
            with container.database.transaction(ALL_ACCOUNTS) as db:
                users = container.service(Users)
                operator = users.operator(db, self.settings.operator_email)
                account_id = (users.for_key(db, email) if email else operator).user_id
            put_to_work(ModelSide(container, account_id), name, built)

    def client(self) -> Client:
        """Makes a client with a key of the operator's account."""
        self.key = self.key or self.make_key()
        return Client(self.url, self.key)

    @property
    def runs(self) -> bool:
        """Whether it was started and neither stopped nor killed."""
        return self._process is not None

    @property
    def process(self) -> psutil.Process:
        """The supervisor."""
        assert self._process is not None
        return psutil.Process(self._process.pid)

    def family(self) -> set[int]:
        """The processes of the server now, the supervisor's own included."""
        found = {self.process, *self.process.children(recursive=True)}
        self._seen |= found
        return {one.pid for one in found}

    def kill(self) -> None:
        """Kills the whole tree, as a power cut would."""
        assert self._process is not None
        self.process.suspend()
        for pid in self.family():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait()
        self._process = None

    def stop(self) -> int:
        """Stops it as an operator does; returns its exit status."""
        if self._process is None:
            return 0
        self.family()
        self._process.terminate()
        status = self._process.wait(STOP_SECONDS)
        self._process = None
        return status

    def left_behind(self, within: float = 30.0) -> set[int]:
        """Returns which of the processes ever seen still run, when none is left at once."""
        until = time.monotonic() + within
        while (left := set(filter(_runs, self._seen))) and time.monotonic() < until:
            time.sleep(0.02)
        return {one.pid for one in left}
