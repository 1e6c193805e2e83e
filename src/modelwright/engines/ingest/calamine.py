"""Sheets of the other kinds of workbooks (.xls, .xlsb, .ods), by python-calamine.

It unpacks a sheet as a whole, so plain .xlsx, which most workbooks are, is read as a stream by a
reader of our own, which also sees formulas without results.
"""

import re
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from modelwright.engines.ingest.binary_excel import shown_in_xlsb
from modelwright.engines.ingest.cell_range import Row
from modelwright.engines.ingest.old_excel import shown_in_xls
from modelwright.engines.ingest.open_document import CONTENT, shown_in_ods
from modelwright.engines.ingest.sheet_choice import SheetChoice, choose_sheet
from modelwright.engines.ingest.shown_cells import WHOLE, ShownCells, padded
from modelwright.engines.ingest.table import (
    Bounds,
    BrokenFile,
    DecompressionBudget,
    UnpacksTooMuch,
)

LOOKED_AT_ROWS = 20
"""Rows that tell whether a sheet is a cover or a table."""
DAMAGED = (
    "The workbook (.xls, .xlsb or OpenDocument) is damaged, or protected by a password: save it as"
    " plain .xlsx and upload that."
)

NOT_SHOWN = (
    "What the sheet hides, and the zeros that it shows before numbers, cannot be read: save the"
    " workbook again as .xlsx and upload that if it has any."
)


class Unbounded:
    """Stands for the parts of a workbook that was unpacked as a whole."""

    share = 0.5

    def take(self, amount: int) -> None:
        """Counts nothing, as nothing more is unpacked.

        Args:
            amount: Bytes.
        """


def is_packed_xml(path: Path) -> bool:
    """Returns whether a file may be plain .xlsx, which is read as a stream.

    Args:
        path: The file.

    Returns:
        False for other zips and for what is no zip.
    """
    with path.open("rb") as file:
        if not file.read(4).startswith(b"PK"):
            return False
    try:
        with zipfile.ZipFile(path) as packed:
            names = set(packed.namelist())
    except (zipfile.BadZipFile, OSError, ValueError):
        return True
    return not names & {"xl/workbook.bin", "content.xml"}


def open_by_calamine(
    path: Path, bounds: Bounds, wanted: str | None
) -> "tuple[SheetChoice, CalamineRows]":
    """Opens a workbook and gives the chosen sheet and its rows.

    Args:
        path: The file.
        bounds: What is refused, and the memory and threads to use.
        wanted: Name or number of the sheet; else the first that is shown.

    Returns:
        The sheet and its rows.

    Raises:
        BrokenFile: It is damaged, locked or too large, or has no such sheet.
    """
    _check_size(path, bounds)
    try:
        # By its bytes: stored files have no ending that tells their kind.
        with path.open("rb") as file:
            book = CalamineWorkbook.from_filelike(file)
        tables = [
            (str(number), one.name)
            for number, one in enumerate(book.sheets_metadata)
            if one.typ is SheetTypeEnum.WorkSheet
        ]
        shown = [
            key
            for key, _ in tables
            if book.sheets_metadata[int(key)].visible is SheetVisibleEnum.Visible
        ] or [key for key, _ in tables]
        if not shown:
            raise BrokenFile("The workbook has no sheet with cells.")
        sheets = {key: book.get_sheet_by_index(int(key)) for key, _ in tables}
    except PasswordError as locked:
        raise BrokenFile(
            "The workbook is protected by a password: save it without one and upload that."
        ) from locked
    except (CalamineError, OSError, ValueError) as damage:
        raise BrokenFile(DAMAGED) from damage
    widths = {key: _widest(sheets[key]) for key in shown}
    choice = choose_sheet(dict(tables), shown, widths, wanted)
    return choice, CalamineRows(sheets[choice.key], _shown(path, bounds, choice.name))


def _shown(path: Path, bounds: Bounds, sheet: str) -> ShownCells:
    """Reads what a sheet shows beside its values; says so where that is damaged."""
    try:
        shown = _read_shown(path, bounds, sheet)
    except UnpacksTooMuch:
        raise
    except BrokenFile:  # the values were read all the same
        shown = None
    return shown or ShownCells(notices=[NOT_SHOWN])


