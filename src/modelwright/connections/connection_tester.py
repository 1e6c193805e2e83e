"""Reaches databases from the API: a few at a time, each in a child process, for seconds."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any

from modelwright.connections.domain import Target
from modelwright.connections.drivers.registry import DRIVERS
from modelwright.connections.errors import CannotConnect, TooManyOwnTries, TooManyTries
from modelwright.connections.sqlite_file import readable_files
from modelwright.core.config.settings import Settings
from modelwright.core.errors import NewerRelease
from modelwright.core.limits.contract import MB
from modelwright.jobs.context import ChildKilled, ChildLimits, JobRefused, Reach, run_child

MAX_WAITING_REQUESTS = 10
"""How many requests may wait for a database, each in a thread that others need."""
MAX_WAITING_PER_ACCOUNT = 3
"""Of them, those of one account; two accounts whose databases are silent leave room for others."""
MAX_ANSWER_BYTES = 4 * MB
"""What a database may tell of itself at most: a page of its tables is far less."""
CONNECT_SECONDS = 8
"""How long a driver waits for one address."""
TEST_TIMEOUT_SECONDS = 10.0
"""How long a database may take to let a connection be opened."""
TEST_MEMORY_MB = 400
"""Memory of the process that tries it: the driver and one row."""
MODULE = "modelwright.connections.driver_process"


class ConnectionTester:
    """What may be reached, as the operator says, and the means to do so."""

    def __init__(self, settings: Settings) -> None:
        self._hosts = [host.strip() for host in settings.database_hosts.split(",") if host.strip()]
        self._folder = settings.sqlite_folder
        self._takes_public_key = settings.mysql_public_keys
        self._lock = Lock()
        self._asking: Counter[str] = Counter()

    def payload(self, target: Target, password: str | None, seconds: float) -> dict[str, Any]:
        """Gathers what a child needs to open a database; it holds the password.

        Refuses a type that only a newer release reads.
        """
        if target.type not in DRIVERS:
            raise NewerRelease("type", target.type)
        return {
            "type": target.type,
            "host": target.host,
            "port": target.port,
            "database": target.database,
            "username": target.username,
            "password": password,
            "options": dict(target.options),
            "hosts": self._hosts,
            "sqlite_folder": str(self._folder) if self._folder else "",
            "takes_public_key": self._takes_public_key,
            "connect_seconds": CONNECT_SECONDS,
            "seconds": seconds,
        }

    def probe(self, account_id: str, target: Target, password: str | None) -> None:
        """Opens a database and closes it; refuses with the reason, naming the field."""
        with self._a_place(account_id):
            self._ask("probe", self.payload(target, password, TEST_TIMEOUT_SECONDS))

    def tables(
        self, account_id: str, target: Target, password: str | None, limit: int, offset: int
    ) -> dict[str, Any]:
        """Lists one page of a database's tables; refuses with the reason."""
        payload = self.payload(target, password, TEST_TIMEOUT_SECONDS)
        with self._a_place(account_id):
            return self._ask("tables", payload | {"limit": limit, "offset": offset})

    @contextmanager
    def _a_place(self, account_id: str) -> Iterator[None]:
        with self._lock:
            if self._asking[account_id] >= MAX_WAITING_PER_ACCOUNT:
                raise TooManyOwnTries(MAX_WAITING_PER_ACCOUNT)
            if self._asking.total() >= MAX_WAITING_REQUESTS:
                raise TooManyTries
            self._asking[account_id] += 1
        try:
            yield
        finally:
            with self._lock:
                self._asking -= Counter({account_id: 1})  # forgets those that have none left

    def _ask(self, what: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        try:
            limits = ChildLimits(TEST_MEMORY_MB, TEST_TIMEOUT_SECONDS, MAX_ANSWER_BYTES)
            return run_child(
                f"{MODULE}:{what}",
                payload,
                limits=limits,
                on_report=_ignore,
                check=_go_on,
                reach=Reach(tuple(map(str, readable_files(payload))), port=payload["port"]),
            )
        except JobRefused as refused:
            raise CannotConnect.of(refused.reason["field"], refused.reason["message"]) from None
        except ChildKilled as killed:
            raise CannotConnect.of("host", _late(killed)) from None


def _late(killed: ChildKilled) -> str:
    if killed.why == "deadline":
        return f"the database did not answer within {TEST_TIMEOUT_SECONDS:g} seconds."
    return killed.message


def _ignore(_report: dict[str, Any]) -> None:
    """Nobody waits for reports here."""


_go_on: Callable[[], None] = lambda: None  # noqa: E731 - nothing cancels it
