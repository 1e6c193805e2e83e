"""Which sheet of a workbook is read, and what is said of the others.

All kinds of workbooks choose alike, and no sheet is passed over without a word.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from modelwright.engines.ingest.table import BrokenFile
from modelwright.engines.sentences import first_of

TABLE_WIDTH = 2
"""A table has so many columns, unless there is nothing else in the file."""
MAX_NAMED = 3
"""Sheets that a sentence names."""
MAX_LISTED = 20
"""Sheets that an error lists."""


@dataclass(frozen=True, slots=True)
class SheetChoice:
    """The sheet of a workbook that is read, and the names of others."""

    key: str
    """What the workbook calls the sheet by itself."""
    name: str
    further: list[str]
    """Other sheets that are shown and hold cells."""
    hidden: list[str]
    """Other sheets that are not shown."""
    is_other: bool
    """Whether it is not the first, which holds no table."""


def choose_sheet(
    sheets: Mapping[str, str], shown: Sequence[str], widths: Mapping[str, int], wanted: str | None
) -> SheetChoice:
    """Chooses the wanted sheet, else the first that is shown.

    Where the first has a single column of words, such as a cover, it is the first with a table.

    Args:
        sheets: The names of all sheets by their keys, in their order.
        shown: Keys of those that are shown; at least one.
        widths: Columns of the first of these, by key; others are taken to hold cells.
        wanted: Name or number of the sheet.

    Returns:
        The sheet and the names of others.

    Raises:
        BrokenFile: There is no such sheet.
    """
    first = chosen = shown[0]
    if wanted is not None:
        chosen = _named(wanted, sheets)
    elif widths[first] < TABLE_WIDTH:
        chosen = next((key for key, width in widths.items() if width >= TABLE_WIDTH), first)
    return SheetChoice(
        chosen,
        sheets[chosen],
        further=[sheets[key] for key in shown if key != chosen and widths.get(key, 1)],
        hidden=[sheets[key] for key in sheets if key not in shown and key != chosen],
        is_other=wanted is None and chosen != first,
    )


def said_of_choice(choice: SheetChoice, wanted: str | None) -> list[str]:
    """Says which sheet is read where there are others, and which are hidden.

    Args:
        choice: The sheet that is read.
        wanted: How it was asked for, if it was.

    Returns:
        Sentences for the owner of the file.
    """
    said = []
    if choice.further:
        others = f"name another one as sheet to read that instead: {_listed(choice.further)}."
        which = "first sheet" if wanted is None else f"sheet '{choice.name}'"
        said.append(
            f"The first sheet holds no table, so '{choice.name}' is read; {others}"
            if choice.is_other
            else f"Only the {which} is read; {others}"
        )
    if choice.hidden:
        said.append(f"Hidden, and not read unless named as sheet: {_listed(choice.hidden)}.")
    return said


def _named(wanted: str, sheets: Mapping[str, str]) -> str:
    """Returns the key of a sheet by its name or its number, from 1."""
    folded = wanted.strip().casefold()
    for number, (key, name) in enumerate(sheets.items(), 1):
        if name.strip().casefold() == folded or str(number) == folded:
            return key
    there = ", ".join(f"{name!r}" for name in list(sheets.values())[:MAX_LISTED])
    raise BrokenFile(f"There is no sheet {wanted!r}.", expected=f"one of {there}")


def _listed(names: list[str]) -> str:
    return first_of([f"'{name}'" for name in names], MAX_NAMED)
