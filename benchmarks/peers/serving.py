"""Starts the model servers that `benchmarks.serving` compares, and drives them with wrk."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.server import free_port

HERE = Path(__file__).parent
READY_SECONDS = 180
UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}
KEY = "k" * 52
SAVED = ("mlflow", "mlserver")
"""Peers that want the booster in a form of their own, which `save_model.py` writes."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A running server, and how it is asked for one row."""

    name: str
    url: str
    body: Any
    process: psutil.Process
    start_seconds: float
    read: Callable[[Any], float]
    """Gives the probability of the second class from an answer."""
    expected: float
    headers: Mapping[str, str] = field(default_factory=dict)
    more: str = ""
    """What the URL needs besides for the answer to tell the probability."""
    beside: Callable[[], list[psutil.Process]] = list
    """Gives the processes of what the server asks, which belong to what an answer costs."""

    def chance(self) -> float:
        """Asks once."""
        answer = httpx.post(self.url + self.more, json=self.body, headers=self.headers, timeout=60)
        answer.raise_for_status()
        return float(self.read(answer.json()))

    def tree(self) -> list[psutil.Process]:
        """The server's processes, and those of what it asks."""
        return [self.process, *self.process.children(recursive=True), *self.beside()]


@dataclass(frozen=True, slots=True)
class Contender:
    """How a server is started and asked; `{port}` and `{folder}` are filled in."""

    environment: str
    command: tuple[str, ...]
    path: str
    body: Callable[[dict[str, float]], Any]
    read: Callable[[Any], float]
    headers: Mapping[str, str] = field(default_factory=dict)


def _values(row: dict[str, float]) -> list[list[float]]:
    return [list(map(float, row.values()))]


def _split(row: dict[str, float]) -> Any:
    return {"dataframe_split": {"columns": list(row), "data": _values(row)}}


def _v2(row: dict[str, float]) -> Any:
    content = {"name": "row", "datatype": "FP64", "shape": [1, len(row)], "data": _values(row)[0]}
    return {"inputs": [content]}


_MLFLOW = ("bin/mlflow", "models", "serve", "--env-manager", "local", "--workers", "1")
CONTENDERS = {
    "floor": Contender(
        "", (sys.executable, "{here}/serve_floor.py", "{port}", "{folder}"),
        "/infer", dict, lambda told: told["probability"], {"x-api-key": KEY},
    ),
    "mlserver": Contender(
        "mlserver", ("bin/mlserver", "start", "{folder}/mlserver"),
        "/v2/models/adult/infer", _v2, lambda told: told["outputs"][0]["data"][0],
    ),
    "mlflow": Contender(
        "mlflow", (*_MLFLOW, "--model-uri", "{folder}/mlflow", "--port", "{port}"),
        "/invocations", lambda row: {"inputs": _values(row)}, lambda told: told["predictions"][0],
    ),
    "mlflow pandas": Contender(
        "mlflow", (*_MLFLOW, "--model-uri", "{folder}/mlflow", "--port", "{port}"),
        "/invocations", _split, lambda told: told["predictions"][0],
    ),
    "bentoml": Contender(
        "bentoml",
        ("bin/bentoml", "serve", "serve_bentoml:Adult", "--working-dir", "{here}",
         "--host", "127.0.0.1", "--port", "{port}"),
        "/infer", lambda row: {"row": _values(row)[0]}, float,
    ),
    "ray": Contender(
        "ray", ("bin/python", "{here}/serve_ray.py", "{port}", "{folder}"),
        "/", lambda row: {"row": _values(row)[0]}, float,
    ),
}  # fmt: skip


