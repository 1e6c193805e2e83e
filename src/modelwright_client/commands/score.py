"""`modelwright score`: every row of files, or of an upload, predicted into files."""

from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from modelwright_client import terminal
from modelwright_client.commands.file_options import takes_file_options
from modelwright_client.commands.options import ApiKey, Json, Url, connect
from modelwright_client.predictions import Extra
from modelwright_client.types import FileOptions


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(score)


@takes_file_options
def score(
    *,
    name: Annotated[str, typer.Argument(help="Name of the model.")],
    files: Annotated[list[Path] | None, typer.Argument(help="Files, else --upload.")] = None,
    file_options: FileOptions,
    upload: Annotated[str | None, typer.Option(help="Id of a complete upload.")] = None,
    version: Annotated[str | None, typer.Option(help="Else the one in service.")] = None,
    format_: Annotated[
        Literal["csv", "json", "parquet"], typer.Option("--format", help="What to write.")
    ] = "csv",
    include: Annotated[
        str, typer.Option(help="Also write: probabilities, explanation, interval.")
    ] = "",
    to: Annotated[Path, typer.Option(help="Folder of the results.")] = Path(),
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Predicts every row of files, in their order, into files."""
    if bool(files) == (upload is not None):
        raise typer.BadParameter("Give either files or --upload.")
    if upload is not None and file_options:
        raise typer.BadParameter(
            "An upload was read already. Leave out how its file is read, or read it again with"
            " `modelwright uploads reparse`."
        )
    if not to.is_dir():
        raise typer.BadParameter(f"--to {to} is not a folder; give one that is there.")
    extras = cast("list[Extra]", [word.strip() for word in include.split(",") if word.strip()])
    with connect(api_key, url) as client:
        version = version or client.endpoints.read(name)["model_version"]
        upload = (
            upload or client.uploads.send(files or [], options=file_options or None)["upload_id"]
        )
        started = client.predictions.score(name, version, upload, format=format_, include=extras)
        with terminal.progress("scoring", quiet=as_json) as bar:
            client.jobs.wait(
                started["job_id"], progress=lambda job: bar(job["progress"], job["stage"])
            )
        export = client.exports.wait(started["export_id"])
        written = [client.exports.download(file, to) for file in export["files"]]
    if as_json:
        terminal.raw(export)
        return
    for path, file in zip(written, export["files"], strict=True):
        terminal.say(f"{path}")
        if notice := file.get("notice"):
            terminal.say(notice)
