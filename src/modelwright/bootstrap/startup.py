"""Opens the container over its database, or says in a sentence why not and what to look at."""

import errno
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError

from modelwright import migrations
from modelwright.bootstrap.container import Container, build_container
from modelwright.core import telemetry
from modelwright.core.config.secret_files import KeyFileError
from modelwright.core.config.settings import DATABASE, Settings
from modelwright.core.db.database import Database
from modelwright.core.db.errors import DatabaseDamaged
from modelwright.core.errors import ApiError
from modelwright.core.logging import logger
from modelwright.core.process import heartbeat
from modelwright.core.process.locks import file_lock
from modelwright.core.telemetry import Telemetry
from modelwright.machines.domain import MachinePart
from modelwright.machines.identity import machine_id
from modelwright.storage import ownership_marker
from modelwright.storage.disk import DiskObjectStore
from modelwright.storage.errors import ObjectsUnmarked, StorageUnavailable
from modelwright.storage.object_store import ObjectStore
from modelwright.storage.url_signer import UrlSigner

KINDS = ("postgresql", "sqlite")
"""How addresses of databases begin."""
FULL = "the disk is full; free some room on it."
"""What is said of a disk without room."""
FEW_BYTES = 1024**2
"""A disk with less room than this is full: SQLite needs some to open a database at all."""


AWAY_SECONDS = 2.0
"""How often it is tried again to reach what is away."""
S = TypeVar("S")


class StartupError(Exception):
    """The database cannot be reached or read or is too new, or the objects are not its own."""


class AwayError(StartupError):
    """What is needed cannot be reached now, and may be later."""

    def __init__(self, message: str, what: str) -> None:
        super().__init__(message)
        self.what = what
        """What is away, in words that strangers may read."""


def until_there(
    attempt: Callable[[], S], pause: Callable[[float], object] = time.sleep
) -> S | None:
    """Tries until what is needed can be reached, and says in health what is waited for.

    A part that ended instead would be started again and again. Between tries `pause` is called
    with seconds; when it returns something true, None is returned.
    """
    reported = ""
    while True:
        try:
            found = attempt()
        except AwayError as away:
            if reported != away.what:
                logger().warning("start.waits", waits_for=away.what, why=str(away))
                reported = away.what
                heartbeat.tell(reported)
            if pause(AWAY_SECONDS):
                return None
        else:
            heartbeat.tell("")
            return found


def open_container(
    settings: Settings,
    pause: Callable[[float], object] = time.sleep,
    *,
    is_adopting: bool = False,
) -> Container:
    """Builds the container over a database with the present tables.

    Refuses a database that does not open, one that a newer program has changed, and one that is
    missing beside its objects unless they are to be adopted. Waits with `pause` while another
    process changes the tables.
    """
    settings.make_data_dir()
    if not is_adopting:
        _refuse_lost_database(settings)
    check_database(settings)
    try:
        container = build_container(settings)
    except KeyFileError as error:
        raise StartupError(str(error)) from None
    except OSError as fault:
        raise StartupError(_unwritable(settings, fault)) from None
    try:
        is_current = _is_current(container.database)
    except DatabaseDamaged as refusal:
        raise StartupError(refusal.message) from None
    if is_current:
        return container
    with file_lock(settings.data_dir / "migrating.lock", pause):
        migrations.upgrade(container.database)
    return container


def start_telemetry(settings: Settings, part: MachinePart) -> Telemetry | None:
    """Begins to export what a part does, where a collector is named."""
    try:
        return telemetry.start(settings, part, machine_id(settings.data_dir))
    except telemetry.TelemetryMissingError as error:
        raise StartupError(str(error)) from None


def check_everything(container: Container) -> None:
    """Refuses a damaged database, and objects that are not the database's."""
    path = database_file(container.settings)
    if path is not None and (found := damage(path)):
        message = f"The database {path} is damaged ({found}): put it back from a backup."
        raise StartupError(message)
    check_object_store(container)


