"""The operator's commands, plugged into the `modelwright` command line."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.orm import Session

from modelwright.api_keys.schemas import KeyName
from modelwright.api_keys.service import Keys
from modelwright.audit.domain import Sought
from modelwright.audit.service import Audit
from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import StartupError, check_everything
from modelwright.cli import language_models, upkeep
from modelwright.cli.backup import BackupError, back_up, restore
from modelwright.cli.context import exit_on_error, load_settings, operator_session
from modelwright.cli.doctor import examine, scrub
from modelwright.core.clock import iso
from modelwright.core.errors import NotFound
from modelwright.core.http.context import Level, Tier
from modelwright.core.http.paging import Page
from modelwright.processes.supervisor import serve
from modelwright.processes.worker import work
from modelwright.users.account_deletion import Leaving
from modelwright.users.console_sessions import SigningIn
from modelwright.users.service import Users
from modelwright_client.printable import printable

keys_app = typer.Typer(help="Issue, list and revoke API keys.", no_args_is_help=True)
users_app = typer.Typer(help="Make and change accounts.", no_args_is_help=True)

WORDS = tuple(level.word for level in Level)
TIERS = tuple(tier.name.lower() for tier in Tier)
Credits = Annotated[int, typer.Argument(min=0, max=2**31 - 1)]
Email = Annotated[
    str | None,
    typer.Option("--email", help="The account, made if need be; the operator's when absent."),
]


def plug_in(app: typer.Typer) -> None:
    """Adds the operator's commands to the command line."""
    app.add_typer(keys_app, name="keys")
    app.add_typer(users_app, name="users")
    app.add_typer(language_models.app, name="language-models")
    app.command("serve")(serve_)
    app.command("worker")(worker_)
    app.command("audit")(audit_)
    app.command("backup")(backup_)
    app.command("restore")(restore_)
    app.command("doctor")(doctor_)
    upkeep.plug_in(app)


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
    with exit_on_error(StartupError):
        work(load_settings())


def _welcome() -> None:
    """Makes the operator's account at the first start and says how to get a key."""
    lines = []
    with operator_session(check_everything) as (house, db):
        users = house.service(Users)
        operator = users.operator(db, house.settings.operator_email)
        command = sys.argv[0]  # as it was started, so that the line can be pasted
        if not house.service(Keys).has_usable(db, operator.user_id):
            make = "keys create --name first --permission-level read_write"
            lines.append(f"Make a first key with: {command} {make}")
        db.flush()
        if not house.service(SigningIn).has_password(db, operator.user_id):
            set_ = f"users set-password {operator.email}"
            lines.append(f"Set a password for the web console with: {command} {set_}")
    with suppress(OSError):  # nobody reads them
        typer.echo("".join(f"{line}\n" for line in lines), nl=False)


def _key_name(text: str) -> str:
    try:
        return str(TypeAdapter(KeyName).validate_python(text))
    except ValidationError as fault:
        raise typer.BadParameter(fault.errors()[0]["msg"].removeprefix("Value error, ")) from None


@keys_app.command("create")
def create_key(
    name: Annotated[str, typer.Option(callback=_key_name, help="What the key is for.")],
    permission_level: Annotated[str, typer.Option(help=" | ".join(WORDS))],
    email: Email = None,
    expiration_days: Annotated[int | None, typer.Option(min=1, max=3650)] = None,
) -> None:
    """Makes a key and prints it, alone, on the last line."""
    if permission_level not in WORDS:
        message = f"must be one of {', '.join(WORDS)}"
        raise typer.BadParameter(message, param_hint="--permission-level")
    with operator_session() as (house, db):
        users = house.service(Users)
        operator = users.operator(db, house.settings.operator_email)
        account = operator if email is None else users.for_key(db, email)
        db.flush()
        issued = house.service(Keys).issue(
            db,
            account.user_id,
            account.email,
            name,
            Level.of(permission_level),
            expiration_days,
        )
        _record(house, db, "keys.create", account.user_id, issued.facts.key_id)
    typer.echo(f"Key {issued.facts.key_id} of {account.email}; it is shown only now:", err=True)
    typer.echo(issued.secret)


@keys_app.command("list")
def list_keys(
    email: Annotated[str | None, typer.Option(help="The account; all when absent.")] = None,
) -> None:
    """Lists the keys of an account, or of all."""
    with operator_session() as (house, db):
        wanted = None if email is None else house.service(Users).find(db, email).user_id
        for key in house.service(Keys).all_of(db, wanted):
            expires = key.expires_at.date().isoformat() if key.expires_at else "never"
            shown = f"{key.key_prefix}…{key.key_suffix}"
            columns = (key.key_id, key.created_by, key.name, shown, key.permission_level)
            _tell(*columns, key.status, f"expires {expires}")


@keys_app.command("revoke")
def revoke_key(key_id: str) -> None:
    """Revokes a key for good; the next request with it is refused."""
    with operator_session() as (house, db):
        try:
            key = house.service(Keys).revoke(db, key_id)
        except NotFound:
            message = f"There is no key {key_id!r}; `modelwright keys list` shows all."
            raise NotFound(message) from None
        _record(house, db, "keys.revoke", key.account_id, key_id)
    typer.echo(f"{key.key_id} is revoked.")


