"""`modelwright machines` and `modelwright drain`: who is there, and taking one out of use."""

import time
from contextlib import closing
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import open_container
from modelwright.cli.context import load_settings, operator_session, print_line, record
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.deployments.service import Deployments
from modelwright.jobs.service import Jobs
from modelwright.machines.domain import Machine
from modelwright.machines.identity import machine_id
from modelwright.machines.service import Machines
from modelwright.users.service import Users

POLL_SECONDS = 0.5
"""How often it is looked whether a machine has drained."""


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("machines")(machines_)
    app.command("drain")(drain)


def machines_() -> None:
    """Lists the machines that share the database, and what each runs."""
    with operator_session() as (container, db):
        machines = container.service(Machines)
        now = machines.now(db)
        for one in machines.list_(db):
            seen = round((now - one.seen_at).total_seconds())
            columns = [one.machine_id, one.name, one.address or "-", one.version]
            print_line(*columns, _state_of(one, machines, db), f"seen {seen} s ago")


def _state_of(one: Machine, machines: Machines, db: Session) -> str:
    """Says what a machine runs, and whether it is to be believed."""
    now = machines.now(db)
    told = ", ".join(one.parts(now)) or "nothing"
    told += f"; silent: {', '.join(one.silent(now))}" if one.silent(now) else ""
    return told + ("; draining" if one.is_draining else "")


def drain(
    machine: Annotated[
        str, typer.Option(help="Its id, as `modelwright machines` shows it; else this machine.")
    ] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Let it work again.")] = False,
    wait: Annotated[float, typer.Option(min=0, help="Seconds to wait for what it does.")] = 120.0,
) -> None:
    """Takes a machine out of use: no new jobs, replicas or sessions; what it does is done."""
    settings = load_settings()
    drained = machine or machine_id(settings.data_dir)
    with operator_session() as (container, db):
        found = container.service(Machines).drain(db, drained, is_draining=not undo)
        operator = container.service(Users).operator(db, container.settings.operator_email)
        record(container, db, "machines.drain", operator.user_id, drained)
    if undo:
        typer.echo(f"{found.name} works again.")
        return
    container = open_container(settings)
    with closing(container.database):
        left = _await_end(container, found, wait)
    if left:
        typer.echo(f"{found.name} is still busy with {left}; it begins nothing new.", err=True)
        raise typer.Exit(1)
    typer.echo(f"{found.name} has nothing left to do; it can be stopped.")


def _await_end(container: Container, machine: Machine, seconds: float) -> str:
    """Waits until a machine has nothing left to do; says what it still does."""
    until = time.monotonic() + seconds
    while True:
        with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
            left = _left(container, db, machine)
        if not left or time.monotonic() > until:
            return left
        time.sleep(POLL_SECONDS)


def _left(container: Container, db: Session, machine: Machine) -> str:
    jobs = container.service(Jobs).running_on(db, machine.machine_id)
    replicas = 0
    if machine.address:  # nobody could take the place of those of a machine that is alone
        told = container.service(Deployments).replicas(db)
        replicas = sum(one.machine_id == machine.machine_id for one in told)
    numbers = {"jobs": jobs, "replicas": replicas}
    return " and ".join(f"{number} {what}" for what, number in numbers.items() if number)
