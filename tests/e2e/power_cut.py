"""A power cut: after a kill, takes back what no sync had made durable, as a disk would.

`power_cut.c`, loaded into the server, notes each change under the data folder. The model is that
of a file system that keeps names in order: of the changes to names that no sync of their folder
made durable, a random number, the last ones, are taken back; what was written to a file since its
last sync is kept, lost, or torn into sectors, at random.
"""

import os
import random
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("power_cut.c")
HEAD = struct.Struct("=IcxxxQQQII")
MAGIC = 0x43575750
SECTOR_BYTES = 512
MEMORY_OF_PROCESSES = "-shm"
"""What ends the names of files that SQLite makes anew after each start of the machine."""


@dataclass(frozen=True)
class Event:
    """A line of the log; `first` and `second` are paths or bytes, by its kind."""

    kind: str
    inode: int
    offset: int
    size_before: int
    first: bytes
    second: bytes

    @property
    def path(self) -> Path:
        """Where a name was made or removed."""
        return Path(os.fsdecode(self.second if self.kind == "R" else self.first))


class PowerCut:
    """Watches what a server writes under a folder, and cuts its power."""

    def __init__(self, root: Path, folder: Path, seed: int) -> None:
        if (compiler := shutil.which("cc")) is None:
            pytest.skip("no C compiler: apt-get install gcc")
        self.root = root.resolve()
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._log, self._kept = folder / "written.log", folder / "kept"
        self._chance = random.Random(seed)
        library = folder / "power_cut.so"
        subprocess.run(
            [compiler, "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True
        )
        self.environment = {
            "LD_PRELOAD": str(library),
            "POWER_CUT_ROOT": str(self.root),
            "POWER_CUT_LOG": str(self._log),
            "POWER_CUT_KEPT": str(self._kept),
        }
        self.lost = 0
        """How many changes were taken back, of all cuts."""
        self.begin()

    def begin(self) -> None:
        """Takes what is on the disk now for durable."""
        shutil.rmtree(self._kept, ignore_errors=True)
        self._kept.mkdir()
        self._log.unlink(missing_ok=True)
        self._known = {path.stat().st_ino for path in self._files()}

    def cut(self) -> None:
        """Takes back what was not durable; for after a kill of all processes."""
        events = list(self._events())
        synced: dict[int, int] = {}
        folders: dict[Path, int] = {}
        for place, event in enumerate(events):
            if event.kind == "S" and event.offset:
                folders[event.path] = place
            elif event.kind == "S":
                synced[event.inode] = place
        self._take_back_names(
            [
                event
                for place, event in enumerate(events)
                if event.kind in "RUM" and folders.get(event.path.parent, -1) < place
            ]
        )
        written: dict[int, list[Event]] = {}
        for place, event in enumerate(events):
            if event.kind in "WT" and synced.get(event.inode, -1) < place:
                written.setdefault(event.inode, []).append(event)
        for path in self._files():
            inode = path.stat().st_ino
            if path.name.endswith(MEMORY_OF_PROCESSES):
                continue
            if inode in written:
                self._tear(path, written[inode])
            elif inode not in synced and inode not in self._known:
                self._tear(path, [])
                os.truncate(path, self._chance.choice((0, path.stat().st_size // 2)))
        self.begin()

    def _files(self) -> list[Path]:
        return [path for path in self.root.rglob("*") if path.is_file() and not path.is_symlink()]

    def _events(self) -> Iterator[Event]:
        content = self._log.read_bytes() if self._log.exists() else b""
        at = 0
        while at + HEAD.size <= len(content):
            magic, kind, inode, offset, size, first, second = HEAD.unpack_from(content, at)
            assert magic == MAGIC
            at += HEAD.size
            parts = content[at : at + first], content[at + first : at + first + second]
            at += first + second
            yield Event(kind.decode(), inode, offset, size, *parts)

    def _take_back_names(self, volatile: list[Event]) -> None:
        kept = self._chance.randint(0, len(volatile))
        self.lost += len(volatile) - kept
        for event in reversed(volatile[kept:]):
            path = event.path
            is_there = path.exists() and path.stat().st_ino == event.inode
            if event.kind == "M" and is_there:
                path.unlink()
            elif event.kind == "R" and is_there:
                old = Path(os.fsdecode(event.first))
                if old.parent.is_dir() and not old.exists():
                    path.rename(old)
                    self._put_back(event, path)
            elif event.kind == "U":
                self._put_back(event, path)

    def _put_back(self, event: Event, path: Path) -> None:
        link = self._kept / str(event.offset)
        if event.offset and link.exists() and path.parent.is_dir() and not path.exists():
            path.hardlink_to(link)

    def _tear(self, path: Path, events: list[Event]) -> None:
        """Takes the writes back, then lets none, all, or some sectors of them come to the disk."""
        self.lost += len(events)
        how = self._chance.choice(("none", "all", "torn"))
        mode = path.stat().st_mode
        path.chmod(0o600)
        with path.open("r+b") as file:
            for event in reversed(events):
                file.truncate(event.size_before)
                file.seek(event.offset)
                file.write(event.first)
            for event in events if how != "none" else ():
                self._come(file.fileno(), event, is_torn=how == "torn")
        path.chmod(mode)

    def _come(self, file: int, event: Event, *, is_torn: bool) -> None:
        if event.kind == "T":
            if not is_torn or self._chance.random() < 0.5:
                os.truncate(file, event.offset)
            return
        at = 0
        while at < len(event.second):
            end = min(len(event.second), at + SECTOR_BYTES - (event.offset + at) % SECTOR_BYTES)
            if not is_torn or self._chance.random() < 0.5:
                os.pwrite(file, event.second[at:end], event.offset + at)
            at = end
