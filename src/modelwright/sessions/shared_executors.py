"""Runs each session's SQL on the one machine where it lives, from whichever machine it is asked.

A session lives where it was first asked; its row says where. Another machine passes queries on, and
takes the session over when that one is gone or drained: the query that finds it so opens it anew.
"""

import asyncio
import select
import struct
import threading
from collections.abc import Collection
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Event
from time import monotonic
from typing import Any

import msgspec
from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from modelwright.core.channel.peers import Channel, PeerLost
from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.errors import ApiError
from modelwright.core.logging import logger
from modelwright.core.stored_values import read_members
from modelwright.engines.facts import UTC
from modelwright.engines.sql import failures
from modelwright.engines.sql.executor import FAILURES, BoundedStatement, Rows
from modelwright.machines.domain import Machine, MachinePart
from modelwright.machines.service import Machines
from modelwright.sessions import repository
from modelwright.sessions.domain import UNRECORDED, SessionInfo
from modelwright.sessions.executors import Executors
from modelwright.storage.errors import ObjectMissing

KIND = "session"
"""Who calls about sessions are for."""
HOME_SECONDS = 1.0
"""How long it is believed where a session lives."""
MAX_ATTEMPTS = 3
"""Machines that may be gone before a query is run here."""
MARGIN_SECONDS = 3.0
"""How much longer than its time a query elsewhere is waited for."""
POLL_SECONDS = 0.1
"""How often it is looked whether an answer is still wanted."""
READ_SECONDS = 10.0
"""How long the next bytes of an order may take to come."""
MAX_ORDER_BYTES = 4 << 20
"""Bytes of one order: a statement and its limits."""
CHUNK_BYTES = 1 << 18
"""Bytes that are received at a time."""
PASSED_ON_THREADS = CapacityLimiter(200)
"""Threads that wait for queries which other machines passed on."""
_SIZES = struct.Struct(">IQ")
_FAILURES = FAILURES | {
    one.__name__: one
    for one in (failures.TimedOut, failures.Cancelled, failures.Ended, failures.Busy)
}


@dataclass(frozen=True, slots=True)
class Home:
    """Where a session lives; here where the address is empty."""

    machine_id: str
    address: str
    until: float


