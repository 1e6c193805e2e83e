"""`modelwright serve` and `modelwright worker`."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from modelwright.api_keys.service import Keys
from modelwright.bootstrap.startup import StartupError, check_everything, check_installation
from modelwright.cli.context import exit_on_error, load_settings, operator_session
from modelwright.processes.supervisor import serve
from modelwright.processes.worker import work
from modelwright.system.process_title import set_title
from modelwright.users.console_sessions import SignIn
from modelwright.users.service import Users


def register(app: typer.Typer) -> None:
    """Adds the commands to the command line."""
    app.command("serve")(serve_)
    app.command("worker")(worker_)


def serve_(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    tls_cert: Annotated[Path | None, typer.Option(help="Certificate chain for HTTPS.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Private key of the certificate.")] = None,
    behind_proxy: Annotated[bool, typer.Option("--behind-proxy", help="A proxy ends TLS.")] = False,
) -> None:
    """Runs the API and a worker until stopped; needs nothing else."""
    told = {"tls_cert": tls_cert, "tls_key": tls_key, "tls_by_proxy": behind_proxy or None}
    given = {name: value for name, value in told.items() if value is not None}
    raise typer.Exit(serve(load_settings(**given), host, port, _welcome))


def worker_() -> None:
    """Runs one more worker, on another machine that shares the database and the objects."""
    settings = load_settings()
    with exit_on_error(StartupError):
        check_installation(settings)
        set_title("worker")
        work(settings)


def _welcome() -> None:
    """Makes the operator's account at the first start and says how to get a key."""
    lines = []
    with operator_session(check_everything, creates=True) as (container, db):
        users = container.service(Users)
        operator = users.operator(db, container.settings.operator_email)
        command = sys.argv[0]  # as it was started, so that the line can be pasted
        if not container.service(Keys).has_usable(db, operator.user_id):
            make = "keys create --name first --permission-level read_write"
            lines.append(f"Make a first key with: {command} {make}")
        db.flush()
        if not container.service(SignIn).has_password(db, operator.user_id):
            set_ = f"users set-password {operator.email}"
            lines.append(f"Set a password for the web console with: {command} {set_}")
    with suppress(OSError):  # nobody reads them
        typer.echo("".join(f"{line}\n" for line in lines), nl=False)