@users_app.command("create")
def create_user(
    email: str, tier: Annotated[str, typer.Option(help=" | ".join(TIERS))] = "basic"
) -> None:
    """Makes an account."""
    with operator_session() as (house, db):
        user = house.service(Users).create(db, email, _tier(tier))
        _record(house, db, "users.create", user.user_id, user.email)
    typer.echo(f"{user.user_id}  {user.email}  {user.tier}")


@users_app.command("list")
def list_users() -> None:
    """Lists all accounts."""
    with operator_session() as (house, db):
        for user in house.service(Users).list_(db):
            state = "active" if user.is_active else "deactivated"
            _tell(user.user_id, user.email, user.tier, f"{user.credits} credits", state)


@users_app.command("set-tier")
def set_tier(email_or_id: str, tier: str) -> None:
    """Sets an account's tier."""
    _amend(email_or_id, tier=_tier(tier).name.lower())


@users_app.command("set-credits")
def set_credits(email_or_id: str, credits: Credits) -> None:  # noqa: A002
    """Sets how many units an account may use."""
    _amend(email_or_id, credits=credits)


@users_app.command("set-password")
def set_password(email_or_id: str) -> None:
    """Sets the password of the web console; asks for it, or reads it from the standard input."""
    with operator_session() as (house, db):
        users = house.service(Users)
        users.operator(db, house.settings.operator_email)
        db.flush()
        user = users.find(db, email_or_id)
        house.service(SigningIn).set_password(db, user.user_id, _asked_for_password())
        _record(house, db, "users.set_password", user.user_id, user.email)
    typer.echo(f"{user.email} can sign in to the web console.")


def _asked_for_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt("New password", hide_input=True, confirmation_prompt=True))


@users_app.command("deactivate")
def deactivate(email_or_id: str) -> None:
    """Shuts an account out; its data stays."""
    _amend(email_or_id, is_active=False)


@users_app.command("activate")
def activate(email_or_id: str) -> None:
    """Lets a deactivated account in again."""
    _amend(email_or_id, is_active=True)


@users_app.command("delete")
def delete_user(
    email_or_id: str,
    yes: Annotated[bool, typer.Option("--yes", help="Ask no more.")] = False,
) -> None:
    """Deletes an account for good, with all it owns; what runs for it is stopped."""
    with operator_session() as (house, db):
        user = house.service(Users).find(db, email_or_id)
    if not yes:
        question = f"Delete {user.email} with its models, uploads, keys and all else it owns?"
        typer.confirm(question, abort=True)
    with operator_session() as (house, db):
        house.service(Leaving).delete(db, user.user_id)
        _record(house, db, "users.delete", user.user_id, user.email)
    typer.echo(f"{user.email} is gone.")


def _amend(email_or_id: str, **changes: str | int | bool) -> None:
    with operator_session() as (house, db):
        user = house.service(Users).amend(db, email_or_id, **changes)
        told = " ".join(f"{name}={value}" for name, value in changes.items())
        _record(house, db, "users.amend", user.user_id, told)
    state = "active" if user.is_active else "deactivated"
    typer.echo(f"{user.email}  {user.tier}  {user.credits} credits  {state}")


def audit_(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many entries.")] = 100,
    operation: Annotated[str | None, typer.Option(help="Such as keys.revoke.")] = None,
) -> None:
    """Lists what was done on this server, newest first."""
    with operator_session() as (house, db):
        sought = Sought(operation=operation)
        for entry in house.service(Audit).list_(db, sought, Page(limit, 0))[0]:
            columns = (iso(entry.at), entry.actor, entry.operation, entry.resource)
            _tell(*columns, entry.account_id, entry.address)


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


def doctor_(
    deep: Annotated[bool, typer.Option("--deep", help="Read all that is stored.")] = False,
) -> None:
    """Looks at the set-up and says what is wrong with it and what to do."""
    settings = load_settings()
    findings = list(examine(settings))
    if deep:
        findings += scrub(settings)
    for finding in findings:
        sign = "✗" if finding.remedy else "✓"
        typer.echo(f"{sign} {finding.part}: {finding.told}")
        if finding.remedy:
            typer.echo(f"  → {finding.remedy}")
    if any(finding.remedy for finding in findings):
        raise typer.Exit(1)


def _tell(*columns: str) -> None:
    """Prints one line, whatever those who made the names put into them."""
    typer.echo(printable("  ".join(columns)).replace("\n", "\\n"))


def _record(house: Container, db: Session, operation: str, account_id: str, resource: str) -> None:
    house.service(Audit).record_command(db, operation, account_id, resource)


def _tier(word: str) -> Tier:
    if word not in TIERS:
        message = f"must be one of {', '.join(TIERS)}"
        raise typer.BadParameter(message, param_hint="tier")
    return Tier[word.upper()]
