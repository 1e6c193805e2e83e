"""Copies everything that must be kept, while the server runs, and puts it back.

Objects are copied before and after the database's snapshot: each one the snapshot speaks of was
there at its moment, and what is written once is never changed.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine import make_url

from modelwright.core.settings import Settings

DATABASE = "modelwright.sqlite"
FLEETING = ("scratch", "counters.sqlite*", "*.lock", ".*", f"{DATABASE}*", "objects")


class BackupError(Exception):
    """The backup cannot be made or put back; the message says what to do."""


def back_up(settings: Settings, target: Path) -> str:
    """Copies database, objects and secrets into a new folder, which only its owner can read.

    Says what is there now: objects in a bucket are not, which has backups of its own.
    Refuses a folder that has something in it, and a database that is a server of its own.
    """
    source = _database_file(settings)
    if not source.exists():
        message = f"There is no data in {settings.data_dir}."
        raise BackupError(message)
    _empty(target)
    draft = target.with_name(f"{target.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True, mode=0o700)
    _copy_objects(settings.objects_dir, draft / "objects")
    with (
        closing(sqlite3.connect(source)) as live,
        closing(sqlite3.connect(draft / DATABASE)) as kept,
    ):
        live.backup(kept)
    _copy_objects(settings.objects_dir, draft / "objects")
    _copy_rest(settings.data_dir, draft)
    _check(draft / DATABASE)
    if target.exists():
        target.rmdir()
    draft.rename(target)
    bucket = settings.bucket_url
    return f"everything but the objects, which are in {bucket}" if bucket else "everything"


def restore(settings: Settings, source: Path) -> None:
    """Puts a backup into the data folder; refuses one that has data, and a broken backup."""
    if not (source / DATABASE).exists():
        message = f"{source} is not a backup: it has no {DATABASE}."
        raise BackupError(message)
    _database_file(settings)
    _check(source / DATABASE)
    _empty(settings.data_dir)
    settings.make_data_dir()
    _copy_objects(source / "objects", settings.objects_dir)
    _copy_rest(source, settings.data_dir)
    draft = settings.data_dir / f"{DATABASE}.part"
    shutil.copy2(source / DATABASE, draft)
    draft.rename(settings.data_dir / DATABASE)


def _database_file(settings: Settings) -> Path:
    url = make_url(settings.database)
    if url.get_backend_name() != "sqlite" or not url.database:
        message = (
            "The database is a server of its own: back it up with its own tools (pg_dump), "
            f"and copy {settings.bucket_url or settings.objects_dir} after it."
        )
        raise BackupError(message)
    return Path(url.database)


def _empty(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        message = f"{folder} is not empty; name a new folder."
        raise BackupError(message)


def _copy_objects(source: Path, target: Path) -> None:
    for path in sorted(source.rglob("*")):
        place = target / path.relative_to(source)
        if path.is_dir() or place.exists() or path.relative_to(source).parts[0].startswith("."):
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = place.with_name(f"{place.name}.part")
        try:
            shutil.copy2(path, draft)
        except FileNotFoundError:  # deleted meanwhile, and so not in the snapshot
            continue
        draft.rename(place)


def _copy_rest(source: Path, target: Path) -> None:
    """Copies what stands beside database and objects: secrets and settings."""
    for path in source.iterdir():
        if not any(path.match(pattern) for pattern in FLEETING) and path.is_file():
            shutil.copy2(path, target / path.name)


def _check(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchone()[0]
    if found != "ok":
        message = f"{database} is damaged: {found}."
        raise BackupError(message)