@contextmanager
def contender(name: str, folder: Path) -> Iterator[Ask]:
    """Starts a server until it answers; stops it and what it started by their process ids."""
    told = CONTENDERS[name]
    row = json.loads((folder / "row.json").read_text("utf-8"))
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    home = HERE / ".envs" / told.environment
    if told.environment in SAVED and not (folder / told.environment).exists():
        make = [str(home / "bin" / "python"), str(HERE / "save_model.py"), told.environment]
        subprocess.run([*make, str(folder)], check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    filled = [one.format(port=port, folder=folder, here=HERE) for one in told.command]
    filled[0] = str(home / filled[0])
    environment = {
        **os.environ, "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "MLSERVER_HTTP_PORT": str(port), "MLSERVER_GRPC_PORT": str(free_port()),
        "MLSERVER_METRICS_PORT": str(free_port()), "MLSERVER_PARALLEL_WORKERS": "0",
        "BENTOML_DO_NOT_TRACK": "true", "RAY_USAGE_STATS_ENABLED": "0",
        "SERVED": str(folder), "OMP_NUM_THREADS": "1",
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch, (Path(scratch) / "log").open("wb") as log:
        started = time.perf_counter()
        process = psutil.Process(
            subprocess.Popen(filled, env=environment, stdout=log, stderr=log, cwd=scratch).pid
        )
        try:
            url = f"http://127.0.0.1:{port}{told.path}"
            asks = told.body(row), process, 0.0, told.read, expected, told.headers
            _wait(Ask(name, url, *asks), Path(scratch) / "log")
            seconds = time.perf_counter() - started
            asks = (*asks[:2], seconds, *asks[3:])
            yield Ask(name, url, *asks)
        finally:
            _stop(process)


def _wait(ask: Ask, log: Path) -> None:
    until = time.monotonic() + READY_SECONDS
    while True:
        try:
            ask.chance()
        except httpx.HTTPError:
            if time.monotonic() > until or not ask.process.is_running():
                sys.stderr.write(log.read_text("utf-8", "replace")[-4000:])
                raise
            time.sleep(0.05)
        else:
            return


def _stop(process: psutil.Process) -> None:
    tree = [process, *process.children(recursive=True)]
    for one in (process, *tree):
        if one.is_running():
            one.terminate()
        psutil.wait_procs([process], timeout=10)
    for one in psutil.wait_procs(tree, timeout=10)[1]:
        one.kill()


def loaded(ask: Ask, connections: int, seconds: float) -> dict[str, float]:
    """Asks for the same row over and over; refuses a run with any answer but success."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_lua(ask))
        script.flush()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds:g}s", "--timeout", "30s"]
        before, started = _cpu(ask.tree()), time.perf_counter()
        ran = subprocess.run(
            [*command, "--latency", "-s", script.name, ask.url],
            check=True,
            capture_output=True,
            text=True,
        )
        spent, cpu = time.perf_counter() - started, _cpu(ask.tree()) - before
    if "Non-2xx" in ran.stdout or "Socket errors" in ran.stdout:
        raise RuntimeError(ran.stdout)
    answered = int(re.findall(r"(\d+) requests in", ran.stdout)[0])
    return {
        "requests/s": answered / spent,
        "CPU us": cpu / answered * 1e6,
        "p50 ms": _milliseconds(ran.stdout, 50),
        "p99 ms": _milliseconds(ran.stdout, 99),
        "start s": ask.start_seconds,
        "RSS MB": _rss(ask.tree()) / 2**20,
    }


def _lua(ask: Ask) -> str:
    headers = {"content-type": "application/json", **ask.headers}
    lines = [f'wrk.headers["{name}"] = "{value}"' for name, value in headers.items()]
    return "\n".join(['wrk.method = "POST"', f"wrk.body = [==[{json.dumps(ask.body)}]==]", *lines])


def _milliseconds(shown: str, percent: int) -> float:
    value, unit = re.findall(rf"\s{percent}%\s+([\d.]+)(us|ms|s|m)\s", shown)[0]
    return float(value) * UNITS[unit]


def _cpu(tree: list[psutil.Process]) -> float:
    """Sums the seconds of processes, and of those they had that have ended."""
    return _summed(tree, lambda one: sum(one.cpu_times()[:4]))


def _rss(tree: list[psutil.Process]) -> float:
    """Sums the resident memory of processes, in bytes."""
    return _summed(tree, lambda one: one.memory_info().rss)


def _summed(tree: list[psutil.Process], figure: Callable[[psutil.Process], float]) -> float:
    """Sums a figure of processes; of one that has ended meanwhile, as backends do, nothing."""
    total = 0.0
    for one in tree:
        with suppress(psutil.NoSuchProcess):
            total += figure(one)
    return total
