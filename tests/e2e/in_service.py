"""Connections that ask an endpoint without pause, and what was in service while they did."""

import asyncio
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.e2e.killing import ROW
from tests.e2e.server import Server


class Answer(NamedTuple):
    """What one request came to; moments by `time.perf_counter`."""

    sent: float
    answered: float
    status: int
    told: Any


@dataclass
class Timeline:
    """The versions in service: when each change was asked for, and when it was answered."""

    version: str
    changes: list[tuple[float, float, str]] = field(default_factory=list)
    slowest_seconds: float = 0.0

    def note(self, sent: float, version: str) -> None:
        """Notes a change that was asked for at a moment and is answered now."""
        answered = time.perf_counter()
        self.changes.append((sent, answered, version))
        self.slowest_seconds = max(self.slowest_seconds, answered - sent)

    def other(self, *versions: str) -> str:
        """The first of some versions that is not in service now."""
        now = self.changes[-1][2] if self.changes else self.version
        return next(one for one in versions if one != now)

    def wrong(self, answers: list[Answer]) -> list[Answer]:
        """The answers of versions that were not in service at any moment of their requests."""
        begins = [(float("-inf"), self.version)] + [(sent, to) for sent, _, to in self.changes]
        ends = [answered for _, answered, _ in self.changes] + [float("inf")]
        spans: dict[str, list[tuple[float, float]]] = {}
        for (begin, version), end in zip(begins, ends, strict=True):
            spans.setdefault(version, []).append((begin, end))
        return [
            one
            for one in answers
            if not any(
                begin <= one.answered and one.sent <= end
                for begin, end in spans.get(one.told.get("model_version"), ())
            )
        ]


class Asking:
    """Connections that ask without pause and without trying again, spread over servers."""

    def __init__(self, servers: list[Server], connections: int, path: str) -> None:
        self.answers: list[Answer] = []
        self._done = threading.Event()
        self._fault: BaseException | None = None
        self._told = servers, connections, path
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def stop(self) -> list[Answer]:
        """Ends the asking; returns the answers there were."""
        self._done.set()
        self._thread.join()
        if self._fault is not None:
            raise self._fault
        return self.answers

    def _run(self) -> None:
        try:
            asyncio.run(self._ask_all())
        except BaseException as fault:  # noqa: BLE001 - told by `stop`
            self._fault = fault

    async def _ask_all(self) -> None:
        servers, connections, path = self._told
        await asyncio.gather(
            *(self._ask(servers[place % len(servers)], path) for place in range(connections))
        )

    async def _ask(self, server: Server, path: str) -> None:
        body = json.dumps(ROW).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: {server.key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        while not self._done.is_set():
            sent = time.perf_counter()
            writer.write(head + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            length = int(answer.lower().split(b"content-length:")[1].split(b"\r\n", 1)[0])
            content = await reader.readexactly(length)
            status = int(answer.split(b" ", 2)[1])
            self.answers.append(Answer(sent, time.perf_counter(), status, json.loads(content)))
        writer.close()


def failed(answers: list[Answer]) -> Counter[str]:
    """The answers that were no success, counted."""
    return Counter(str(one.told) for one in answers if one.status != 200)
