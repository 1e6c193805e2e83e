"""What every operator's command stands on: settings, house, and a sentence when it fails."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from sqlalchemy.orm import Session

from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import StartupError, open_container
from modelwright.core.config.load import SettingsError, read_settings
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import ApiError
from modelwright.core.logging import set_up


def load_settings(**given: Any) -> Settings:
    """Reads the settings, the given ones before all others.

    What is written from now on is not for strangers, whatever folder it is put into.
    """
    os.umask(os.umask(0o077) | 0o007)
    with exit_on_error(SettingsError):
        return read_settings(**given)


@contextmanager
def operator_session(
    look: Callable[[Container], None] | None = None, *, is_adopting: bool = False
) -> Iterator[tuple[Container, Session]]:
    """Opens the house and one transaction over all accounts; a refusal ends the command.

    Has a `look` at the house before, which may refuse it.
    """
    settings = load_settings()
    set_up(settings.log_level)
    with exit_on_error(StartupError, OSError):
        house = open_container(settings, is_adopting=is_adopting)
    try:
        if look is not None:
            with exit_on_error(StartupError):
                look(house)
        with house.database.transaction(ALL_ACCOUNTS) as db:
            yield house, db
    except ApiError as refusal:
        typer.echo(refusal.message, err=True)
        raise typer.Exit(1) from None
    finally:
        house.database.close()


@contextmanager
def exit_on_error(*refusals: type[Exception]) -> Iterator[None]:
    """Ends the command with the sentence of one of these refusals."""
    try:
        yield
    except refusals as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
