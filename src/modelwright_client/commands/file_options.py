"""Options of how a file is to be read, the same for every command that has files read."""

from typing import Annotated, Any, cast

import typer

from modelwright_client.types import FileOptions

Sheet = Annotated[
    str | None, typer.Option(help="Name of the sheet, or its number from 1; cells as Data!A1:F20.")
]
Delimiter = Annotated[str | None, typer.Option(help="Character between cells; `tab` for tabs.")]
Encoding = Annotated[str | None, typer.Option(help="Such as utf-8, windows-1250 or gbk.")]
HeaderRows = Annotated[int | None, typer.Option(help="How many rows name the columns; 0 for none.")]
SkipRows = Annotated[int | None, typer.Option(help="How many rows above those to skip.")]
Types = Annotated[
    list[str] | None,
    typer.Option("--type", help="Type of a column, as zip=string; once for each column."),
]
Decimal = Annotated[str | None, typer.Option(help="What stands before decimals: . or ,")]
NullValues = Annotated[
    list[str] | None,
    typer.Option("--null-value", help="A text that says that there is no value; may be repeated."),
]


def read_options(types: list[str] | None, **given: Any) -> FileOptions:
    """Gathers what was typed; refuses a type that names no column."""
    options = {name: value for name, value in given.items() if value not in (None, [])}
    pairs = [one.rpartition("=") for one in types or []]
    for column, _, kind in pairs:
        if not column or not kind:
            raise typer.BadParameter(
                "write it as COLUMN=TYPE, such as zip=string", param_hint="--type"
            )
    if pairs:
        options["types"] = {column: kind for column, _, kind in pairs}
    return cast("FileOptions", options)
