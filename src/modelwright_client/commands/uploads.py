"""`modelwright uploads`: what shows an upload, and reads a file of it again."""

from typing import Annotated

import typer

from modelwright_client import formatting, terminal
from modelwright_client.commands.file_options import takes_file_options
from modelwright_client.commands.options import ApiKey, Json, Url, connect, group
from modelwright_client.types import FileOptions

UploadId = Annotated[str, typer.Argument(help="Id of the upload.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group(app, "uploads", show, reparse)


def show(
    upload_id: UploadId, api_key: ApiKey = None, url: Url = None, as_json: Json = False
) -> None:
    """Shows an upload, its files and their columns."""
    with connect(api_key, url) as client:
        seen = client.uploads.read(upload_id)
    terminal.raw(seen) if as_json else formatting.upload(seen)


@takes_file_options
def reparse(
    *,
    upload_id: UploadId,
    filename: Annotated[str, typer.Argument(help="Name of the file in it.")],
    file_options: FileOptions,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Reads a stored file again in another way, as the next version of its dataset."""
    with connect(api_key, url) as client:
        new = client.uploads.reparse(upload_id, filename, **file_options)
        with terminal.progress("processing", quiet=as_json):
            seen = client.uploads.wait(new["upload_id"])
    terminal.raw(seen) if as_json else formatting.upload(seen)
