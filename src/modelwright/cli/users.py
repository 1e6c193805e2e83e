"""`modelwright users`: create, list, change and delete accounts."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from modelwright.bootstrap.container import Container
from modelwright.cli.context import operator_session, print_line, record
from modelwright.core.http.context import Tier
from modelwright.users.account_deletion import AccountDeletion
from modelwright.users.console_sessions import SignIn
from modelwright.users.second_factor import SecondFactors
from modelwright.users.service import UserInfo, Users
from modelwright.users.single_sign_on import SingleSignOn

users_app = typer.Typer(help="Make and change accounts.", no_args_is_help=True)
TIER_NAMES = tuple(tier.name.lower() for tier in Tier)
Credits = Annotated[int, typer.Argument(min=0, max=2**31 - 1)]


def register(app: typer.Typer) -> None:
    """Adds the group to the command line."""
    app.add_typer(users_app, name="users")


@users_app.command("create")
def create_user(
    email: str, tier: Annotated[str, typer.Option(help=" | ".join(TIER_NAMES))] = "basic"
) -> None:
    """Makes an account."""
    with operator_session() as (container, db):
        user = container.service(Users).create(db, email, _tier(tier))
        record(container, db, "users.create", user.user_id, user.email)
    typer.echo(f"{user.user_id}  {user.email}  {user.tier}")


@users_app.command("list")
def list_users() -> None:
    """Lists all accounts."""
    with operator_session() as (container, db):
        for user in container.service(Users).list_(db):
            state = "active" if user.is_active else "deactivated"
            print_line(user.user_id, user.email, user.tier, f"{user.credits} credits", state)


@users_app.command("set-tier")
def set_tier(
    email_or_id: str, tier: Annotated[str, typer.Argument(help=" | ".join(TIER_NAMES))]
) -> None:
    """Sets an account's tier."""
    _update(email_or_id, tier=_tier(tier).name.lower())


@users_app.command("set-credits")
def set_credits(email_or_id: str, credits: Credits) -> None:  # noqa: A002
    """Sets how many units an account may use."""
    _update(email_or_id, credits=credits)


@users_app.command("set-password")
def set_password(email_or_id: str) -> None:
    """Sets the password of the web console; asks for it, or reads it from the standard input."""
    with operator_session() as (container, db):
        users = container.service(Users)
        users.operator(db, container.settings.operator_email)
        db.flush()
        user = users.find(db, email_or_id)
    password = _asked_for_password()  # with no transaction open: people take their time
    with operator_session() as (container, db):
        user = container.service(Users).find(db, user.user_id)
        container.service(SignIn).set_password(db, user.user_id, password)
        record(container, db, "users.set_password", user.user_id, user.email)
    typer.echo(f"{user.email} can sign in to the web console.")


def _asked_for_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt("New password", hide_input=True, confirmation_prompt=True))


@users_app.command("deactivate")
def deactivate(email_or_id: str) -> None:
    """Shuts an account out: its jobs, sessions and schedules stop; its data stays."""
    with _change(email_or_id, "users.deactivate") as (container, db, user):
        changed = container.service(Users).deactivate(db, user.user_id)
    _tell(changed)


@users_app.command("activate")
def activate(email_or_id: str) -> None:
    """Lets a deactivated account in again; its schedules go on as they were."""
    with _change(email_or_id, "users.activate") as (container, db, user):
        changed = container.service(Users).activate(db, user.user_id)
    _tell(changed)


@users_app.command("reset-second-factor")
def reset_second_factor(email_or_id: str) -> None:
    """Takes an account's second factor away, where its owner lost the device and the codes."""
    with _change(email_or_id, "users.reset_second_factor") as (container, db, user):
        container.service(SecondFactors).reset(db, user.user_id)
    typer.echo(f"{user.email} signs in with the password alone.")


@users_app.command("unbind")
def unbind(email_or_id: str) -> None:
    """Lets whoever signs in by the provider with the e-mail next have the account for good."""
    with _change(email_or_id, "users.unbind") as (container, db, user):
        container.service(SingleSignOn).unbind(db, user.user_id)
    typer.echo(f"{user.email} is bound to nobody at the sign-in provider.")


@users_app.command("delete")
def delete_user(
    email_or_id: str,
    yes: Annotated[bool, typer.Option("--yes", help="Ask no more.")] = False,
) -> None:
    """Deletes an account for good, with all it owns; what runs for it is stopped."""
    with operator_session() as (container, db):
        user = container.service(Users).find(db, email_or_id)
    if not yes:
        question = f"Delete {user.email} with its models, uploads, keys and all else it owns?"
        typer.confirm(question, abort=True)
    with _change(user.user_id, "users.delete") as (container, db, user):
        container.service(AccountDeletion).delete(db, user.user_id)
    typer.echo(f"{user.email} is gone.")


@contextmanager
def _change(email_or_id: str, operation: str) -> Iterator[tuple[Container, Session, UserInfo]]:
    """Opens the installation to change one account; records the change once it is made."""
    with operator_session() as (container, db):
        user = container.service(Users).find(db, email_or_id)
        yield container, db, user
        record(container, db, operation, user.user_id, user.email)


def _update(email_or_id: str, **changes: str | int) -> None:
    with operator_session() as (container, db):
        user = container.service(Users).amend(db, email_or_id, **changes)
        told = " ".join(f"{name}={value}" for name, value in changes.items())
        record(container, db, "users.amend", user.user_id, told)
    _tell(user)


def _tell(user: UserInfo) -> None:
    state = "active" if user.is_active else "deactivated"
    typer.echo(f"{user.email}  {user.tier}  {user.credits} credits  {state}")


def _tier(word: str) -> Tier:
    if word not in TIER_NAMES:
        message = f"must be one of {', '.join(TIER_NAMES)}"
        raise typer.BadParameter(message, param_hint="tier")
    return Tier[word.upper()]
