"""`modelwright upload`: files to the server, processed."""

from pathlib import Path
from typing import Annotated

import typer

from modelwright_client import formatting, terminal
from modelwright_client.commands.file_options import (
    Decimal,
    Delimiter,
    Encoding,
    HeaderRows,
    NullValues,
    Sheet,
    SkipRows,
    Types,
    read_options,
)
from modelwright_client.commands.options import ApiKey, Json, Url, connect


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(upload)


def upload(
    files: Annotated[list[Path], typer.Argument(help="CSV, TSV, JSON, Parquet or Excel files.")],
    name: Annotated[str | None, typer.Option(help="Name of the dataset.")] = None,
    description: Annotated[str | None, typer.Option(help="What it is.")] = None,
    sheet: Sheet = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    header_rows: HeaderRows = None,
    skip_rows: SkipRows = None,
    types: Types = None,
    decimal: Decimal = None,
    null_values: NullValues = None,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Upload files and wait until they are processed."""
    options = read_options(
        types,
        sheet=sheet,
        delimiter=delimiter,
        encoding=encoding,
        header_rows=header_rows,
        skip_rows=skip_rows,
        decimal=decimal,
        null_values=null_values,
    )
    with connect(api_key, url) as client:
        with terminal.bar_for_each(quiet=as_json) as bar:
            sent = client.uploads.send(
                files,
                name=name,
                description=description,
                options=options or None,
                progress=bar,
                wait=False,
            )
        with terminal.progress("processing", quiet=as_json):
            seen = client.uploads.wait(sent["upload_id"])
    terminal.raw(seen) if as_json else formatting.upload(seen)
