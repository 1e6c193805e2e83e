"""A real server in a folder of its own, and a load of plain HTTP/1.1 against it."""

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil

COMMAND = Path(sys.executable).with_name("modelwright")
HEALTHY_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Server:
    """A running server and the key to it."""

    url: str
    key: str
    process: psutil.Process
    healthy_seconds: float
    """Into a data folder that was empty."""
    again_seconds: float
    """Into the same folder, once more."""
    data: Path

    @property
    def client(self) -> httpx.Client:
        headers = {"x-api-key": self.key}
        return httpx.Client(base_url=self.url, headers=headers, timeout=120)

    def memory(self) -> dict[str, float]:
        """Resident MiB of each process, by its place in the tree."""
        tree = [self.process, *self.process.children(recursive=True)]
        names = ["supervisor", "api", "worker"]
        names += [f"child {number}" for number in range(len(tree))]
        return {
            name: round(one.memory_full_info().uss / 2**20, 1)
            for name, one in zip(names, tree, strict=False)
        }


@contextmanager
def running(**settings: str) -> Iterator[Server]:
    """Starts a server on a free port of loopback, and stops it by its own process id."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        environment = {
            **os.environ,
            "MODELWRIGHT_DATA_DIR": folder,
            "MODELWRIGHT_LOG_LEVEL": "info",
            **{f"MODELWRIGHT_{name.upper()}": value for name, value in settings.items()},
        }
        log = (Path(folder) / "serve.log").open("wb")
        command = [str(COMMAND), "serve", "--port", str(port)]
        url = f"http://127.0.0.1:{port}"

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(command, env=environment, stdout=log, stderr=log)

        process, seconds = _started(start, url)
        try:
            process.terminate()
            process.wait(60)
            process, again = _started(start, url)
            make = [str(COMMAND), "keys", "create", "--name", "bench"]
            made = subprocess.run(
                [*make, "--permission-level", "read_write"],
                env=environment, check=True, capture_output=True, text=True,
            )  # fmt: skip
            key = made.stdout.splitlines()[-1]
            yield Server(url, key, psutil.Process(process.pid), seconds, again, Path(folder))
        finally:
            process.terminate()
            process.wait(60)


def _started(
    start: Callable[[], subprocess.Popen[bytes]], url: str
) -> tuple[subprocess.Popen[bytes], float]:
    began = time.perf_counter()
    process = start()
    try:
        _wait_until_healthy(url)
    except TimeoutError:
        process.terminate()
        process.wait(60)
        raise
    return process, time.perf_counter() - began


def free_port() -> int:
    """Finds a port of loopback that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _wait_until_healthy(url: str) -> None:
    until = time.monotonic() + HEALTHY_SECONDS
    while time.monotonic() < until:
        try:
            if httpx.get(url + "/data/health").status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            time.sleep(0.02)
    message = "the server is not healthy in time"
    raise TimeoutError(message)


def upload(client: httpx.Client, path: Path, content_type: str = "text/csv") -> tuple[str, float]:
    """Takes a file through upload and processing; seconds from confirming to `complete`."""
    return upload_all(client, [path], content_type=content_type)


def upload_all(
    client: httpx.Client,
    paths: Sequence[Path],
    name: str | None = None,
    content_type: str = "text/csv",
) -> tuple[str, float]:
    """Takes files of one upload through it, as a version of a dataset where that is named."""
    wanted = [{"filename": one.name, "content_type": content_type} for one in paths]
    body = {"files": wanted} | ({"name": name} if name else {})
    made = client.post("/data/upload", json=body).json()
    for path, file in zip(paths, made["files"], strict=True):
        with path.open("rb") as content:
            httpx.put(file["presigned_url"], content=content, timeout=600).raise_for_status()
    listed = [
        {"filename": one.name, "object_key": file["object_key"]}
        for one, file in zip(paths, made["files"], strict=True)
    ]
    confirmed = {"upload_id": made["upload_id"], "status": "complete", "files": listed}
    started = time.perf_counter()
    client.post("/uploads/status", json=confirmed).raise_for_status()
    while True:
        state = client.get(f"/uploads/{made['upload_id']}").json()
        if state["status"] in {"complete", "failed"}:
            break
        time.sleep(0.02)
    if state["status"] == "failed":
        raise RuntimeError(state)
    return made["upload_id"], time.perf_counter() - started


def build(client: httpx.Client, name: str, intent: str, dataset_id: str) -> float:
    """Builds a model; seconds from asking to READY."""
    started = time.perf_counter()
    answer = client.post(f"/models/{name}", json={"intent": intent, "dataset_id": dataset_id})
    answer.raise_for_status()
    while True:
        state = client.get(f"/models/{name}").json()
        if state["status"] in {"READY", "ERROR"}:
            break
        time.sleep(0.1)
    if state["status"] == "ERROR":
        raise RuntimeError(state)
    return time.perf_counter() - started


def load(
    server: Server, path: str, body: Any, connections: int, seconds: float
) -> dict[str, float]:
    """Sends the same request over and over; requests a second and milliseconds p50 and p99."""
    encoded = json.dumps(body).encode()
    host = server.url.removeprefix("http://")
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nx-api-key: {server.key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(encoded)}\r\n\r\n"
    )
    port = int(host.rpartition(":")[2])
    before = _cpu_seconds(server)
    times = asyncio.run(_send(head.encode() + encoded, port, connections, seconds))
    cpu = _cpu_seconds(server) - before
    cuts = statistics.quantiles(times, n=100)
    return {
        "requests_s": round(len(times) / seconds),
        "p50_ms": round(cuts[49] * 1000, 2),
        "p99_ms": round(cuts[98] * 1000, 2),
        "cpu_us": round(cpu / len(times) * 1e6),
    }


def _cpu_seconds(server: Server) -> float:
    tree = [server.process, *server.process.children(recursive=True)]
    return sum(sum(one.cpu_times()[:2]) for one in tree)


async def _send(request: bytes, port: int, connections: int, seconds: float) -> list[float]:
    until = time.perf_counter() + seconds
    runs = [_one(request, port, until) for _ in range(connections)]
    return [one for times in await asyncio.gather(*runs) for one in times]


async def _one(request: bytes, port: int, until: float) -> list[float]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    times = []
    while (started := time.perf_counter()) < until:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head)
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n", 1)[0])
        await reader.readexactly(length)
        times.append(time.perf_counter() - started)
    writer.close()
    return times