def _read_shown(path: Path, bounds: Bounds, sheet: str) -> ShownCells | None:
    if not zipfile.is_zipfile(path):
        return shown_in_xls(path, sheet)
    with zipfile.ZipFile(path) as packed:
        is_open_document = CONTENT in packed.namelist()
    return (shown_in_ods if is_open_document else shown_in_xlsb)(path, bounds, sheet)


def _check_size(path: Path, bounds: Bounds) -> None:
    """Refuses packed workbooks that say that they unpack to too much."""
    if not zipfile.is_zipfile(path):
        return
    budget = DecompressionBudget(bounds)
    with zipfile.ZipFile(path) as packed:
        budget.take(sum(one.file_size for one in packed.infolist()), path.stat().st_size)


def _widest(sheet: CalamineSheet) -> int:
    rows = sheet.to_python(nrows=LOOKED_AT_ROWS)
    return max((sum(cell != "" for cell in row) for row in rows), default=0)


class CalamineRows:
    """The rows of a sheet; words in cells that were merged over rows are in each of these."""

    def __init__(self, sheet: CalamineSheet, shown: ShownCells | None = None) -> None:
        """Keeps the sheet.

        Args:
            sheet: The sheet.
            shown: What is known of it beside its values.
        """
        self._sheet, self._shown = sheet, shown or ShownCells()
        self.hidden_rows = 0
        """Rows with cells that the sheet does not show."""
        self.hidden_columns = self._shown.hidden_columns
        self.notices = self._shown.notices
        self.filled = False
        """Whether a merged cell gave a row its words."""
        self._last = {
            (top, left): bottom
            for (top, left), (bottom, _) in (sheet.merged_cell_ranges or [])
            if bottom > top
        }
        """By its first row and its column, the last row of a cell of several rows, from 0."""

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        """Yields rows that have any value, with their numbers from 1."""
        going: dict[int, tuple[int, str]] = {}
        self.hidden_rows = 0
        for number, row in enumerate(self._sheet.iter_rows()):
            found = {at: _value(cell) for at, cell in enumerate(row) if cell != ""}
            if not found:
                continue
            if self._shown.padded:
                found = {at: self._as_shown(number + 1, at, one) for at, one in found.items()}
            self.hidden_rows += number + 1 in self._shown.hidden_rows
            going = {at: one for at, one in going.items() if one[0] >= number}
            for at, (_, words) in going.items():
                if at not in found:
                    found[at], self.filled = words, True
            for at, value in found.items():
                last = self._last.get((number, at))
                if last is not None and isinstance(value, str):
                    going[at] = last, value
            yield number + 1, found

    def _as_shown(self, row: int, column: int, value: object) -> object:
        """Returns a whole number with the zeros that are shown before it."""
        digits = self._shown.padded.get((row, column), 0)
        return padded(value, digits) if digits and type(value) is int else value


_LONG_SPAN = re.compile(r"PT(\d\d+)H(\d\d)M(\d\d)S")
"""A span of more than a day, as .ods has it."""


def _value(cell: object) -> object:
    if isinstance(cell, str):
        found = _LONG_SPAN.fullmatch(cell)
        return f"{found[1]}:{found[2]}:{found[3]}" if found else cell
    if isinstance(cell, bool):
        return cell
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and abs(cell) < WHOLE else cell
    spell = next((write for kind, write in _SPELT if isinstance(cell, kind)), None)
    return spell(cell) if spell else cell


def _spell_moment(moment: datetime) -> str:
    return moment.date().isoformat() if moment.time() == time() else moment.isoformat()


def _spell_duration(length: timedelta) -> str:
    minutes, seconds = divmod(round(length.total_seconds()), 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"


_SPELT: tuple[tuple[type, Callable[..., str]], ...] = (
    (datetime, _spell_moment),
    (date, date.isoformat),
    (time, lambda clock: clock.isoformat("seconds")),
    (timedelta, _spell_duration),
)
"""How moments are spelt, subclasses first."""
