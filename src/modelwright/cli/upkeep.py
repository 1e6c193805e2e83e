"""Commands that keep database, objects and secrets together: adopt, clean up, move, rotate."""

import time
from contextlib import ExitStack, closing
from datetime import date
from typing import Annotated

import typer
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from modelwright.audit.service import Audit
from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import StartupError, check_database, check_object_store
from modelwright.cli.context import exit_on_error, load_settings, operator_session
from modelwright.connections.service import Connections
from modelwright.core.config.secret_files import KeyRing
from modelwright.core.config.settings import DATABASE, Settings
from modelwright.core.db.database import Database
from modelwright.core.logging import set_up
from modelwright.core.process.locks import file_lock
from modelwright.migrations.transfer import TransferError, transfer
from modelwright.storage import ownership_marker
from modelwright.storage.garbage_collector import GarbageCollector
from modelwright.storage.object_store import ObjectStore
from modelwright.users.second_factor import SecondFactors
from modelwright.users.service import Users

trash_app = typer.Typer(help="Look into the trash of stored objects.", no_args_is_help=True)

LATE_READER_SECONDS = 2.0
"""How long whoever has just read a password sealed with the earlier secret may take to open it."""
MIGRATED = f"{DATABASE}.migrated"

Yes = Annotated[bool, typer.Option("--yes", help="Ask no more.")]


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("adopt")(adopt)
    app.command("cleanup")(cleanup)
    app.command("migrate-database")(migrate_database)
    app.command("rotate-key")(rotate_key)
    app.add_typer(trash_app, name="trash")


def adopt(yes: Yes = False) -> None:
    """Makes the stored objects this database's own, whoever's they were before."""
    if not yes:
        question = (
            f"Make the objects in {_place(load_settings())} those of this database? "
            "The server of another database stops sweeping them and no longer starts with them"
        )
        typer.confirm(question, abort=True)
    with operator_session(is_adopting=True) as (container, db):
        ownership_marker.adopt(db, _objects(container))
        _record(container, db, "storage.adopt")
    typer.echo("They are this database's now; start the server.")


def cleanup(yes: Yes = False) -> None:
    """Moves every stored object that no row names to the trash, however many they are."""
    if not yes:
        typer.confirm("Move all objects that this database does not name to the trash?", abort=True)
    counted: list[int] = []

    def check(container: Container) -> None:
        check_object_store(container)
        counted.append(_count(container))

    with operator_session(check) as (container, db):
        container.service(GarbageCollector).sweep(db, however_many=True)
        _record(container, db, "storage.cleanup")
    typer.echo(f"{_count(container) - counted[0]} objects moved to the trash.")


@trash_app.command("list")
def list_trash() -> None:
    """Lists what is in the trash, and since when."""
    with operator_session(check_object_store, writes=False) as (container, _):
        for key, day in _objects(container).discarded():
            typer.echo(f"{day}  {key}")


@trash_app.command("restore")
def restore_trash(
    prefix: Annotated[str, typer.Argument(help="Keys that begin so; all when empty.")] = "",
) -> None:
    """Puts objects back from the trash, where nothing has taken their place."""
    with operator_session(check_object_store, writes=False) as (container, _):
        objects = _objects(container)
        newest_first = sorted(objects.discarded(), key=lambda found: found[1], reverse=True)
        wanted = [(key, day) for key, day in newest_first if key.startswith(prefix)]
        count = sum(objects.recover(key, day) for key, day in wanted)
    typer.echo(f"{count} objects restored.")


@trash_app.command("empty")
def empty_trash(yes: Yes = False) -> None:
    """Removes for good what is in the trash."""
    if not yes:
        typer.confirm("Remove all that is in the trash for good?", abort=True)
    with operator_session(check_object_store, writes=False) as (container, _):
        count = _objects(container).empty_trash(date.max)
    typer.echo(f"{count} objects removed.")


def migrate_database() -> None:
    """Moves all rows from SQLite in the data folder to the database of MODELWRIGHT_DATABASE_URL.

    The server must not run. The SQLite file is kept under another name.
    """
    settings = load_settings()
    set_up(settings.log_level)
    source = settings.data_dir / DATABASE
    if not settings.database_url.startswith("postgresql"):
        _refuse("Set MODELWRIGHT_DATABASE_URL to the new database (postgresql+psycopg://…) first.")
    if not source.exists():
        _refuse(f"There is no {source.resolve()} to move.")
    with ExitStack() as stack:
        lock = stack.enter_context(
            file_lock(settings.data_dir / "worker.lock", lambda _seconds: True)
        )
        if lock is None:
            _refuse("The server runs on this data folder; stop it first.")
        count = _transfer(settings)
        source.rename(settings.data_dir / MIGRATED)
    typer.echo(f"{count} rows moved; start the server. {MIGRATED} in the data folder is the old.")


def _transfer(settings: Settings) -> int:
    embedded = settings.model_copy(update={"database_url": ""})
    with exit_on_error(StartupError, TransferError):
        check_database(embedded)
        check_database(settings)
        with (
            closing(Database(embedded.database)) as old,
            closing(Database(settings.database)) as new,
        ):
            try:
                return transfer(old, new)
            except SQLAlchemyError as fault:
                message = f"The data can't be moved: {str(fault).splitlines()[0]}."
                raise TransferError(message) from None


def rotate_key() -> None:
    """Seals stored databases' passwords with a new secret, also while the server runs."""
    with operator_session() as (container, db):
        ring = container.service(KeyRing)
        factors = container.service(SecondFactors)
        opened = factors.opened(db)
        renewed: list[bool] = []
        count, broken = container.service(Connections).reseal(
            db, lambda: renewed.append(ring.renew())
        )
        factors.seal(opened)
        container.service(Audit).sign_anew(db)
        _record(container, db, "connections.rotate_key")
    if ring.is_file:
        time.sleep(LATE_READER_SECONDS)
        ring.drop_earlier()
    typer.echo(f"{count} passwords are sealed anew.")
    if broken:
        typer.echo(f"Not those that none of the secrets opens: {', '.join(broken)}.", err=True)
    if ring.is_file:
        if not any(renewed):
            typer.echo(
                "A rotation that was interrupted is complete, with the secret that it had made; "
                "to have another one, run this again."
            )
        typer.echo("If other machines share the database, copy secret.key to them.")
    else:
        typer.echo("The earlier secret may go from MODELWRIGHT_SECRET_KEY_FALLBACKS.")


def _record(container: Container, db: Session, operation: str) -> None:
    operator = container.service(Users).operator(db, container.settings.operator_email)
    container.service(Audit).record_command(db, operation, operator.user_id, "")


def _count(container: Container) -> int:
    return sum(1 for _ in _objects(container).discarded())


def _objects(container: Container) -> ObjectStore:
    return container.service(ObjectStore)  # type: ignore[type-abstract]


def _place(settings: Settings) -> str:
    return settings.bucket_url or str(settings.objects_dir.resolve())


def _refuse(message: str) -> None:
    typer.echo(message, err=True)
    raise typer.Exit(1)
