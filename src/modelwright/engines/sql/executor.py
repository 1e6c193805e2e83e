"""A session's side of its child: one query at a time, each with a deadline, a child when needed."""

import json
import re
import select
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from threading import BoundedSemaphore, Event, Lock
from time import monotonic
from typing import Any

import msgspec

from modelwright.engines.facts import UTC
from modelwright.engines.sql import failures, framing
from modelwright.engines.sql.fork_server_client import ForkServerClient
from modelwright_runtime.text_keys import composed

MAX_ATTEMPTS = 3
"""How many children in a row may die before one takes a query."""
TAKE_SECONDS = 5.0
"""How long an idle child may take to say that it has an order, before another is started."""
HEADER_SPACE = 8 * 1024**2
"""Bytes that names and types of columns may take beside the rows."""
FAILURES: dict[str, type[failures.QueryFailed]] = {
    one.__name__: one
    for one in (
        failures.SqlFailed,
        failures.Refused,
        failures.OutOfMemory,
        failures.TooLarge,
        failures.Crashed,
        failures.Unavailable,
    )
}
"""What a child may answer with instead of rows."""
WIDE_DECIMAL = re.compile(r"DECIMAL\((1[6-9]|[23]\d),\d+\)")


@dataclass(frozen=True, slots=True)
class BoundedStatement:
    """One statement to run over a session's tables, and its bounds."""

    sql: str
    max_rows: int
    seconds: float
    cancelled: Event | None = None
    """Set when nobody waits for the rows any more."""
    time_zone: str = UTC
    """The zone that decides the days and months of moments."""


@dataclass(frozen=True)
class Rows:
    """A result: `encoded` is a JSON array of row arrays, as faithful as JSON can be."""

    columns: list[str]
    types: list[str]
    encoded: bytes
    row_count: int
    truncated: bool
    milliseconds: float
    total_rows: int | None = None
    """Of a preview, how many rows its table has."""

    @cached_property
    def rows(self) -> list[list[Any]]:
        """The rows as Python values; decimals that no float can hold are `Decimal`."""
        rows = msgspec.json.Decoder(list[list[Any]]).decode(self.encoded)
        wide = [place for place, name in enumerate(self.types) if WIDE_DECIMAL.fullmatch(name)]
        for row in rows if wide else []:
            for place in wide:
                if isinstance(row[place], str):
                    row[place] = Decimal(row[place])
        return rows


@dataclass(frozen=True)
class PreviewRequest:
    """Which rows of a table a preview shows, and whether as JSON values or as texts."""

    limit: int
    offset: int
    as_records: bool


@dataclass(frozen=True)
class _Child:
    pid: int
    channel: socket.socket


