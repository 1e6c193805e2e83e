"""The process of one local model: llama.cpp's server on a socket that only this user can reach.

Requests go straight to the socket (`local`); what is done here is to load the model within its
memory, to keep one thread where the cores are busy, and to end when it hangs, so that the
supervisor starts it again.
"""

import os
import resource
import sys
import threading
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import psutil

from modelwright.core.logging import logger, set_up
from modelwright.core.process import heartbeat
from modelwright.core.process.stop_signals import on_stop_signal
from modelwright.language_models.domain import SAMPLES, ModelFile, Place
from modelwright.language_models.socket_http import request
from modelwright.system.processors import usable_processors

CONTEXT_TOKENS = 8192
"""Prompt and answer together; a schema of 120 columns takes about 4,000."""
BATCH_TOKENS = 256
"""Tokens of a prompt that are evaluated before it is looked whether somebody called it off."""
MAX_THREADS = 4
"""Threads of a model; more gain nothing, as memory is what it waits for."""
BUSY_SHARE = 0.35
"""Others' use of the cores, 0 to 1, from which on one thread is quicker: with two threads on busy
cores each waits for the other, and a token takes ten times as long."""
LOOK_SECONDS = 5.0
"""How often is looked how busy the cores are."""
FIRST_LOOK_SECONDS = 1.0
"""How long is looked how busy the cores are before the model is first loaded."""
STEADY_LOOKS = 3
"""Looks in a row that must say the same before the model is loaded with other threads."""
LOAD_SECONDS = 1800.0
"""How long the library may take to load a file, in which this process gives no sign of life."""
SLOWEST_TURN_SECONDS = 4 * LOOK_SECONDS
"""How long a turn of the loop may take whose questions to the library run out of time."""
HUNG_SECONDS = 60.0
"""How long the server may give no sign before its process ends."""
THREADS_SPACE_BYTES = 1 << 30
"""Address space for stacks and allocator arenas, which is reserved and hardly used."""


def host(model: ModelFile, place: Place, memory_mb: int, log_level: str) -> None:
    """Keeps a model loaded until SIGTERM.

    Args:
        model: The file to load.
        place: Where its socket and its kept prefixes lie.
        memory_mb: Memory that the process may use, the model's file included, in MiB.
        log_level: Least severe level that is logged.
    """
    set_up(log_level)
    stopping = threading.Event()
    on_stop_signal(stopping.set)
    place.make()
    _bound_memory(memory_mb)
    _silence_own_output()
    Hosted(model, place).run(stopping)


def _silence_own_output() -> None:
    """Sends what the library prints by itself nowhere; its failures are raised as well."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a device, not a path of ours
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


class Hosted:
    """One loaded model, loaded again when the number of threads should change."""

    def __init__(self, model: ModelFile, place: Place) -> None:
        self._model = model
        self._place = place
        self._server: Any = None
        self._threads = 0
        self._last_sign = time.monotonic()

    def run(self, stopping: threading.Event) -> None:
        """Serves until it is told to stop; ends the process when the server hangs."""
        watch = Busyness()
        if not stopping.wait(FIRST_LOOK_SECONDS):
            self._load(_wanted_threads(is_busy=watch.poll()))
        same = 0
        heartbeat.beat(SLOWEST_TURN_SECONDS)
        while not stopping.wait(LOOK_SECONDS):
            heartbeat.beat(SLOWEST_TURN_SECONDS)
            wanted = _wanted_threads(is_busy=watch.poll())
            same = same + 1 if wanted != self._threads else 0
            if same >= STEADY_LOOKS and self._is_idle():
                self._load(wanted)
                same = 0
            self._make_sure_it_lives()
        self._unload()
        self._place.leave()

    def _load(self, threads: int) -> None:
        """Starts llama.cpp's server on the model's socket, with so many threads."""
        import xllamacpp  # noqa: PLC0415 - heavy, and only here

        self._unload()
        params = xllamacpp.CommonParams()
        params.model.path = str(self._model.path)
        params.n_ctx = CONTEXT_TOKENS
        params.n_parallel = SAMPLES
        params.kv_unified = True  # samples share the memory of their question
        params.n_batch = params.n_ubatch = BATCH_TOKENS
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        params.no_extra_bufts = True  # else all weights are held twice
        params.cache_ram_mib = 0  # prefixes are kept on disk
        params.warmup = False
        params.ui = False
        params.offline = True
        params.verbosity = -1
        params.hostnames = [str(self._place.socket)]
        params.slot_save_path = f"{self._place.prefixes}{os.sep}"
        heartbeat.beat(LOAD_SECONDS)
        started = time.monotonic()
        self._server = xllamacpp.Server(params)
        self._threads, self._last_sign = threads, time.monotonic()
        seconds = round(time.monotonic() - started, 2)
        logger().info(
            "language_models.loaded", model=self._model.name, threads=threads, seconds=seconds
        )

    def _unload(self) -> None:
        self._server = None  # its destructor stops it
        with suppress(FileNotFoundError):
            self._place.socket.unlink()

    def _is_idle(self) -> bool:
        slots = self._slots()
        return bool(slots) and not any(slot.get("is_processing") for slot in slots)

    def _slots(self) -> list[dict[str, Any]]:
        try:
            status, body = request(self._place.socket, "GET", "/slots", None, LOOK_SECONDS)
        except (OSError, HTTPException, ValueError):
            return []
        return body if status == 200 and isinstance(body, list) else []  # noqa: PLR2004 - HTTP

    def _make_sure_it_lives(self) -> None:
        if self._slots():
            self._last_sign = time.monotonic()
        elif time.monotonic() - self._last_sign > HUNG_SECONDS:
            logger().error("language_models.hung", model=self._model.name)
            os._exit(3)


class Busyness:
    """Tells whether other processes keep the cores busy."""

    def __init__(self) -> None:
        self._own = psutil.Process()
        self._own.cpu_percent()
        psutil.cpu_percent()

    def poll(self) -> bool:
        """Tells it of the time since the last look."""
        whole = psutil.cpu_percent() / 100
        own = self._own.cpu_percent() / 100 / (psutil.cpu_count() or 1)
        return whole - own > BUSY_SHARE


def _wanted_threads(*, is_busy: bool) -> int:
    """Tells how many threads are quickest."""
    return 1 if is_busy else min(MAX_THREADS, usable_processors())


def _bound_memory(memory_mb: int) -> None:
    """Lets allocations beyond the cap fail, which ends this process and no other."""
    if sys.platform != "linux":
        return
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    held = pages * resource.getpagesize()
    bound = held + (memory_mb << 20) + THREADS_SPACE_BYTES
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    least = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
    resource.setrlimit(resource.RLIMIT_AS, (least, least))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