@dataclass(eq=False)
class SharedExecutors:
    """The executors of all machines, used as those of one. Thread-safe."""

    own: Executors
    database: Database
    machines: Machines
    channel: Channel

    def __post_init__(self) -> None:
        self._homes: dict[str, Home] = {}
        self.channel.serve(KIND, self.serve)

    def run(self, session: SessionInfo, statement: BoundedStatement) -> Rows:
        """Runs one statement where the session lives; refuses with a `QueryFailed`."""
        until = monotonic() + statement.seconds
        is_recorded = not session.session_id.startswith(UNRECORDED)
        for _ in range(MAX_ATTEMPTS if is_recorded else 0):
            home = self._home(session.session_id)
            if not home.address:
                break
            order = {
                "session_id": session.session_id,
                "sql": statement.sql,
                "max_rows": statement.max_rows,
                "seconds": max(0.0, until - monotonic()),
                "time_zone": statement.time_zone,
            }
            give_up_at = until + MARGIN_SECONDS
            try:
                return self._ask(home.address, order, give_up_at, statement.cancelled)
            except PeerLost:
                logger().warning("sessions.home_lost", session_id=session.session_id)
                self._take_over(session.session_id, home.machine_id)
        return self.own.run(session, replace(statement, seconds=max(0.0, until - monotonic())))

    def end(self, session_id: str) -> None:
        """Releases what a session holds, wherever it lives; a query that is running is stopped."""
        self.own.end(session_id)
        threading.Thread(target=self._end_elsewhere, args=(session_id,), daemon=True).start()

    def sweep(self, open_ids: Collection[str], before: datetime) -> None:
        """Removes what other sessions left on this machine, unless touched since a moment."""
        self.own.sweep(open_ids, before)

    def close(self) -> None:
        """Releases what all sessions hold on this machine."""
        self.own.close()

    def _home(self, session_id: str) -> Home:
        """Finds where a session lives; it begins to live here where it lives nowhere."""
        known = self._homes.get(session_id)
        if known is not None and monotonic() < known.until:
            return known
        with self.database.transaction(ALL_ACCOUNTS) as db:
            now = self.machines.now(db)
            machines = {one.machine_id: one for one in self.machines.list_(db)}
            lives = repository.home(db, session_id)
            found = machines.get(lives or "")
            if found is None or not _takes_queries(found, now):
                found = self._choose(list(machines.values()), now)
                home_id = found.machine_id if found else self.machines.here.machine_id
                if repository.move(db, session_id, lives, home_id):
                    lives = home_id
        is_here = found is None or lives == self.machines.here.machine_id
        home = Home(lives or "", "" if found is None or is_here else found.address, _soon())
        self._remember(session_id, home)
        return home

    def _choose(self, machines: list[Machine], now: datetime) -> Machine | None:
        """Chooses this machine, or another one while this one is drained."""
        here = self.machines.here.machine_id
        able = [one for one in machines if _takes_queries(one, now)]
        return next((one for one in able if one.machine_id == here), able[0] if able else None)

    def _take_over(self, session_id: str, lost: str) -> None:
        """Has a session live here whose machine did not answer, unless it has moved already."""
        with self.database.transaction(ALL_ACCOUNTS) as db:
            repository.move(db, session_id, lost, self.machines.here.machine_id)
        self._homes.pop(session_id, None)

    def _remember(self, session_id: str, home: Home) -> None:
        now = monotonic()
        for other in [name for name, one in self._homes.copy().items() if one.until < now]:
            self._homes.pop(other, None)
        self._homes[session_id] = home

    def _ask(
        self, address: str, order: dict[str, Any], until: float, cancelled: Event | None
    ) -> Rows:
        """Has another machine run a statement; raises PeerLost where it does not say how it ended.

        Hangs up when nobody waits for the rows any more, which stops the query there.
        """
        body = msgspec.json.encode(order)
        with closing(self.channel.call(address, to=KIND, bytes=len(body))) as line:
            try:
                line.settimeout(READ_SECONDS)
                line.sendall(body)
                reply = _Reply(line, until, cancelled)
                head_bytes, row_bytes = _SIZES.unpack(reply.take(_SIZES.size))
                head = msgspec.json.decode(reply.take(head_bytes))
                if "failed" in head:
                    raise _failure(head)
                return read_members(Rows, head | {"encoded": reply.take(row_bytes)})
            except (OSError, EOFError) as error:
                raise PeerLost(str(error)) from None

    def _end_elsewhere(self, session_id: str) -> None:
        with suppress(ApiError, PeerLost):
            with self.database.transaction(ALL_ACCOUNTS, write=False) as db:
                lives = repository.home(db, session_id)
                machines = {one.machine_id: one for one in self.machines.list_(db)}
            found = machines.get(lives or "")
            if found is None or not found.address or lives == self.machines.here.machine_id:
                return
            body = msgspec.json.encode({"ended": session_id})
            with closing(self.channel.call(found.address, to=KIND, bytes=len(body))) as line:
                line.sendall(body)
                with suppress(OSError):
                    line.recv(1)  # hung up when it is done

    async def serve(
        self, told: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Carries out what another machine passes on."""
        size = int(told["bytes"])
        if size > MAX_ORDER_BYTES:
            return
        order = msgspec.json.decode(await reader.readexactly(size))
        if "ended" in order:
            await run_sync(self.own.end, str(order["ended"]), limiter=PASSED_ON_THREADS)
            return
        cancelled = Event()
        watch = asyncio.create_task(_hung_up(reader, cancelled))
        try:
            head, rows = await run_sync(
                self._carried_out, order, cancelled, limiter=PASSED_ON_THREADS
            )
        finally:
            watch.cancel()
        packed = msgspec.json.encode(head)
        writer.write(_SIZES.pack(len(packed), len(rows)) + packed)
        writer.write(rows)
        await writer.drain()

    def _carried_out(self, order: dict[str, Any], cancelled: Event) -> tuple[dict[str, Any], bytes]:
        """Runs a query for another machine; a failure is an answer too, by its name."""
        try:
            with self.database.transaction(ALL_ACCOUNTS, write=False) as db:
                row = repository.find(db, order["session_id"])
                session = row.to_info() if row is not None else None
            if session is None:
                raise failures.Ended("The session has ended.")
            statement = BoundedStatement(
                order["sql"],
                max_rows=order["max_rows"],
                seconds=order["seconds"],
                cancelled=cancelled,
                time_zone=order.get("time_zone", UTC),
            )
            rows = self.own.run(session, statement)
        except failures.QueryFailed as failure:
            more = {name: getattr(failure, name, None) for name in ("position", "suggestion")}
            return {"failed": type(failure).__name__, "message": failure.message, **more}, b""
        except ObjectMissing as missing:
            return {"failed": failures.Ended.__name__, "message": missing.message}, b""
        except ApiError as refusal:
            return {"failed": failures.Unavailable.__name__, "message": refusal.message}, b""
        head = {
            "columns": rows.columns,
            "types": rows.types,
            "row_count": rows.row_count,
            "truncated": rows.truncated,
            "milliseconds": rows.milliseconds,
        }
        return head, rows.encoded


class _Reply:
    """What comes back on a line, taken piece by piece."""

    def __init__(self, line: Any, until: float, cancelled: Event | None) -> None:
        self._line, self._until, self._cancelled = line, until, cancelled

    def take(self, size: int) -> bytes:
        """Returns so many bytes; raises where they do not come or nobody waits for them."""
        parts = bytearray()
        while len(parts) < size:
            if self._cancelled is not None and self._cancelled.is_set():
                raise failures.Cancelled("Whoever asked is gone.")
            if monotonic() > self._until:
                raise PeerLost("it says nothing")
            if not (self._line.pending() or select.select([self._line], [], [], POLL_SECONDS)[0]):
                continue
            part = self._line.recv(min(CHUNK_BYTES, size - len(parts)))
            if not part:
                raise EOFError
            parts += part
        return bytes(parts)


async def _hung_up(reader: asyncio.StreamReader, cancelled: Event) -> None:
    """Stops a query when whoever passed it on is gone."""
    with suppress(OSError):
        await reader.read(1)
    cancelled.set()


def _failure(head: dict[str, Any]) -> failures.QueryFailed:
    kind = _FAILURES[head["failed"]]
    if issubclass(kind, failures.SqlFailed):
        return kind(head["message"], head["position"], head["suggestion"])
    return kind(head["message"])


def _takes_queries(machine: Machine, now: datetime) -> bool:
    return bool(machine.address) and machine.has(MachinePart.API, now) and not machine.is_draining


def _soon() -> float:
    return monotonic() + HOME_SECONDS
