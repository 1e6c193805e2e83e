"""Copies everything that must be kept, while the server runs, and puts it back.

Objects are copied before and after the database's snapshot: each one the snapshot speaks of was
there at its moment, and what is written once is never changed.
"""

import hashlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.engine import make_url

from modelwright import migrations
from modelwright.cli.context import exit_on_error, load_settings
from modelwright.core.config.settings import DATABASE, Settings
from modelwright.storage import ownership_marker
from modelwright.storage.checked import DIGESTS
from modelwright.storage.disk_writing import remove

SUMS = "SHA256SUMS"
"""The file of a backup that holds the hashes of all others, as `sha256sum --check` reads it."""
FLEETING = ("scratch", "counters.sqlite*", "*.lock", ".*", f"{DATABASE}*", "objects", SUMS)


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("backup")(backup_)
    app.command("restore")(restore_)


class BackupError(Exception):
    """The backup cannot be made or put back; the message says what to do."""


def back_up(settings: Settings, target: Path) -> str:
    """Copies database, objects and secrets into a new folder, which only its owner can read.

    Says what is there now: objects in a bucket are not, which has backups of its own.
    Refuses a folder that has something in it, is a mount point or lies in the data folder, and a
    database that is a server of its own.
    """
    source = _database_file(settings)
    if not source.exists():
        message = f"There is no installation in {settings.data_dir.resolve()}."
        raise BackupError(message)
    target = target.resolve()
    if target.is_relative_to(settings.data_dir.resolve()):
        message = f"{target} lies in the data folder and would be lost with it; name one elsewhere."
        raise BackupError(message)
    if target.is_mount():
        message = f"{target} is a mount point; name a new folder in it."
        raise BackupError(message)
    if _has_something(target):
        message = f"{target} is not empty; name a new folder."
        raise BackupError(message)
    draft = target.with_name(f"{target.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True, mode=0o700)
    with _gone_on_failure(draft):
        _copy_objects(settings.objects_dir, draft / "objects")
        _snapshot(source, draft / DATABASE)
        _copy_objects(settings.objects_dir, draft / "objects")
        _copy_rest(settings.data_dir, draft)
        _step_of(draft / DATABASE, source)
        _write_sums(draft)
    if target.exists():
        target.rmdir()
    draft.rename(target)
    if damaged := _damaged(target):
        message = (
            f"{target} has everything, but {', '.join(damaged)} in {settings.objects_dir} no "
            "longer are what was stored: put them back from an earlier backup, which you keep."
        )
        raise BackupError(message)
    bucket = settings.bucket_url
    return f"everything but the objects, which are in {bucket}" if bucket else "everything"


def restore(settings: Settings, source: Path) -> None:
    """Puts a backup into the data folder, which stays empty when that fails.

    Refuses a folder that has data, and a backup that is not whole or a newer program's. What has
    no hashes, as a mere copy of a data folder, has its database looked at alone.
    """
    if not (source / DATABASE).is_file():
        message = f"{source} is not a backup: it has no {DATABASE}."
        raise BackupError(message)
    place, folder = _database_file(settings), settings.data_dir
    if place.exists() or _has_something(folder):
        message = (
            f"The data folder {folder} is not empty: stop the server and move it away, or name a "
            "new one in MODELWRIGHT_DATA_DIR."
        )
        raise BackupError(message)
    _check_sums(source)
    settings.make_data_dir()
    draft = folder / f"{DATABASE}.part"
    with _emptied_on_failure(folder):
        for log in ("", "-wal"):  # a mere copy of a data folder may have some of it in its log
            with suppress(FileNotFoundError):
                shutil.copyfile(source / f"{DATABASE}{log}", f"{draft}{log}")
        if _step_of(draft, source / DATABASE) > migrations.head():
            message = f"{source} is a newer program's; install that program to restore it."
            raise BackupError(message)
        _copy_objects(source / "objects", settings.objects_dir)
        _copy_rest(source, folder)
        if not settings.s3_bucket:
            _begin_turns_anew(draft, settings.objects_dir)
        shutil.move(draft, place)


def _begin_turns_anew(database: Path, objects: Path) -> None:
    """Has a restored database and the objects restored with it agree on who swept them last.

    Objects in a bucket are not of the backup's moment, and sweeping them waits for the operator.
    """
    with closing(sqlite3.connect(database)) as connection:
        columns = {row[1] for row in connection.execute("PRAGMA table_info(objects_marks)")}
        if "turn" not in columns:  # of an earlier program
            return
        connection.execute("UPDATE objects_marks SET turn = NULL, next_turn = NULL")
        connection.commit()
        marks = [row[0] for row in connection.execute("SELECT mark FROM objects_marks")]
    for mark in marks:
        place = objects / ownership_marker.FOLDER / mark
        digest = objects / DIGESTS / ownership_marker.FOLDER / f"{mark}.sha256"
        for path, told in ((place, b""), (digest, hashlib.sha256(b"").hexdigest().encode())):
            if path.exists():
                path.unlink()  # the backup may share it
                path.write_bytes(told)


def _database_file(settings: Settings) -> Path:
    url = make_url(settings.database)
    if url.get_backend_name() != "sqlite" or not url.database:
        message = (
            "The database is a server of its own: back it up with its own tools (pg_dump), "
            f"and copy {settings.bucket_url or settings.objects_dir} after it."
        )
        raise BackupError(message)
    return Path(url.database)


def _has_something(folder: Path) -> bool:
    return folder.exists() and any(folder.iterdir())


@contextmanager
def _gone_on_failure(folder: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


@contextmanager
def _emptied_on_failure(folder: Path) -> Iterator[None]:
    """Leaves a folder that may be tried again."""
    try:
        yield
    except BaseException:
        for path in folder.iterdir():
            remove(path)
        raise


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
            shutil.copyfile(path, target / path.name)
            (target / path.name).chmod(0o600)


def _write_sums(folder: Path) -> None:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{_sum(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


def _check_sums(folder: Path) -> None:
    if not (folder / SUMS).exists():
        return
    for line in (folder / SUMS).read_text("utf-8", errors="replace").splitlines():
        told, _, name = line.partition("  ")
        path = folder / name
        if not path.is_file() or _sum(path) != told:
            message = f"{path} is missing or damaged; take another backup."
            raise BackupError(message)


def _damaged(folder: Path) -> list[str]:
    """Lists the objects of a backup that are not what was stored."""
    digests = folder / "objects" / DIGESTS
    found = []
    for path in sorted(path for path in digests.rglob("*.sha256") if path.is_file()):
        key = path.relative_to(digests).as_posix().removesuffix(".sha256")
        stored = folder / "objects" / key
        if stored.is_file() and _sum(stored) != path.read_text("ascii", errors="replace"):
            found.append(key)
    return found


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _snapshot(source: Path, target: Path) -> None:
    try:
        with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(target)) as kept:
            live.backup(kept)
    except sqlite3.Error as fault:
        message = f"{source} can't be copied to {target.parent}: {fault}."
        raise BackupError(message) from None


def _step_of(database: Path, origin: Path) -> str:
    """Names the step that a copied database stands at; refuses a damaged or foreign one."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            steps = connection.execute("select version_num from alembic_version").fetchall()
    except sqlite3.Error as fault:
        found = str(fault)
    if found != "ok":
        message = f"{origin} is damaged, or no database of Modelwright: {found}."
        raise BackupError(message)
    return max((step for (step,) in steps), default="")


def backup_(folder: Annotated[Path, typer.Argument(help="A new folder.")]) -> None:
    """Copies all data into a new folder, also while the server runs."""
    with exit_on_error(BackupError, OSError):
        kept = back_up(load_settings(), folder)
    typer.echo(f"{folder} has {kept}; modelwright restore puts it back.")


def restore_(folder: Annotated[Path, typer.Argument(help="A backup.")]) -> None:
    """Puts a backup into an empty data folder; the server must not run."""
    with exit_on_error(BackupError, OSError):
        restore(load_settings(), folder)
    typer.echo("Restored; start the server.")
