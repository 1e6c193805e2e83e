"""The API's side of the replicas: finds their sockets, spreads requests, tries again elsewhere.

The folder of the sockets is the registry: every API process on the data folder reads it, whichever
process keeps the replicas. Those of other machines are reached by the channel and asked when those
here have enough to do. Lines belong to an event loop and carry many requests at a time.
"""

import asyncio
import os
import socket
import time
from collections import defaultdict
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, cast
from weakref import WeakKeyDictionary

from modelwright.core.channel.peers import CONNECT_SECONDS, opening, split_address
from modelwright.deployments.errors import AnswerLost, NoReplica, ReplicasBusy
from modelwright.deployments.framing import GOODBYE_FRAME, FrameDecoder, FramingError, pack, split
from modelwright.deployments.replica_directory import KIND, RemoteReplica, ReplicaDirectory
from modelwright.system.silent_peers import watch_silence

MAX_ATTEMPTS = 4
"""Replicas that may die under one request; its body may be what kills them."""
DYING_SECONDS = 0.5
"""How long a replica that dies may still take connections; it is one of them all the same."""
MAX_WAITING_REQUESTS = 512
"""Requests that wait for one deployment before others are asked to come again."""
MAX_WAITING_BYTES = 256 << 20
"""Bytes of their bodies together."""
MAX_ANSWER_BYTES = 1 << 30
"""Bytes of one answer; 10,000 explained rows stay far below."""
REGISTRY_POLL_SECONDS = 0.02
"""How often the registry is looked at while no replica is there."""
REPLICA_WAIT_SECONDS = 0.5
"""How long a replica that is starting or ending is waited for."""
REMOTE_WEIGHT = 4 * 512
"""A replica elsewhere is asked when four small requests wait for each that is here."""
CHUNK_BYTES = 1 << 16
"""Bytes that are received at a time."""
RETRY_SECONDS = 1.0
"""How long a replica elsewhere that could not be reached is left alone."""
FRESH_NANOSECONDS = 50_000_000
"""A folder changed so lately may change again without its time of change telling."""


class ConnectionLost(ConnectionError):
    """The replica went away before it had answered."""


class ReplicaConnection(asyncio.Protocol):
    """A connection to one replica."""

    def __init__(self, name: str) -> None:
        self.name = name
        """The replica's socket."""
        self.weight = 0
        """What waits for the replica, in bytes; each request counts for some more."""
        self.distance = 0
        """What it costs to ask there at all, in the same bytes."""
        self.is_open = True
        self._frames = FrameDecoder(MAX_ANSWER_BYTES)
        self._pending: dict[int, asyncio.Future[bytes]] = {}
        self._number = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the connection."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Hands answers to those who wait; hangs up on a leaving replica when all is said."""
        try:
            for number, content in self._frames.feed(data):
                if number == GOODBYE_FRAME:
                    self.is_open = False
                    continue
                waiting = self._pending.pop(number, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(content)
        except FramingError:
            self._transport.abort()
        if not (self.is_open or self._pending):
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tells those who wait to try elsewhere."""
        del exc
        self.is_open = False
        for waiting in self._pending.values():
            if not waiting.done():
                waiting.set_exception(ConnectionLost())
        self._pending.clear()

    async def ask(self, head: Any, body: bytes) -> bytes:
        """Sends a request and waits for its answer; raises LineLost when there is none."""
        self._number = self._number % 0xFFFFFFFF + 1
        weight = len(body) + 512
        self._pending[self._number] = waiting = _future()
        self.weight += weight
        try:
            self._transport.write(pack(self._number, head, body))
            return await waiting
        finally:
            self.weight -= weight


def _future() -> asyncio.Future[bytes]:
    return asyncio.get_running_loop().create_future()


class ReplicaRegistry:
    """Which sockets there are, read again only when their folder has changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen = -1
        self._names: dict[str, list[str]] = {}

    def of(self, deployment_id: str) -> list[str]:
        """Lists the sockets of a deployment's replicas."""
        try:
            changed = self._folder.stat().st_mtime_ns
            if changed != self._seen:
                self._read()
                settled = time.time_ns() - changed > FRESH_NANOSECONDS
                self._seen = changed if settled else -1
        except FileNotFoundError:
            return []
        return self._names.get(deployment_id, [])

    def _read(self) -> None:
        names = defaultdict(list)
        for name in sorted(path.name for path in self._folder.iterdir()):
            names[name.partition(".")[0]].append(name)
        self._names = dict(names)

    def connect(self, name: str) -> socket.socket:
        """Connects to a socket; refuses (OSError) one that nobody answers at.

        Goes by the folder's descriptor where it can: addresses of sockets are short, paths long.
        """
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            short = Path(f"/proc/self/fd/{folder}")
            line.setblocking(False)
            line.connect(str((short if short.exists() else self._folder) / name))
        except OSError:
            line.close()
            raise
        finally:
            os.close(folder)
        return line


class ConnectionPool:
    """The lines of one event loop."""

    def __init__(self, registry: ReplicaRegistry, directory: ReplicaDirectory) -> None:
        self._registry = registry
        self._directory = directory
        self._lines: dict[str, ReplicaConnection] = {}
        self._connecting: set[str] = set()
        self._calls: set[asyncio.Task[None]] = set()
        self._not_before: dict[str, float] = {}

    async def line(self, deployment_id: str) -> ReplicaConnection:
        """Returns the line with the least to do; waits a little for there to be one."""
        until = time.monotonic() + REPLICA_WAIT_SECONDS
        while True:
            names, remote = self._registry.of(deployment_id), self._directory.of(deployment_id)
            known = self._open(names)
            if len(known) < len(names):
                await self._connect(names)
                known = self._open(names)
            if remote:
                known += self._elsewhere(remote)
            if known:
                return min(known, key=lambda line: line.weight + line.distance)
            if time.monotonic() > until:
                raise NoReplica
            await asyncio.sleep(REGISTRY_POLL_SECONDS)

    def _open(self, names: list[str]) -> list[ReplicaConnection]:
        lines = self._lines
        return [lines[name] for name in names if name in lines and lines[name].is_open]

    async def _connect(self, names: list[str]) -> None:
        self._drop_lost(time.monotonic())
        for name in names:
            if name in self._lines or name in self._connecting:
                continue
            self._connecting.add(name)
            try:
                made = self._registry.connect(name)
                loop = asyncio.get_running_loop()
                _, self._lines[name] = await loop.create_unix_connection(
                    partial(ReplicaConnection, name), sock=made
                )
            except OSError:
                continue
            finally:
                self._connecting.discard(name)

    def _elsewhere(self, remote: list[RemoteReplica]) -> list[ReplicaConnection]:
        """Returns the lines to replicas elsewhere; has those called that there is none to.

        Nobody waits for a machine that may be gone while another could answer.
        """
        now = time.monotonic()
        self._drop_lost(now)
        for one in remote:
            line = self._lines.get(one.name)
            is_known = line is not None and line.is_open
            if is_known or one.name in self._connecting or now < self._not_before.get(one.name, 0):
                continue
            self._connecting.add(one.name)
            call = asyncio.create_task(self._call(one))
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)
        return self._open([one.name for one in remote])

    def _drop_lost(self, now: float) -> None:
        """Forgets what was hung up; who hung up elsewhere is not called again at once."""
        for name, line in list(self._lines.items()):
            if not line.is_open:
                del self._lines[name]
                if line.distance:
                    self._not_before[name] = now + RETRY_SECONDS

    async def _call(self, one: RemoteReplica) -> None:
        channel = self._directory.channel
        if channel is None:
            return
        host, port = split_address(one.address)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                transport, line = await asyncio.get_running_loop().create_connection(
                    partial(ReplicaConnection, one.name),
                    host,
                    port,
                    ssl=channel.client_context,
                    server_hostname="",
                )
            watch_silence(transport.get_extra_info("socket"))
            transport.write(opening(to=KIND, socket=one.socket))
            line.distance = REMOTE_WEIGHT
            self._lines[one.name] = line
        except (OSError, TimeoutError):
            self._not_before[one.name] = time.monotonic() + RETRY_SECONDS
        finally:
            self._connecting.discard(one.name)


