"""Options of how a file is to be read, the same for every command that has files read."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, cast

import typer

from modelwright_client.types import FileOptions


def read_options(
    *,
    sheet: Annotated[
        str | None,
        typer.Option(help="Name of the sheet, or its number from 1; cells as Data!A1:F20."),
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(help="Character between cells; `tab` for tabs.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Such as utf-8, windows-1250 or gbk.")
    ] = None,
    header_rows: Annotated[
        int | None, typer.Option(help="How many rows name the columns; 0 for none.")
    ] = None,
    skip_rows: Annotated[
        int | None, typer.Option(help="How many rows above those to skip.")
    ] = None,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", help="Type of a column, as zip=string; once for each column."),
    ] = None,
    decimal: Annotated[str | None, typer.Option(help="What stands before decimals: . or ,")] = None,
    null_values: Annotated[
        list[str] | None,
        typer.Option(
            "--null-value", help="A text that says that there is no value; may be repeated."
        ),
    ] = None,
) -> FileOptions:
    """Gathers what was typed; refuses a type that names no column."""
    given = {
        "sheet": sheet,
        "delimiter": delimiter,
        "encoding": encoding,
        "header_rows": header_rows,
        "skip_rows": skip_rows,
        "decimal": decimal,
        "null_values": null_values,
    }
    options: dict[str, Any] = {name: one for name, one in given.items() if one not in (None, [])}
    pairs = [one.rpartition("=") for one in types or []]
    for column, _, kind in pairs:
        if not column or not kind:
            raise typer.BadParameter(
                "write it as COLUMN=TYPE, such as zip=string", param_hint="--type"
            )
    if pairs:
        options["types"] = {column: kind for column, _, kind in pairs}
    return cast("FileOptions", options)


def takes_file_options(command: Callable[..., None]) -> Callable[..., None]:
    """Puts the options of `read_options` in the place of a command's parameter `file_options`."""
    added = inspect.signature(read_options, eval_str=True).parameters
    signature = inspect.signature(command, eval_str=True)

    @wraps(command)
    def run(**typed: Any) -> None:
        file_options = read_options(**{name: typed.pop(name) for name in added})
        command(**typed, file_options=file_options)

    parameters: list[inspect.Parameter] = []
    for one in signature.parameters.values():
        parameters += added.values() if one.name == "file_options" else [one]
    keyword_only = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
    run.__signature__ = signature.replace(parameters=keyword_only)  # type: ignore[attr-defined]
    return run
