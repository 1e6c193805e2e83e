"""Room that is laid aside for deletions: where the disk is full they need a little to free more."""

from contextlib import suppress
from pathlib import Path

from modelwright.core.logging import logger
from modelwright.core.process.disk_space import DiskNearlyFull, DiskSpaceGuard

RESERVE_BYTES = 8 * 1024**2
"""What one deletion needs at the most, many times over: pages of the database and its log."""
BLOCK_BYTES = 1024**2
"""How much of it is written at a time."""


class DiskReserve:
    """A file that is given up once the disk is full, and laid aside again when there is room."""

    def __init__(self, folder: Path, space: DiskSpaceGuard) -> None:
        self._file = folder / ".reserve"
        self._space = space

    def lay_aside(self) -> None:
        """Fills the file where it is missing and the disk has room for it."""
        if self._file.exists():
            return
        draft = self._file.with_name(f"{self._file.name}.part")
        with suppress(DiskNearlyFull, OSError):
            self._space.check(RESERVE_BYTES)
            with draft.open("wb") as file:
                for _ in range(0, RESERVE_BYTES, BLOCK_BYTES):
                    file.write(bytes(BLOCK_BYTES))
            draft.replace(self._file)
            return
        draft.unlink(missing_ok=True)

    def give_up(self) -> bool:
        """Frees the room; tells whether there was any."""
        try:
            self._file.unlink()
        except OSError:
            return False
        logger().warning("disk.reserve_given_up", bytes=RESERVE_BYTES)
        return True