class ReplicaClient:
    """Asks the replicas of deployments."""

    def __init__(self, folder: Path, directory: ReplicaDirectory) -> None:
        self._folder = folder
        self._registry = ReplicaRegistry(folder)
        self._directory = directory
        self._boards: WeakKeyDictionary[asyncio.AbstractEventLoop, ConnectionPool] = (
            WeakKeyDictionary()
        )
        self._waiting: dict[str, list[int]] = {}

    async def serve(
        self, told: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Passes on what another machine says to a replica of this one, and its answers."""
        name = str(told["socket"])
        if name not in self._registry.of(name.partition(".")[0]):
            return
        line = self._registry.connect(name)
        from_replica, to_replica = await asyncio.open_unix_connection(sock=line)
        try:
            await _first_end(_pump(reader, to_replica), _pump(from_replica, writer))
        finally:
            to_replica.close()

    def answering(self, deployment_id: str) -> int:
        """Counts the replicas of a deployment that take requests now; safe in any thread."""
        registry = ReplicaRegistry(self._folder)
        count = 0
        for name in registry.of(deployment_id):
            with suppress(OSError):
                registry.connect(name).close()
                count += 1
        return count

    async def ask(self, deployment_id: str, head: Any, body: bytes) -> tuple[Any, bytes]:
        """Returns a replica's answer, after trying again where replicas died.

        Refuses when too many wait, when no replica answers, and what several replicas died of.
        """
        waiting = self._waiting.setdefault(deployment_id, [0, 0])
        if waiting[0] >= MAX_WAITING_REQUESTS or waiting[1] + len(body) > MAX_WAITING_BYTES:
            raise ReplicasBusy
        waiting[0] += 1
        waiting[1] += len(body)
        try:
            return await self._ask(deployment_id, head, body)
        finally:
            waiting[0] -= 1
            waiting[1] -= len(body)
            if not waiting[0]:
                self._waiting.pop(deployment_id, None)

    async def _ask(self, deployment_id: str, head: Any, body: bytes) -> tuple[Any, bytes]:
        loop = asyncio.get_running_loop()
        board = self._boards.get(loop)
        if board is None:
            board = self._boards[loop] = ConnectionPool(self._registry, self._directory)
        died: set[str] = set()
        until = time.monotonic() + DYING_SECONDS
        while len(died) < MAX_ATTEMPTS:
            line = await board.line(deployment_id)
            try:
                return split(await line.ask(head, body))
            except ConnectionLost:
                if line.name in died:
                    if time.monotonic() > until:
                        break
                    await asyncio.sleep(REGISTRY_POLL_SECONDS)
                died.add(line.name)
        raise AnswerLost


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(CHUNK_BYTES):
        target.write(data)
        await target.drain()


async def _first_end(*pumps: Coroutine[Any, Any, None]) -> None:
    """Runs both directions until one has ended."""
    tasks = [asyncio.ensure_future(one) for one in pumps]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
