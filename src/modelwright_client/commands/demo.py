"""`modelwright demo`: the whole journey on a table the package carries."""

import os
from importlib.util import find_spec
from pathlib import Path

import typer

from modelwright_client.commands.options import ApiKey, Url, connect
from modelwright_client.demo.journey import Journey
from modelwright_client.errors import ModelwrightError

MAKE_KEY = "modelwright keys create --name demo --permission-level read_write"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(demo)


def demo(api_key: ApiKey = None, url: Url = None) -> None:
    """Takes the Palmer penguins from upload to prediction, and prints each call as curl."""
    with connect(api_key, url) as client:
        client.health()
        address = client.base_url
    if not (api_key or os.environ.get("MODELWRIGHT_API_KEY")):
        raise ModelwrightError(f"No API key. {_how_to_get_one(address)}")
    Journey(url, api_key).run()


def _how_to_get_one(address: str) -> str:
    if find_spec("modelwright") is None:
        return (
            f"Ask whoever runs {address} for one (they make it with `{MAKE_KEY}`),"
            " then: export MODELWRIGHT_API_KEY=…"
        )
    data = Path(os.environ.get("MODELWRIGHT_DATA_DIR", "data"))
    where = "" if data.is_dir() else ", in the folder and with the settings of `modelwright serve`"
    return (
        f"Make one{where}, and try again:\n"
        f"  export MODELWRIGHT_API_KEY=$({MAKE_KEY} | tail -n 1)\n"
        "  modelwright demo"
    )
