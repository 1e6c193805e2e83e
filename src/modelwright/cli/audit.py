"""`modelwright audit`: what was done on this server, and whether the log was tampered with."""

from typing import Annotated

import typer

from modelwright.audit.domain import AuditFilter
from modelwright.audit.service import Audit
from modelwright.cli.context import operator_session, print_line
from modelwright.core.clock import iso
from modelwright.core.http.paging import Page
from modelwright.users.service import Users


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("audit")(audit_)


def audit_(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many entries.")] = 100,
    operation: Annotated[str | None, typer.Option(help="Such as keys.revoke.")] = None,
    account: Annotated[str | None, typer.Option(help="E-mail or id of an account.")] = None,
    resource: Annotated[str | None, typer.Option(help="An id or a name.")] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Look through the whole log for tampering instead.")
    ] = False,
) -> None:
    """Lists what was done on this server, newest first."""
    if verify:
        _verify()
        return
    with operator_session(writes=False) as (container, db):
        account_id = container.service(Users).find(db, account).user_id if account else None
        wanted = AuditFilter(account_id, operation, resource)
        for entry in container.service(Audit).list_(db, wanted, Page(limit, 0))[0]:
            columns = (iso(entry.at), entry.actor, entry.operation, entry.resource)
            print_line(*columns, entry.account_id, entry.address)


def _verify() -> None:
    with operator_session(writes=False) as (container, db):
        found = container.service(Audit).verify(db)
    for fault in found.faults:
        print_line(fault)
    if found.unchained:
        typer.echo(f"{found.unchained} entries are from before the chain, and can't be verified.")
    if found.pruned:
        typer.echo(f"Entries up to {found.pruned} were removed with age, as a signed anchor says.")
    if found.faults:
        raise typer.Exit(1)
    known = "no end yet" if found.kept_head is None else f"the end up to entry {found.kept_head}"
    typer.echo(f"{found.entries} entries are as they were written; the store knows {known}.")
