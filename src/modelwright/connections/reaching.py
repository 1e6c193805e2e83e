"""Reaches databases from the API: a few at a time, each in a child process, for seconds."""

from collections.abc import Callable, Mapping
from threading import BoundedSemaphore
from typing import Any

from modelwright.connections.errors import CannotConnect, TooManyTries
from modelwright.connections.rules import Target
from modelwright.core.settings import Settings
from modelwright.jobs.handling import ChildKilled, ChildLimits, Refused, run_child

AT_ONCE = 4
CONNECT_SECONDS = 8
"""How long a driver waits for one address."""
SECONDS = 10.0
MEMORY_MB = 400
MODULE = "modelwright.connections.reading"


class Reach:
    """What may be reached, as the operator says, and the means to do so."""

    def __init__(self, settings: Settings) -> None:
        self._hosts = [host.strip() for host in settings.database_hosts.split(",") if host.strip()]
        self._folder = settings.sqlite_folder
        self._free = BoundedSemaphore(AT_ONCE)

    def payload(self, target: Target, password: str | None, seconds: float) -> dict[str, Any]:
        """Gathers what a child needs to open a database; it holds the password."""
        return {
            "type": target.type.value,
            "host": target.host,
            "port": target.port,
            "database": target.database,
            "username": target.username,
            "password": password,
            "options": dict(target.options),
            "hosts": self._hosts,
            "sqlite_folder": str(self._folder) if self._folder else "",
            "connect_seconds": CONNECT_SECONDS,
            "seconds": seconds,
        }

    def probe(self, target: Target, password: str | None) -> None:
        """Opens a database and closes it; refuses with the reason, naming the field."""
        self._ask("probe", self.payload(target, password, SECONDS))

    def tables(
        self, target: Target, password: str | None, limit: int, offset: int
    ) -> dict[str, Any]:
        """Lists one page of a database's tables; refuses with the reason."""
        payload = self.payload(target, password, SECONDS)
        return self._ask("tables", payload | {"limit": limit, "offset": offset})

    def _ask(self, what: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        if not self._free.acquire(timeout=SECONDS):
            raise TooManyTries
        try:
            limits = ChildLimits(MEMORY_MB, SECONDS)
            return run_child(
                f"{MODULE}:{what}", payload, limits=limits, on_report=_ignore, check=_go_on
            )
        except Refused as refused:
            raise CannotConnect.of(refused.reason["field"], refused.reason["message"]) from None
        except ChildKilled as killed:
            raise CannotConnect.of("host", _late(killed)) from None
        finally:
            self._free.release()


def _late(killed: ChildKilled) -> str:
    if killed.why == "deadline":
        return f"the database did not answer within {SECONDS:g} seconds."
    return killed.message


def _ignore(_report: dict[str, Any]) -> None:
    """Nobody waits for reports here."""


_go_on: Callable[[], None] = lambda: None  # noqa: E731 - nothing cancels it
