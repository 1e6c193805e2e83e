"""Options every word has, the client they lead to, and words that stand in a group."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from modelwright_client.client import Client

ApiKey = Annotated[
    str | None,
    typer.Option("--api-key", help="API key, else $MODELWRIGHT_API_KEY.", show_default=False),
]
Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        help="Address of the server, else $MODELWRIGHT_URL, else http://127.0.0.1:8000.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the server's JSON.")]


def connect(api_key: str | None, url: str | None) -> Client:
    """Opens a client from what was typed and the environment."""
    return Client(url, api_key)


def group(app: typer.Typer, name: str, *commands: Callable[..., Any]) -> None:
    """Adds commands under a name, each called as its function is."""
    inner = typer.Typer(no_args_is_help=True)
    for command in commands:
        inner.command(command.__name__)(command)
    app.add_typer(inner, name=name)
