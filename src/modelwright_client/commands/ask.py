"""`modelwright ask`: a question to the data."""

from typing import Annotated

import typer

from modelwright_client import formatting, terminal
from modelwright_client.commands.options import ApiKey, Json, Url, connect


def plug_in(app: typer.Typer) -> None:
    """Adds the word."""
    app.command()(ask)


def ask(
    question: Annotated[str, typer.Argument(help="The question, in words or with --sql in SQL.")],
    upload: Annotated[str | None, typer.Option(help="Upload to ask; becomes the default.")] = None,
    session: Annotated[str | None, typer.Option(help="Session to ask in.")] = None,
    sql: Annotated[bool, typer.Option("--sql", help="The question is one SELECT.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", help="Rows at most.")] = None,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Ask a question to uploaded data and show the answer with its SQL."""
    with connect(api_key, url) as client:
        if upload:
            session = client.sessions.use(upload, session_id=session)["session_id"]
        verb = client.queries.sql if sql else client.queries.ask
        answer = verb(question, session_id=session, max_results=limit)
    terminal.raw(answer) if as_json else formatting.result(answer)
