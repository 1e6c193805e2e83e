"""What the supervisor writes down of its parts a few times a minute, for `modelwright doctor`."""

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import psutil

from modelwright.core.process.heartbeat import SUPERVISOR, HeartbeatBoard

WRITE_SECONDS = 5.0
"""How often a process says that it lives."""
LATE_SECONDS = 4 * WRITE_SECONDS
"""A file that is older was not written because the supervisor does not run."""


@dataclass(frozen=True, slots=True)
class PartState:
    """How one process of a server was when its supervisor last looked."""

    part: str
    pid: int
    silent_seconds: float
    replaced: int


class PartsFile:
    """The file of one supervisor; it is there while that runs."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{os.getpid()}.json"
        self._due = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._path.unlink()

    def write(self, pids: Mapping[str, int], board: HeartbeatBoard) -> None:
        """Writes how the parts are, where it is time; a full disk leaves the file as it was."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + min(WRITE_SECONDS, board.hung_seconds)
        parts = [
            asdict(PartState(one.part, pids[one.part], one.silent_seconds, one.replaced))
            for one in board.pulses()
            if one.part != SUPERVISOR
        ]
        half_written = self._path.with_suffix(".new")
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            half_written.write_text(json.dumps({"written": now, "parts": parts}), "utf-8")
            half_written.replace(self._path)


def servers(folder: Path) -> dict[int, tuple[float, list[PartState]]]:
    """Reads what the living supervisors of this machine wrote: by pid, how old it is and the parts.

    What others left behind is removed.
    """
    found: dict[int, tuple[float, list[PartState]]] = {}
    for path in sorted(folder.glob("*.json")):
        if not (path.stem.isdigit() and psutil.pid_exists(pid := int(path.stem))):
            path.unlink(missing_ok=True)
            continue
        with suppress(OSError, ValueError, KeyError, TypeError):
            told = json.loads(path.read_text("utf-8"))
            parts = [PartState(**one) for one in told["parts"]]
            found[pid] = (time.monotonic() - told["written"], parts)
    return found
