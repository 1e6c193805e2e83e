"""`modelwright ask`: a question to the data."""

from typing import Annotated

import typer

from modelwright_client import formatting, terminal
from modelwright_client.commands.options import ApiKey, Json, Url, connect
from modelwright_client.errors import ValidationError


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(ask)


def ask(
    question: Annotated[str, typer.Argument(help="The question, in words or with --sql in SQL.")],
    upload: Annotated[str | None, typer.Option(help="Upload to ask; becomes the default.")] = None,
    session: Annotated[str | None, typer.Option(help="Session to ask in.")] = None,
    sql: Annotated[bool, typer.Option("--sql", help="The question is one SELECT.")] = False,
    limit: Annotated[int | None, typer.Option("--limit", help="Rows at most.")] = None,
    follows: Annotated[str | None, typer.Option(help="Query that it goes on from.")] = None,
    choice: Annotated[str | None, typer.Option(help="Reading that is meant, by its id.")] = None,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Asks a question to uploaded data and shows the answer with its SQL."""
    with connect(api_key, url) as client:
        if upload:
            session = client.sessions.use(upload, session_id=session)["session_id"]
        if sql:
            answer = client.queries.sql(question, session_id=session, max_results=limit)
        else:
            try:
                answer = client.queries.ask(
                    question,
                    session_id=session,
                    max_results=limit,
                    follows=follows,
                    choice_id=choice,
                )
            except ValidationError as refused:
                formatting.choices(refused.choices)
                raise
    terminal.raw(answer) if as_json else formatting.result(answer)