def damage(path: Path) -> str:
    """Says what is damaged in a SQLite file; nothing where it is whole."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            found = str(connection.execute("PRAGMA quick_check").fetchone()[0])
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if found == "ok" else found.splitlines()[-1]


def check_installation(settings: Settings) -> None:
    """Refuses where there is no installation, and names the place that was looked at."""
    path = database_file(settings)
    if path is not None:
        _refuse_lost_database(settings)
        if not path.exists():
            message = (
                f"There is no installation in {path.resolve().parent}; modelwright serve makes "
                "one. MODELWRIGHT_DATA_DIR names the folder of another."
            )
            raise StartupError(message)
        return
    check_database(settings)
    with closing(Database(settings.database)) as database:
        with database.engine.connect() as connection:
            is_empty = migrations.revision(connection) is None
        if is_empty:
            message = (
                "The database that MODELWRIGHT_DATABASE_URL names holds no installation; "
                "modelwright serve makes one."
            )
            raise StartupError(message)


def check_object_store(container: Container) -> None:
    """Refuses to work where the objects are not those of the database, or cannot be reached."""
    objects: ObjectStore = container.service(ObjectStore)  # type: ignore[type-abstract]
    try:
        ownership_marker.ensure(container.database, objects)
    except StorageUnavailable as away:
        place = container.settings.bucket_url
        message = f"The objects in {place} can't be used: {away.why}; see modelwright doctor."
        raise AwayError(message, "the storage") from None
    except ObjectsUnmarked as refusal:
        raise StartupError(refusal.message + _hint_of_migration(container.settings)) from None
    except ApiError as refusal:
        raise StartupError(refusal.message) from None


def _hint_of_migration(settings: Settings) -> str:
    embedded = settings.data_dir.resolve() / DATABASE
    if not (settings.database_url and embedded.exists()):
        return ""
    return (
        f" To bring what {embedded} holds into the new database, use modelwright migrate-database."
    )


def _refuse_lost_database(settings: Settings) -> None:
    """Refuses to make a new database where objects show that there was one."""
    path = database_file(settings)
    if path is None or path.exists() or settings.s3_bucket or not settings.objects_dir.exists():
        return
    if not DiskObjectStore(settings.objects_dir, UrlSigner(b"")).is_empty():
        message = (
            f"The database {path} is missing, but {settings.objects_dir.resolve()} holds its "
            "objects: put it back (a backup has it), or name where it is now in "
            "MODELWRIGHT_DATABASE_URL; modelwright adopt begins anew with the objects as they are."
        )
        raise StartupError(message)


def database_file(settings: Settings) -> Path | None:
    """Names the database's file; None where a server holds the database."""
    try:
        url = make_url(settings.database)
    except ArgumentError:
        return None
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    return Path(url.database)


def check_database(settings: Settings) -> None:
    """Opens the database once; refuses one that cannot be reached or read."""
    if not settings.database.startswith(KINDS):
        message = "MODELWRIGHT_DATABASE_URL must begin with postgresql+psycopg:// or sqlite:///."
        raise StartupError(message)
    try:
        with closing(Database(settings.database)) as database, database.engine.connect():
            pass
    except (SQLAlchemyError, sqlite3.Error, ModuleNotFoundError, ValueError) as error:
        if settings.database_url and isinstance(error, OperationalError):
            raise AwayError(_why(settings, error), "the database") from None
        raise StartupError(_why(settings, error)) from None


def _is_current(database: Database) -> bool:
    with database.transaction(write=False) as db:
        stands = migrations.revision(db.connection())
    present = migrations.head()
    if stands is not None and stands > present:
        message = (
            f"The database is a newer program's: it stands at step {stands}, this program at "
            f"{present}; install the newer program again, or restore a backup made before it."
        )
        raise StartupError(message)
    return stands == present


def _unwritable(settings: Settings, fault: OSError) -> str:
    why = FULL if fault.errno in {errno.ENOSPC, errno.EDQUOT} else f"{fault.strerror or fault}."
    return f"The data folder {settings.data_dir.resolve()} can't be written to: {why}"


def _free_bytes(folder: Path) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return -1


def _why(settings: Settings, error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    reason = str(cause).partition("\n")[0].rstrip(".")
    if settings.database_url:
        return f"The database can't be reached: {reason}; check MODELWRIGHT_DATABASE_URL."
    folder = settings.data_dir.resolve()
    if 0 <= _free_bytes(folder) < FEW_BYTES:
        return f"The database in {folder} can't be opened: {FULL}"
    return f"The database in {folder} can't be opened: {reason}; check MODELWRIGHT_DATA_DIR."
