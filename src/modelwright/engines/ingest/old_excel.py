"""What a sheet of an old Excel workbook (.xls) shows: python-calamine gives only its values.

Records of the format BIFF8 are looked at ([MS-XLS] of Microsoft's open specifications); workbooks
of Excel 95 and before tell nothing here.
"""

import struct
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

import olefile

from modelwright.engines.ingest.shown_cells import ShownCells
from modelwright.engines.ingest.workbook import pad_of

STREAM = "Workbook"
"""The stream of BIFF8."""
HEAD_BYTES = 4
"""Bytes of a record's kind and length."""
HIDDEN_ROW = 0x20
"""The bit of a row that is not shown."""
HIDDEN_COLUMN = 0x01
"""The bit of columns that are not shown."""
SHORT_NUMBER_BYTES = 6
"""Bytes of a number among several: its style and its value."""
_UNREADABLE = (
    OSError, struct.error, LookupError, ValueError, UnicodeDecodeError, RecursionError,
)  # fmt: skip
"""What comes of files that are damaged; the directory is a tree that olefile descends into."""
Record = tuple[int, bytes]
"""A kind and what it holds."""


class Kind(IntEnum):
    """The kinds of records that are looked at."""

    FORMULA = 0x0006
    END = 0x000A
    COLUMNS = 0x007D
    SHEET = 0x0085
    SHORT_NUMBERS = 0x00BD
    STYLE = 0x00E0
    NUMBER = 0x0203
    ROW = 0x0208
    SHORT_NUMBER = 0x027E
    FORMAT = 0x041E
    BEGIN = 0x0809


NUMBERS = frozenset({Kind.NUMBER, Kind.SHORT_NUMBER, Kind.FORMULA})
"""Records that hold one number."""


def shown_in_xls(path: Path, sheet: str) -> ShownCells | None:
    """Reads what a sheet shows.

    Args:
        path: The workbook.
        sheet: The name of the sheet.

    Returns:
        The digits to which numbers are filled with zeros, and hidden rows and columns; None where
        they cannot be read.
    """
    try:
        with olefile.OleFileIO(path, raise_defects=olefile.DEFECT_INCORRECT) as container:
            book: bytes = container.openstream(STREAM).read()
        begin, pads = _globals(book, sheet)
        return _shown(book, begin, pads)
    except _UNREADABLE:
        return None


def _records(book: bytes, at: int) -> Iterator[Record]:
    """Yields the records from a place on, up to the end of what begins there."""
    depth = 0
    while True:
        kind, length = struct.unpack_from("<HH", book, at)
        yield kind, book[at + HEAD_BYTES : at + HEAD_BYTES + length]
        at += HEAD_BYTES + length
        depth += (kind == Kind.BEGIN) - (kind == Kind.END)
        if depth <= 0:
            return


def _globals(book: bytes, sheet: str) -> tuple[int, dict[int, int]]:
    """Finds where a sheet begins, and to how many digits styles fill numbers with zeros."""
    begins: dict[str, int] = {}
    padding: dict[int, int] = {}
    styles: list[int] = []
    for kind, data in _records(book, 0):
        if kind == Kind.SHEET:
            begins[_text(data[6:], "<B")] = struct.unpack_from("<I", data)[0]
        elif kind == Kind.FORMAT:
            padding[struct.unpack_from("<H", data)[0]] = pad_of(_text(data[2:], "<H"))
        elif kind == Kind.STYLE:
            styles.append(struct.unpack_from("<H", data, 2)[0])
    pads = {style: padding.get(number, 0) for style, number in enumerate(styles)}
    return begins[sheet], {style: pad for style, pad in pads.items() if pad > 1}


def _text(data: bytes, length: str) -> str:
    """Reads a text: its length, whether its characters have two bytes, and these."""
    size = struct.calcsize(length)
    number, is_wide = struct.unpack_from(length, data)[0], data[size] & 1
    start = size + 1
    if is_wide:
        return data[start : start + 2 * number].decode("utf-16-le")
    return data[start : start + number].decode("latin-1")


def _shown(book: bytes, begin: int, pads: dict[int, int]) -> ShownCells:
    shown = ShownCells()
    for kind, data in _records(book, begin):
        if kind == Kind.ROW:
            if data[12] & HIDDEN_ROW:
                shown.hide_rows(struct.unpack_from("<H", data)[0] + 1)
        elif kind == Kind.COLUMNS:
            first, last, _, _, options = struct.unpack_from("<5H", data)
            if options & HIDDEN_COLUMN:
                shown.hide_columns(first, last)
        for row, column, style in () if shown.is_full else _numbers(kind, data):
            if style in pads:
                shown.pad(row + 1, column, pads[style])
    return shown


def _numbers(kind: int, data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yields the row, the column and the style of each number in a record."""
    if kind in NUMBERS:
        yield struct.unpack_from("<3H", data)
    elif kind == Kind.SHORT_NUMBERS:
        row, column = struct.unpack_from("<2H", data)
        for place in range((len(data) - SHORT_NUMBER_BYTES) // SHORT_NUMBER_BYTES):
            at = HEAD_BYTES + SHORT_NUMBER_BYTES * place
            yield row, column + place, struct.unpack_from("<H", data, at)[0]
