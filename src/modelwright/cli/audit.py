"""`modelwright audit`: what was done on this server."""

from typing import Annotated

import typer

from modelwright.audit.domain import AuditFilter
from modelwright.audit.service import Audit
from modelwright.cli.context import operator_session, print_line
from modelwright.core.clock import iso
from modelwright.core.http.paging import Page


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command("audit")(audit_)


def audit_(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many entries.")] = 100,
    operation: Annotated[str | None, typer.Option(help="Such as keys.revoke.")] = None,
) -> None:
    """Lists what was done on this server, newest first."""
    with operator_session() as (container, db):
        wanted = AuditFilter(operation=operation)
        for entry in container.service(Audit).list_(db, wanted, Page(limit, 0))[0]:
            columns = (iso(entry.at), entry.actor, entry.operation, entry.resource)
            print_line(*columns, entry.account_id, entry.address)
