"""What a sheet of an OpenDocument workbook (.ods) shows: python-calamine gives only its values.

Without it codes such as 007 would lose their zeros, and nobody would be told that rows are hidden.
"""

from pathlib import Path

from modelwright.engines.ingest.cell_range import LAST_COLUMN, LAST_ROW
from modelwright.engines.ingest.shown_cells import ShownCells
from modelwright.engines.ingest.table import Bounds
from modelwright.engines.ingest.workbook import Parts

CONTENT = "content.xml"
"""The part with the cells."""
MOST_HIDDEN = 100_000
"""More hidden rows in one go are the empty rest of a sheet."""
LONGEST_NUMBER = 40
"""Characters of a shown number."""
_HIDDEN = {"collapse", "filter"}
_CELLS = {"table-cell", "covered-table-cell"}


def shown_in_ods(path: Path, bounds: Bounds, sheet: str) -> ShownCells:
    """Reads what a sheet shows.

    Args:
        path: The workbook.
        bounds: What is refused.
        sheet: The name of the sheet.

    Returns:
        The digits to which numbers are filled with zeros, and hidden rows and columns.

    Raises:
        BrokenFile: The workbook is damaged, or unpacks to too much.
    """
    events = _Events(sheet)
    for _ in Parts(path, bounds).read(CONTENT, events.start, events.end, events.text):
        if events.is_over:
            break
    return events.shown


class _Events:
    """Follows the rows and cells of one sheet through the XML."""

    def __init__(self, sheet: str) -> None:
        self.shown = ShownCells()
        self.is_over = False
        """Whether the sheet was read."""
        self._sheet, self._inside = sheet, False
        self._row, self._column, self._columns = 1, 0, 0
        self._repeats = self._spans = 1
        """How often the present row and cell stand below and beside each other."""
        self._found: list[tuple[int, int]] = []
        self._is_number = self._is_noted = False
        self._pieces: list[str] = []

    def start(self, tag: str, given: dict[str, str]) -> None:
        told = {key.rpartition("}")[2]: value for key, value in given.items()}
        if tag == "table" and not self.is_over:
            self._inside = told.get("name") == self._sheet
        elif not self._inside:
            return
        elif tag == "table-column":
            self._take_columns(told)
        elif tag == "table-row":
            self._repeats = _number(told, "number-rows-repeated")
            if told.get("visibility") in _HIDDEN and self._repeats <= MOST_HIDDEN:
                self.shown.hide_rows(self._row, self._repeats)
            self._column, self._found = 0, []
        elif tag in _CELLS:
            self._spans = _number(told, "number-columns-repeated")
            self._is_number = told.get("value-type") == "float"
            self._pieces = []
        elif tag == "annotation":
            self._is_noted = True

    def text(self, some: str) -> None:
        if self._inside and self._is_number and not self._is_noted:
            self._pieces.append(some[:LONGEST_NUMBER])

    def end(self, tag: str) -> None:
        if not self._inside:
            return
        if tag == "annotation":
            self._is_noted = False
        elif tag in _CELLS:
            self._take_cell("".join(self._pieces).strip())
        elif tag == "table-row":
            self._take_row()
        elif tag == "table":
            self._inside, self.is_over = False, True

    def _take_columns(self, told: dict[str, str]) -> None:
        number = _number(told, "number-columns-repeated")
        last = min(self._columns + number, LAST_COLUMN + 1)
        if told.get("visibility") in _HIDDEN:
            self.shown.hide_columns(self._columns, last - 1)
        self._columns = last

    def _take_cell(self, shown: str) -> None:
        if self._is_number and len(shown) > 1 and shown[0] == "0" and shown.isdecimal():
            last = min(self._column + self._spans, LAST_COLUMN + 1)
            self._found += [(at, len(shown)) for at in range(self._column, last)]
        self._column += self._spans
        self._is_number = False

    def _take_row(self) -> None:
        below = min(self._row + self._repeats, LAST_ROW + 1)
        for row in range(self._row, below) if self._found else ():
            if self.shown.is_full:
                break
            for at, digits in self._found:
                self.shown.pad(row, at, digits)
        self._row = below


def _number(told: dict[str, str], name: str) -> int:
    """Reads how often something is repeated."""
    text = told.get(name, "1")
    return min(int(text), LAST_ROW) if text.isdecimal() else 1
