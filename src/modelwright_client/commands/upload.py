"""`modelwright upload`: files to the server, processed."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from modelwright_client import formatting, terminal
from modelwright_client.commands.file_options import takes_file_options
from modelwright_client.commands.options import ApiKey, Json, Url, connect
from modelwright_client.errors import UnreachableError, UploadBrokenError
from modelwright_client.types import FileOptions


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(upload)


@takes_file_options
def upload(
    *,
    files: Annotated[list[Path], typer.Argument(help="CSV, TSV, JSON, Parquet or Excel files.")],
    name: Annotated[str | None, typer.Option(help="Name of the dataset.")] = None,
    description: Annotated[str | None, typer.Option(help="What it is.")] = None,
    file_options: FileOptions,
    resume: Annotated[
        str | None, typer.Option(help="Id of an upload of these files that broke off.")
    ] = None,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Uploads files and waits until they are processed.

    What breaks off goes on where it stopped: run the command again with --resume.
    """
    with connect(api_key, url) as client:
        with terminal.bar_for_each(quiet=as_json) as bar:
            try:
                sent = client.uploads.send(
                    files,
                    name=name,
                    description=description,
                    options=file_options or None,
                    progress=bar,
                    begun=terminal.note_upload,
                    resume=resume,
                    wait=False,
                )
            except UploadBrokenError as broken:
                names = shlex.join(str(file) for file in files)
                message = f"{broken} `modelwright upload {names} --resume {broken.upload_id}`"
                raise UnreachableError(message) from broken
        with terminal.progress("processing", quiet=as_json):
            seen = client.uploads.wait(sent["upload_id"])
    terminal.raw(seen) if as_json else formatting.upload(seen)
