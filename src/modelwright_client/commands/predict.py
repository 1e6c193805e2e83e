"""`modelwright predict`: one row or many, with a server's model or one that was downloaded.

The same options and output serve a server and a downloaded file, so that a script can move from one
to the other.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Annotated, Any, cast

import typer

import modelwright_client
from modelwright_client import formatting, terminal
from modelwright_client.client import Client
from modelwright_client.commands.options import ApiKey, Json, Url, connect
from modelwright_client.predictions import MOST_ROWS, Extra
from modelwright_client.types import BatchItem

Row = dict[str, Any]
READ: dict[str, Callable[[str], Any]] = {
    "integer": int,
    "float": float,
    "boolean": lambda cell: {"true": True, "false": False}[cell.lower()],
}
"""How a cell of a CSV file becomes a value of a type; all other types are text."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(predict)


def predict(
    name: Annotated[str, typer.Argument(help="Name of the model, or a downloaded .zip of one.")],
    version: Annotated[str | None, typer.Argument(help="Else the one in service.")] = None,
    row: Annotated[str | None, typer.Option("--input", help="One row as a JSON object.")] = None,
    file: Annotated[
        typer.FileBinaryRead | None,
        typer.Option(help="Rows as CSV, or as JSON, one a line or an array (- is stdin)."),
    ] = None,
    include: Annotated[
        str, typer.Option(help="Also show: probabilities, explanation, interval, warnings.")
    ] = "",
    keep_going: Annotated[
        bool,
        typer.Option("--keep-going", help="Predict the rows of --file that fit; tell of others."),
    ] = False,
    verify_with: Annotated[
        list[str] | None,
        typer.Option(help="Public key that must have signed a .zip; may be repeated."),
    ] = None,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Predicts one row (--input) or many (--file)."""
    if (row is None) == (file is None):
        raise typer.BadParameter("Give either --input or --file.")
    extras = cast("list[Extra]", [word.strip() for word in include.split(",") if word.strip()])
    if name.endswith(".zip"):
        answers = _downloaded(name, row, file, extras, verify_with or None)
        terminal.raw(answers) if as_json else formatting.batch(answers)
        return
    if verify_with:
        raise typer.BadParameter(
            "Goes with a downloaded .zip; give its path as the model, or leave --verify-with out.",
            param_hint="--verify-with",
        )
    one = _row(row, "--input") if row is not None else None
    content = _text(file) if file is not None else ""
    rows = _rows(content) if file is not None and not _is_csv(file) else []
    with connect(api_key, url) as client:
        version = version or client.endpoints.read(name)["model_version"]
        if file is not None and _is_csv(file):
            rows = _typed(content, client.models.describe(name, version)["input_schema"] or {})
        if one is not None:
            answer = client.predictions.infer(name, version, one, include=extras)
            terminal.raw(answer) if as_json else formatting.prediction(answer)
            return
        answers = _many(client, name, version, rows, extras, keep_going=keep_going, quiet=as_json)
    terminal.raw(answers) if as_json else formatting.batch(answers)


def _downloaded(
    name: str,
    row: str | None,
    file: typer.FileBinaryRead | None,
    include: list[Extra],
    verify_with: list[str] | None,
) -> list[BatchItem]:
    """Predicts without a server."""
    model = modelwright_client.load(name, verify_with=verify_with)
    if row is not None:
        rows = [_row(row, "--input")]
    elif file is not None and _is_csv(file):
        rows = _typed(_text(file), model.input_schema)
    else:
        rows = _rows(_text(file)) if file is not None else []
    return cast("list[BatchItem]", model.predict(rows, include=include))


def _is_csv(file: typer.FileBinaryRead) -> bool:
    return file.name.lower().endswith(".csv")


def _text(file: typer.FileBinaryRead) -> str:
    """Reads UTF-8, with a mark of it as spreadsheets write one or without."""
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise typer.BadParameter(
            f"{file.name} is no text in UTF-8: save it so, or have the server read it"
            " (modelwright score).",
            param_hint="--file",
        ) from None


def _typed(content: str, schema: Mapping[str, str]) -> list[Row]:
    """Reads CSV by the model's types; what does not fit stays text, for the model to refuse.

    Of commas, semicolons and tabs, the one that the first line has most of parts the cells.
    """
    delimiter = max(",;\t", key=content.partition("\n")[0].count)
    lines = csv.DictReader(io.StringIO(content), delimiter=delimiter)
    return [
        {name: _value(cell, schema.get(name, "string")) for name, cell in line.items()}
        for line in lines
    ]


def _value(cell: str | None, kind: str) -> Any:
    if cell is None or cell == "":
        return None
    try:
        return READ[kind](cell)
    except (KeyError, ValueError):
        return cell


def _many(
    client: Client,
    name: str,
    version: str,
    rows: list[Row],
    include: list[Extra],
    *,
    keep_going: bool,
    quiet: bool,
) -> list[BatchItem]:
    answers: list[BatchItem] = []
    left = iter(rows)
    with terminal.progress("predicting", quiet=quiet) as bar:
        while part := list(islice(left, MOST_ROWS)):
            answers += client.predictions.many(
                name, version, part, include=include, errors="rows" if keep_going else None
            )
            bar(100 * len(answers) / len(rows), f"{len(answers)} of {len(rows)} rows")
    return answers


def _rows(content: str) -> list[Row]:
    if content.lstrip().startswith("["):
        items = _parsed(content, "--file")
        return [_object(item, f"--file, item {n}") for n, item in enumerate(items, 1)]
    lines = [(number, line) for number, line in enumerate(content.splitlines(), 1) if line.strip()]
    return [_row(line, f"--file, line {number}") for number, line in lines]


def _row(content: str, where: str) -> Row:
    return _object(_parsed(content, where), where)


def _parsed(content: str, where: str) -> Any:
    try:
        return json.loads(content)
    except ValueError as problem:
        raise typer.BadParameter(
            f'{where} is not JSON: {problem}; write it such as {{"age": 41}}.'
        ) from problem


def _object(item: Any, where: str) -> Row:
    if not isinstance(item, dict):
        raise typer.BadParameter(f'{where} must be a JSON object, such as {{"age": 41}}.')
    return item
