"""`modelwright models`: what shows a model, watches it and downloads it."""

from pathlib import Path
from typing import Annotated

import typer

from modelwright_client import formatting, terminal
from modelwright_client.commands.options import ApiKey, Json, Url, connect, group

Name = Annotated[str, typer.Argument(help="Name of the model.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group(app, "models", show, watch, download)


def show(
    name: Name,
    version: Annotated[str | None, typer.Argument(help="Else the newest READY one.")] = None,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Shows a model, how good it is, and what it looks at."""
    with connect(api_key, url) as client:
        model = client.models.read(name)
        ready = version or (model["model_version"] if model["status"] == "READY" else None)
        described = client.models.describe(name, ready) if ready else None
    if as_json:
        terminal.raw({**model, "description_of_version": described})
        return
    formatting.model(model)
    if described:
        formatting.description(described)


def watch(
    name: Name,
    version: Annotated[str | None, typer.Argument(help="Else the newest READY one.")] = None,
    hours: Annotated[int, typer.Option(help="How far to look back.")] = 24,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Compares recent inputs and predictions with the training data, and shows live accuracy."""
    with connect(api_key, url) as client:
        version = version or client.models.read(name)["model_version"]
        seen = client.monitoring.read(name, version, window_hours=hours)
    if as_json:
        terminal.raw(seen)
        return
    rows = [(one["name"], one["status"], one["psi"]) for one in seen["columns"]]
    predictions = seen["predictions"]
    rows.append((f"{predictions['name']} (predicted)", predictions["status"], predictions["psi"]))
    terminal.table(("column", "status", "psi"), rows)
    recorded = seen["feedback"]["truths"]
    terminal.say(f"{seen['rows']} rows in {hours} hours, {recorded} recorded outcomes.")
    for metric, value in seen["feedback"]["metrics"].items():
        terminal.say(f"{metric}: {value} (training {seen['feedback']['training_metrics'][metric]})")


def download(
    name: Name,
    version: Annotated[str | None, typer.Argument(help="Else the newest READY one.")] = None,
    target: Annotated[Path, typer.Option("--to", help="A file or a folder.")] = Path(),
    verify_with: Annotated[
        list[str] | None,
        typer.Option(help="Public key that must have signed it; may be repeated."),
    ] = None,
    api_key: ApiKey = None,
    url: Url = None,
) -> None:
    """Downloads a model as a zip that predicts without the server."""
    with connect(api_key, url) as client:
        version = version or client.models.read(name)["model_version"]
        place = client.models.artifact(name, version, target, verify_with=verify_with or None)
    terminal.say(str(place))
