"""The trash of a folder of objects: what sweeps have taken, by day, out of every key's reach."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from datetime import date, datetime
from pathlib import Path

from modelwright.storage.domain import parts_of

TRASH = ".trash"


class DiskTrash:
    """Objects on their way out of a folder; `alone` holds back others that change names in it."""

    def __init__(self, folder: Path, alone: Callable[[], AbstractContextManager[None]]) -> None:
        self._folder = folder
        self._trash = folder / TRASH
        self._alone = alone

    def discard(self, key: str, now: datetime) -> None:
        """Moves an object to the trash, where no key leads; a missing one is no fault."""
        path = self._folder.joinpath(*parts_of(key))
        with self._alone():
            if _move(path, self._trash / now.date().isoformat() / key):
                prune(path.parent, self._folder)

    def discarded(self) -> Iterator[tuple[str, date]]:
        """Lists what is in the trash: each key, and the day that its object was discarded."""
        for folder, day in self._days():
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                yield path.relative_to(folder).as_posix(), day

    def recover(self, key: str, day: date) -> bool:
        """Moves an object back from the trash; tells whether its place was free."""
        path = self._folder.joinpath(*parts_of(key))
        source = self._trash / day.isoformat() / key
        with self._alone():
            if path.exists() or not _move(source, path):
                return False
            prune(source.parent, self._trash)
            return True

    def empty_trash(self, before: date) -> int:
        """Removes for good what was discarded before a day; tells how many objects."""
        count = 0
        for folder, day in self._days():
            if day < before:
                count += sum(path.is_file() for path in folder.rglob("*"))
                shutil.rmtree(folder, ignore_errors=True)
        return count

    def _days(self) -> list[tuple[Path, date]]:
        if not self._trash.is_dir():
            return []
        folders = sorted(self._trash.iterdir())
        return [(folder, date.fromisoformat(folder.name)) for folder in folders]


def prune(folder: Path, root: Path) -> None:
    """Removes a folder and those above it, below the root, as far as they are empty."""
    with suppress(OSError):
        while folder != root:
            folder.rmdir()
            folder = folder.parent


def _move(source: Path, target: Path) -> bool:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        source.replace(target)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
