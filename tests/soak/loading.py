"""A load of plain HTTP/1.1, in a process of its own: `python -m tests.soak.loading`.

Reads one JSON object from standard input: `port`, `key`, `seconds`, and `calls`, each with `name`,
`path`, `body` and `connections`. Every connection sends its request again as soon as it is
answered. Prints for each name the answers, those that were no 200, and milliseconds p50 and p99.
"""

import asyncio
import json
import sys
import time
from array import array
from typing import Any


async def load(told: dict[str, Any]) -> dict[str, Any]:
    """Runs all connections at the same time."""
    until = time.perf_counter() + told["seconds"]
    seen: dict[str, Seen] = {call["name"]: Seen() for call in told["calls"]}
    await asyncio.gather(
        *(
            _one(told, call, until, seen[call["name"]])
            for call in told["calls"]
            for _ in range(call["connections"])
        )
    )
    return {name: one.told() for name, one in seen.items()}


class Seen:
    """What came back."""

    def __init__(self) -> None:
        self.seconds = array("d")
        self.failed: list[str] = []

    def told(self) -> dict[str, Any]:
        """Counts, and the middle and the slowest hundredth in milliseconds."""
        ordered = sorted(self.seconds)
        p50, p99 = (ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.99))
        return {"answers": len(ordered), "failed": self.failed, "p50": p50, "p99": p99}


async def _one(told: dict[str, Any], call: dict[str, Any], until: float, seen: Seen) -> None:
    body = json.dumps(call["body"]).encode()
    head = (
        f"POST {call['path']} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: {told['key']}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", told["port"])
    while (started := time.perf_counter()) < until:
        writer.write(head + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().split(b"content-length:")[1].split(b"\r\n", 1)[0])
        content = await reader.readexactly(length)
        if answer.split(b" ", 2)[1] != b"200":
            seen.failed.append(content.decode())
        seen.seconds.append(time.perf_counter() - started)
    writer.close()


if __name__ == "__main__":
    json.dump(asyncio.run(load(json.loads(sys.stdin.read()))), sys.stdout)
