"""`modelwright language-models`: install, list and remove models that read questions."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from modelwright.bootstrap.adapters import local_models
from modelwright.cli.context import exit_on_error, load_settings
from modelwright.language_models import installation
from modelwright.language_models.domain import KNOWN_MODELS
from modelwright.language_models.installation import InstallationError

app = typer.Typer(
    help="Install, list and remove language models that read questions on this machine.",
    no_args_is_help=True,
)
Name = Annotated[str, typer.Argument(help=" or ".join(one.name for one in KNOWN_MODELS))]
RESTART = "Start the server again, so that this takes effect."


def register(commands: typer.Typer) -> None:
    """Adds the group to the command line."""
    commands.add_typer(app, name="language-models")


@app.command()
def install(
    name: Name,
    from_: Annotated[
        Path | None,
        typer.Option("--from", help="The publisher's file, brought here otherwise."),
    ] = None,
    url: Annotated[
        str, typer.Option(help="Another place to take the same file from, such as a mirror.")
    ] = "",
) -> None:
    """Downloads the publisher's file, or copies one; both are checked by their SHA-256."""
    from rich.progress import (  # noqa: PLC0415 - no other command of the server waits for it
        BarColumn,
        DownloadColumn,
        Progress,
        TimeRemainingColumn,
    )

    settings = load_settings()
    settings.make_data_dir()
    with exit_on_error(InstallationError):
        model = installation.known(name)
        if path := installation.installed(model, settings.data_dir):
            typer.echo(f"{model.name} is installed: {path}")
            return
        typer.echo(f"{model.title}, {model.size_bytes / 1e9:.2f} GB")
        typer.echo(f"Licence: {model.licence} ({model.licence_url})")
        bar = Progress(
            "{task.description}", BarColumn(), DownloadColumn(), TimeRemainingColumn(),
            transient=True,
        )  # fmt: skip
        with bar:
            task = bar.add_task("Copying" if from_ else "Downloading", total=model.size_bytes)

            def progress(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            if from_ is not None:
                path = installation.copy(model, from_, settings.data_dir, progress)
            else:
                path = installation.download(model, settings.data_dir, progress, url)
    typer.echo(f"Installed and checked: {path}")
    if find_spec("xllamacpp") is None:
        typer.echo('Install what runs it, too: pip install "modelwright-platform[language-models]"')
    typer.echo(RESTART)


@app.command("list")
def list_() -> None:
    """Lists the models that can be installed, and those that are used."""
    settings = load_settings()
    for model in KNOWN_MODELS:
        path = installation.installed(model, settings.data_dir)
        state = "installed" if path else "not installed"
        size = f"{model.size_bytes / 1e9:.2f} GB"
        typer.echo(f"{model.name}\t{size}\t{model.licence}\t{state}\t{model.title}")
    for used in local_models(settings):
        typer.echo(f"used: {used.name}\t{used.path}")


@app.command()
def remove(name: Name) -> None:
    """Deletes a model's file, and what a download that broke off left."""
    settings = load_settings()
    with exit_on_error(InstallationError):
        model = installation.known(name)
        was_there = installation.remove(model, settings.data_dir)
    typer.echo(f"{name} was removed. {RESTART}" if was_there else f"{name} is not installed.")
