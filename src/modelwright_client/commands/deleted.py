"""`modelwright deleted`: list, restore, purge, empty."""

from typing import Annotated

import typer

from modelwright_client import terminal
from modelwright_client.commands.options import ApiKey, Json, Limit, Offset, Url, connect, group

ItemId = Annotated[str, typer.Argument(help="Id of the deleted model or upload.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group(app, "deleted", list_, restore, purge, empty)


def list_(
    limit: Limit = 20,
    offset: Offset = 0,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """List deleted models and uploads that can be restored, newest first."""
    with connect(api_key, url) as client:
        page = client.trash.list(limit=limit, offset=offset)
    if as_json:
        terminal.raw(page)
        return
    rows = [
        (
            item["item_id"],
            item["kind"],
            item["name"],
            terminal.minute(item["deleted_at"]),
            terminal.minute(item["purge_at"]),
        )
        for item in page["items"]
    ]
    terminal.table(("id", "kind", "name", "deleted (UTC)", "goes for good (UTC)"), rows)


def restore(
    item_id: ItemId,
    model_name: Annotated[
        str | None, typer.Option(help="Another name for a model whose own is taken by now.")
    ] = None,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Take a deleted model or upload back."""
    with connect(api_key, url) as client:
        back = client.trash.restore(item_id, model_name=model_name)
    terminal.raw(back) if as_json else terminal.say(f"{back['name']} is restored.")


def purge(item_id: ItemId, api_key: ApiKey = None, url: Url = None, as_json: Json = False) -> None:
    """Remove a deleted model or upload for good, before its time."""
    with connect(api_key, url) as client:
        gone = client.trash.purge(item_id)
    terminal.raw(gone) if as_json else terminal.say(f"{gone['name']} is gone for good.")


def empty(api_key: ApiKey = None, url: Url = None, as_json: Json = False) -> None:
    """Remove all that lies in the trash for good."""
    with connect(api_key, url) as client:
        gone = client.trash.empty()
    count = gone["items_purged"]
    terminal.raw(gone) if as_json else terminal.say(f"{count} removed for good.")
