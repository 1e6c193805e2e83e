"""What every operator's command stands on: settings, house, and a sentence when it fails."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from sqlalchemy.orm import Session

from modelwright.bootstrap.container import House
from modelwright.bootstrap.startup import CannotOpenError, open_house
from modelwright.core.config.load import WrongSettingsError, read_settings
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import EVERYONE
from modelwright.core.errors import Refusal
from modelwright.core.logging import set_up


def settings_of(**given: Any) -> Settings:
    """Reads the settings, the given ones before all others.

    What is written from now on is not for strangers, whatever folder it is put into.
    """
    os.umask(os.umask(0o077) | 0o007)
    with saying_why(WrongSettingsError):
        return read_settings(**given)


@contextmanager
def at_work(
    look: Callable[[House], None] | None = None, *, is_adopting: bool = False
) -> Iterator[tuple[House, Session]]:
    """Opens the house and one transaction over all accounts; a refusal ends the command.

    Has a `look` at the house before, which may refuse it.
    """
    settings = settings_of()
    set_up(settings.log_level)
    with saying_why(CannotOpenError, OSError):
        house = open_house(settings, is_adopting=is_adopting)
    try:
        if look is not None:
            with saying_why(CannotOpenError):
                look(house)
        with house.database.transaction(EVERYONE) as db:
            yield house, db
    except Refusal as refusal:
        typer.echo(refusal.message, err=True)
        raise typer.Exit(1) from None
    finally:
        house.database.close()


@contextmanager
def saying_why(*refusals: type[Exception]) -> Iterator[None]:
    """Ends the command with the sentence of one of these refusals."""
    try:
        yield
    except refusals as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
