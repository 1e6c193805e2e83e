"""What every operator's command needs: settings, container, and a sentence when it fails.

A command for operators runs beside the server on the same database; without this each one would
open, guard and record in a way of its own.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from sqlalchemy.orm import Session

from modelwright.audit.service import Audit
from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import StartupError, check_installation, open_container
from modelwright.core.config.load import SettingsError, read_settings
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import ApiError
from modelwright.core.logging import set_up
from modelwright_client.printable import printable


def load_settings(**given: Any) -> Settings:
    """Reads the settings, the given ones before all others.

    What is written from now on is not for strangers, whatever folder it is put into.
    """
    os.umask(os.umask(0o077) | 0o007)
    with exit_on_error(SettingsError):
        return read_settings(**given)


@contextmanager
def operator_session(
    check: Callable[[Container], None] | None = None,
    *,
    creates: bool = False,
    is_adopting: bool = False,
    writes: bool = True,
) -> Iterator[tuple[Container, Session]]:
    """Opens the installation and one transaction over all accounts; an error ends the command.

    Without `creates` it must be there already: a command that is run in the wrong folder says so
    instead of making an empty installation. `check` may refuse the container before it is used.
    Without `writes` the transaction only reads, so that the server beside it goes on writing.
    """
    settings = load_settings()
    set_up(settings.log_level)
    with exit_on_error(StartupError, OSError):
        if not (creates or is_adopting):
            check_installation(settings)
        container = open_container(settings, is_adopting=is_adopting)
    try:
        if check is not None:
            with exit_on_error(StartupError):
                check(container)
        with container.database.transaction(ALL_ACCOUNTS, write=writes) as db:
            yield container, db
    except ApiError as refusal:
        typer.echo(refusal.message, err=True)
        raise typer.Exit(1) from None
    finally:
        container.database.close()


@contextmanager
def exit_on_error(*refusals: type[Exception]) -> Iterator[None]:
    """Ends the command with the sentence of one of these refusals."""
    try:
        yield
    except refusals as error:
        typer.echo(_sentence(error), err=True)
        raise typer.Exit(1) from None


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename2 or error.filename or 'The system'}: {error.strerror}."
    return str(error)


def print_line(*columns: str) -> None:
    """Prints one line, whatever those who made the names put into them."""
    typer.echo(printable("  ".join(columns)).replace("\n", "\\n"))


def record(
    container: Container, db: Session, operation: str, account_id: str, resource: str
) -> None:
    """Writes into the audit log what an operator's command did."""
    container.service(Audit).record_command(db, operation, account_id, resource)
