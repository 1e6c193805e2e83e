"""`modelwright build`: a model from a sentence."""

from typing import Annotated, cast

import typer

from modelwright_client import formatting, terminal
from modelwright_client._http import given
from modelwright_client.commands.options import ApiKey, Json, Url, connect
from modelwright_client.models import Pins


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(build)


def build(
    name: Annotated[str, typer.Argument(help="Name of the new model.")],
    intent: Annotated[str, typer.Option(help="What it is for: “Predict …”.")],
    dataset: Annotated[str, typer.Option(help="Upload id, dataset name, or name@v1.2.")],
    target: Annotated[str | None, typer.Option(help="Column to predict, else --intent's.")] = None,
    metric: Annotated[str | None, typer.Option(help="What to optimise, else it is chosen.")] = None,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Build a model and show how good it is."""
    with connect(api_key, url) as client:
        with terminal.progress(f"building {name}", quiet=as_json) as bar:
            pins = cast("Pins", given({"target": target, "metric": metric}))
            model = client.models.build(
                name,
                intent,
                dataset,
                progress=lambda job: bar(job["progress"], job["stage"]),
                **pins,
            )
        if as_json:
            terminal.raw(model)
            return
        formatting.model(model)
        formatting.description(client.models.describe(name, model["model_version"]))
