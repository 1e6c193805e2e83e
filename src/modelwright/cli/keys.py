"""`modelwright keys`: create, list and revoke API keys of any account.

The first key of an installation comes from here: the API gives keys only to those who have one or
are signed in.
"""

from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from modelwright.api_keys.schemas import MAX_OVERLAP_HOURS, OVERLAP_HOURS, KeyName
from modelwright.api_keys.service import Keys
from modelwright.cli.context import operator_session, print_line, record
from modelwright.core.errors import NotFound
from modelwright.core.http.context import Level, Scope
from modelwright.core.http.networks import fault_of_network
from modelwright.core.validation_sentences import what_it_must_be
from modelwright.signing.service import Signing
from modelwright.users.service import Users

keys_app = typer.Typer(help="Issue, list and revoke API keys.", no_args_is_help=True)
LEVEL_NAMES = tuple(level.word for level in Level)
Email = Annotated[
    str | None,
    typer.Option("--email", help="The account, made if need be; the operator's when absent."),
]


def register(app: typer.Typer) -> None:
    """Adds the group to the command line."""
    app.add_typer(keys_app, name="keys")


def _key_name(text: str) -> str:
    try:
        return str(TypeAdapter(KeyName).validate_python(text))
    except ValidationError as fault:
        raise typer.BadParameter(what_it_must_be(fault.errors()[0])) from None


def _networks(networks: list[str] | None) -> list[str] | None:
    for one in networks or ():
        if fault := fault_of_network(one):
            raise typer.BadParameter(f"{one!r} {fault}")
    return networks


@keys_app.command("create")
def create_key(
    name: Annotated[str, typer.Option(callback=_key_name, help="What the key is for.")],
    permission_level: Annotated[str, typer.Option(help=" | ".join(LEVEL_NAMES))],
    email: Email = None,
    expiration_days: Annotated[int | None, typer.Option(min=1, max=3650)] = None,
    scope: Annotated[
        list[Scope] | None, typer.Option(help="What it is for; may be given again. Default: all.")
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option(callback=_networks, help="Where it may come from (CIDR); may be given again."),
    ] = None,
) -> None:
    """Makes a key and prints it, alone, on the last line."""
    if permission_level not in LEVEL_NAMES:
        message = f"must be one of {', '.join(LEVEL_NAMES)}"
        raise typer.BadParameter(message, param_hint="--permission-level")
    with operator_session() as (container, db):
        users = container.service(Users)
        operator = users.operator(db, container.settings.operator_email)
        account = operator if email is None else users.for_key(db, email)
        db.flush()
        issued = container.service(Keys).issue(
            db,
            account.user_id,
            account.email,
            name,
            Level.of(permission_level),
            expiration_days,
            scopes=scope or None,
            allowed_networks=network or None,
        )
        record(container, db, "keys.create", account.user_id, issued.facts.key_id)
    typer.echo(f"Key {issued.facts.key_id} of {account.email}; it is shown only now:", err=True)
    typer.echo(issued.secret)


@keys_app.command("list")
def list_keys(
    email: Annotated[str | None, typer.Option(help="The account; all when absent.")] = None,
) -> None:
    """Lists the keys of an account, or of all."""
    with operator_session() as (container, db):
        wanted = None if email is None else container.service(Users).find(db, email).user_id
        for key in container.service(Keys).all_of(db, wanted):
            expires = key.expires_at.date().isoformat() if key.expires_at else "never"
            shown = f"{key.key_prefix}…{key.key_suffix}"
            columns = (key.key_id, key.created_by, key.name, shown, key.permission_level)
            print_line(*columns, key.status, f"expires {expires}")


@keys_app.command("rotate")
def rotate_key(
    key_id: str,
    overlap_hours: Annotated[
        int, typer.Option(min=0, max=MAX_OVERLAP_HOURS, help="How long the old secret works too.")
    ] = OVERLAP_HOURS,
) -> None:
    """Gives a key a new secret and prints it, alone, on the last line."""
    with operator_session() as (container, db):
        issued = container.service(Keys).rotate(db, key_id, overlap_hours)
        record(container, db, "keys.rotate", issued.facts.account_id, key_id)
    typer.echo(f"The old secret works for {overlap_hours} hours more. The new one:", err=True)
    typer.echo(issued.secret)


@keys_app.command("signing")
def show_signing_keys() -> None:
    """Shows the public keys that model artifacts are verified with, the present one first."""
    with operator_session() as (container, db):
        for key in container.service(Signing).public_keys(db):
            state = "present" if key.is_current else "earlier"
            print_line(key.public_key, key.fingerprint, state)


@keys_app.command("revoke")
def revoke_key(key_id: str) -> None:
    """Revokes a key for good; the next request with it is refused."""
    with operator_session() as (container, db):
        try:
            key = container.service(Keys).revoke(db, key_id)
        except NotFound:
            message = f"There is no key {key_id!r}; `modelwright keys list` shows all."
            raise NotFound(message) from None
        record(container, db, "keys.revoke", key.account_id, key_id)
    typer.echo(f"{key.key_id} is revoked.")
