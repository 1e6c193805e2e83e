"""Room on the disk: what needs it is refused before it begins, so that the rest goes on."""

import shutil
from pathlib import Path

from modelwright.core.errors import Unavailable

RESERVED_BYTES = 512 * 1024**2
"""What stays free for the database, logs and work under way."""


class DiskNearlyFull(Unavailable):
    """What was asked for needs more room than there is."""

    def __init__(self) -> None:
        super().__init__(
            "The server's disk is nearly full, and nothing was begun; delete uploads or models, or"
            " have the operator make room.",
            retry_after=60,
        )


class DiskSpaceGuard:
    """Knows how much is left where things are kept; without folders there is always enough."""

    def __init__(self, *folders: Path) -> None:
        self._folders = folders

    def check(self, wanted: int = 0) -> None:
        """Refuses so many bytes where they would leave less than is kept free."""
        for folder in self._folders:
            if folder.exists() and shutil.disk_usage(folder).free - wanted < RESERVED_BYTES:
                raise DiskNearlyFull
