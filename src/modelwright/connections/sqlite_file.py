"""A SQLite database in the one folder that the operator names: which file it is.

It is apart from the driver, since workers and the API ask it too, and load no driver.
"""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from modelwright.connections.drivers.registry import DRIVERS
from modelwright.jobs.errors import JobRefused

COMPANIONS = ("", "-wal", "-shm", "-journal")
"""What the names of the files that belong to a database end with."""


def readable_files(payload: Mapping[str, Any]) -> list[Path]:
    """Returns the files that a child reads to open a database; none where it is no file.

    Refuses one that is not in the folder.
    """
    if not DRIVERS[payload["type"]].is_file:
        return []
    path = find(payload["sqlite_folder"], payload["database"])
    return [one for end in COMPANIONS if (one := Path(f"{path}{end}")).is_file()]


def find(folder: str, name: str) -> Path:
    """Finds a file in the folder; refuses ways out of it, links and what is no plain file."""
    if not folder:
        raise _unreachable(
            "SQLite files are not read here: the operator has named no folder for them"
            " (MODELWRIGHT_SQLITE_FOLDER).",
            "type",
        )
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts or "\0" in name or not relative.parts:
        raise _unreachable("must be a path inside the folder for SQLite files.", "database")
    path = Path(folder).resolve()
    try:
        for part in relative.parts:
            path /= part
            if path.is_symlink():
                raise _unreachable("must not lead over symbolic links.", "database")
        is_file = path.is_file()
    except OSError:  # such as a name that no file can have
        is_file = False
    if not is_file:
        raise _unreachable(f"There is no file {name!r} in the folder for them.", "database")
    return path


def _unreachable(message: str, field: str) -> JobRefused:
    return JobRefused({"message": message, "field": field, "stage": "connect"})
