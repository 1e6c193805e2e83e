"""The operator's commands, plugged into the `modelwright` command line, a module a group."""

import typer

from modelwright.cli import (
    audit,
    backup,
    doctor,
    keys,
    language_models,
    machines,
    serve,
    upkeep,
    users,
)


def register(app: typer.Typer) -> None:
    """Adds the operator's commands to the command line."""
    for group in (keys, users, language_models, serve, audit, backup, doctor, upkeep, machines):
        group.register(app)