class QueryExecutor:
    """Runs a session's queries in a child process that is started, replaced and ended as needed.

    `memory_bytes` bounds the child beyond what it needs itself, `home` is an empty folder of its
    own, `idle_seconds` without a query end it, at most `waiting` queries wait for their turn.
    `layers` names the layers of its sandbox. Thread-safe.
    """

    def __init__(
        self,
        tables: Mapping[str, Path],
        *,
        memory_bytes: int,
        home: Path,
        fork_server: ForkServerClient,
        threads: int = 2,
        idle_seconds: float = 600.0,
        waiting: int = 8,
    ) -> None:
        self.terms = {
            "tables": {name: str(path.resolve()) for name, path in tables.items()},
            "memory_bytes": memory_bytes,
            "home": str(home.resolve()),
            "threads": threads,
            "idle_seconds": idle_seconds,
            "time_zone": UTC,
        }
        self.layers: list[str] = []
        self._home = home
        self._fork_server = fork_server
        self._places = BoundedSemaphore(waiting + 1)
        self._turn = Lock()
        self._child: _Child | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process id of the living child, if there is one."""
        child = self._child
        return child.pid if child and _is_open(child.channel) else None

    def run(
        self,
        sql: str,
        *,
        max_rows: int,
        max_bytes: int,
        seconds: float,
        cancelled: Event | None = None,
        time_zone: str = UTC,
    ) -> Rows:
        """Runs one statement.

        Args:
            sql: The statement, not trusted.
            max_rows: Rows at most; more are left out and `truncated` says so.
            max_bytes: Bytes of JSON at most.
            seconds: The time that it has, waiting included.
            cancelled: Stops the query when set.
            time_zone: The zone of the days and months of moments; another one than before starts a
                new child.

        Returns:
            The rows.

        Raises:
            QueryFailed: `SqlFailed` (its `Refused` included), `TimedOut`, `Cancelled`,
                `OutOfMemory`, `TooLarge`, `Crashed`, `Busy` or `Unavailable`.
        """
        # Names and values of tables have their letters composed.
        order = {"sql": composed(sql.encode(errors="replace").decode()), "max_rows": max_rows}
        return self._carried_out(order, max_bytes, seconds, cancelled, time_zone)

    def preview(self, wanted: PreviewRequest, *, max_bytes: int, seconds: float) -> Rows:
        """Reads some rows of the only table.

        Args:
            wanted: Which rows, and in which form.
            max_bytes: Bytes of JSON at most.
            seconds: The time that it has, waiting included.

        Returns:
            The rows.

        Raises:
            QueryFailed: As `run` does.
        """
        order = {"sql": "", "preview": asdict(wanted)}
        return self._carried_out(order, max_bytes, seconds, None, UTC)

    def _carried_out(
        self,
        order: dict[str, Any],
        max_bytes: int,
        seconds: float,
        cancelled: Event | None,
        time_zone: str,
    ) -> Rows:
        """Runs an order in the child; one whose child is gone is begun once more in a new one."""
        order = order | {"max_bytes": max_bytes}
        deadline = monotonic() + seconds
        with self._queue_turn(deadline), self._failures_translated():
            if self.terms["time_zone"] != time_zone:
                self.stop_child()
                self.terms["time_zone"] = time_zone
            try:
                answer = self._answered(order, deadline, cancelled)
            except framing.Closed:
                self.stop_child()
                answer = self._answered(order, deadline, cancelled)
        return _read(answer)

    def stop_child(self) -> None:
        """End the child; the next query starts another."""
        child, self._child = self._child, None
        if child:
            self._fork_server.kill(child.pid)
            child.channel.close()

    def close(self) -> None:
        """End the child for good; a query that is running fails as `Cancelled`."""
        self._closed = True
        if self._turn.acquire(blocking=False):
            self.stop_child()
            self._turn.release()
        elif child := self._child:
            self._fork_server.kill(child.pid)

    @contextmanager
    def _queue_turn(self, deadline: float) -> Iterator[None]:
        if not self._places.acquire(blocking=False):
            raise failures.Busy("Too many queries of this session are waiting; try again later.")
        try:
            if not self._turn.acquire(timeout=max(0.0, deadline - monotonic())):
                raise failures.TimedOut("The query waited too long for those before it.")
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._places.release()

    @contextmanager
    def _failures_translated(self) -> Iterator[None]:
        """Turn what happens on the socket into failures, and let no such child live on."""
        try:
            yield
        except framing.Late:
            self.stop_child()
            raise failures.TimedOut("The query took too long and was stopped.") from None
        except framing.TooLong:
            self.stop_child()
            raise failures.TooLarge("The result is too large.") from None
        except framing.Closed:
            self.stop_child()
            if self._closed:
                raise failures.Ended("The session has ended.") from None
            raise failures.Crashed(
                "The query broke its process (too much memory or too deep); simplify it."
            ) from None
        except BaseException:
            self.stop_child()
            raise

    def _answered(self, order: dict[str, Any], deadline: float, cancelled: Event | None) -> bytes:
        channel = self._ordered(order, deadline)
        longest = order["max_bytes"] + HEADER_SPACE
        return framing.receive(channel, deadline, longest, _watch(cancelled))

    def _ordered(self, order: dict[str, Any], deadline: float) -> socket.socket:
        """The channel of a child that has taken the order; a dead one is replaced unseen."""
        for _ in range(MAX_ATTEMPTS):
            try:
                channel = self._child.channel if self._child else self._start(deadline)
                return _hand(channel, order, deadline)
            except framing.Closed:
                self.stop_child()
                if self._closed:
                    raise
            except framing.Late:
                if monotonic() >= deadline:
                    raise
                self.stop_child()  # an idle child that takes no order stands still
        raise failures.Unavailable("The query process ends as it starts.")

    def _start(self, deadline: float) -> socket.socket:
        if self._closed:
            raise framing.Closed
        self._home.mkdir(parents=True, exist_ok=True)
        pid, channel = self._fork_server.start()
        self._child = _Child(pid, channel)
        framing.send_json(channel, self.terms)
        terms = json.loads(framing.receive(channel, deadline))
        if "failure" in terms:
            raise failures.Unavailable("The session's data cannot be opened.") from RuntimeError(
                terms["failure"]
            )
        if self._closed:
            raise framing.Closed
        self.layers = terms["layers"]
        return channel


def _hand(channel: socket.socket, order: dict[str, Any], deadline: float) -> socket.socket:
    framing.send_json(channel, order | {"seconds": max(0.0, deadline - monotonic())})
    framing.receive(channel, min(deadline, monotonic() + TAKE_SECONDS))
    return channel


def _watch(cancelled: Event | None) -> Any:
    def check_cancelled() -> None:
        if cancelled and cancelled.is_set():
            raise failures.Cancelled("The query was called off.")

    return check_cancelled if cancelled else None


def _read(answer: bytes) -> Rows:
    head, _, encoded = answer.partition(b"\n")
    try:
        about = json.loads(head)
        kind = about.pop("failure", None)
        result = FAILURES[kind](**about) if kind else Rows(encoded=encoded, **about)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise failures.Crashed("The query process gave no sensible answer.") from error
    if isinstance(result, failures.QueryFailed):
        raise result
    return result


def _is_open(channel: socket.socket) -> bool:
    poll = select.poll()
    try:
        poll.register(channel, select.POLLIN)
    except ValueError:
        return False
    return not poll.poll(0)
