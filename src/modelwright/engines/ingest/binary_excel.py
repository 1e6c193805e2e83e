"""What a sheet of a binary Excel workbook (.xlsb) shows: python-calamine gives only its values.

Records are looked at as [MS-XLSB] of Microsoft's open specifications describes them.
"""

import struct
from collections.abc import Iterable, Iterator
from enum import IntEnum
from pathlib import Path

from modelwright.engines.ingest.shown_cells import ShownCells
from modelwright.engines.ingest.table import Bounds
from modelwright.engines.ingest.workbook import Parts, pad_of, relations

BOOK = "xl/workbook.bin"
"""The part that names the sheets."""
STYLES = "xl/styles.bin"
"""The part with the formats of numbers."""
LINKS = "xl/_rels/workbook.bin.rels"
"""The part that tells which part holds a sheet."""
HIDDEN_ROW = 0x10
"""The bit of a row that is not shown."""
HIDDEN_COLUMN = 0x01
"""The bit of columns that are not shown."""
STYLE_BITS = 0xFFFFFF
"""The bits of a cell that number its style."""
MORE = 0x80
"""The bit of a byte behind which a number goes on."""
BITS = 7
"""The other bits."""
KIND_BYTES = 2
"""Bytes of a record's kind, at the most."""
LENGTH_BYTES = 4
"""Bytes of a record's length, at the most."""
LINK_AT = 8
"""Where a sheet's link stands in its record."""
_UNREADABLE = (struct.error, LookupError, ValueError, UnicodeDecodeError)
"""What comes of parts that are damaged."""


class Kind(IntEnum):
    """The kinds of records that are looked at."""

    ROW = 0
    SHORT_NUMBER = 2
    NUMBER = 5
    FORMULA = 9
    FORMAT = 44
    STYLE = 47
    COLUMNS = 60
    SHEET = 156
    BEGIN_STYLES = 617
    END_STYLES = 618


NUMBERS = frozenset({Kind.SHORT_NUMBER, Kind.NUMBER, Kind.FORMULA})
"""Cells that hold numbers."""


def shown_in_xlsb(path: Path, bounds: Bounds, sheet: str) -> ShownCells | None:
    """Reads what a sheet shows.

    Args:
        path: The workbook.
        bounds: What is refused.
        sheet: The name of the sheet.

    Returns:
        The digits to which numbers are filled with zeros, and hidden rows and columns; None where
        they cannot be read.

    Raises:
        BrokenFile: A part is damaged, or the workbook unpacks to too much.
    """
    parts = Parts(path, bounds)
    try:
        links = {
            _text(data, LINK_AT): _text(data, LINK_AT + _bytes(data, LINK_AT))
            for data in _sheets(parts)
        }
        part = next(
            relations(parts, LINKS)[link][1] for link, name in links.items() if name == sheet
        )
        pads = _pads(parts.pieces(STYLES)) if STYLES in parts.names else {}
        return _shown(parts.pieces(part), pads)
    except (*_UNREADABLE, StopIteration):
        return None


def _sheets(parts: Parts) -> Iterator[bytes]:
    return (data for kind, data in _records(parts.pieces(BOOK)) if kind == Kind.SHEET)


def _records(pieces: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yields the kind of each record of a part, which comes in pieces, and what it holds."""
    held = bytearray()
    for piece in pieces:
        held += piece
        at = 0
        while (found := _record(held, at)) is not None:
            kind, begin, at = found
            yield kind, bytes(held[begin:at])
        del held[:at]
    if held:
        message = "the part ends within a record"
        raise ValueError(message)


def _record(held: bytearray, at: int) -> tuple[int, int, int] | None:
    """Tells the kind of a record and where what it holds begins and ends; None if it goes on."""
    try:
        kind, at = _number(held, at, KIND_BYTES)
        length, at = _number(held, at, LENGTH_BYTES)
    except IndexError:
        return None
    return (kind, at, at + length) if at + length <= len(held) else None


def _number(part: bytearray, at: int, most: int) -> tuple[int, int]:
    """Reads a number of up to so many bytes, the lowest bits first, and the place behind it."""
    value = 0
    for place in range(most):
        byte = part[at + place]
        value |= (byte & ~MORE) << (BITS * place)
        if not byte & MORE:
            break
    return value, at + place + 1


def _text(data: bytes, at: int) -> str:
    """Reads a text behind its length."""
    return data[at + 4 : at + _bytes(data, at)].decode("utf-16-le")


def _bytes(data: bytes, at: int) -> int:
    """Returns how many bytes a text has with its length."""
    number: int = struct.unpack_from("<I", data, at)[0]
    return 4 + 2 * number


def _pads(styles: Iterable[bytes]) -> dict[int, int]:
    """Tells to how many digits styles fill numbers with zeros."""
    padding: dict[int, int] = {}
    pads: list[int] = []
    inside = False
    for kind, data in _records(styles):
        if kind == Kind.FORMAT:
            padding[struct.unpack_from("<H", data)[0]] = pad_of(_text(data, 2))
        elif kind in {Kind.BEGIN_STYLES, Kind.END_STYLES}:
            inside = kind == Kind.BEGIN_STYLES
        elif kind == Kind.STYLE and inside:
            pads.append(padding.get(struct.unpack_from("<H", data, 2)[0], 0))
    return {style: pad for style, pad in enumerate(pads) if pad > 1}


def _shown(sheet: Iterable[bytes], pads: dict[int, int]) -> ShownCells:
    shown, row = ShownCells(), 0
    for kind, data in _records(sheet):
        if kind == Kind.ROW:
            row = struct.unpack_from("<I", data)[0] + 1
            if data[11] & HIDDEN_ROW:
                shown.hide_rows(row)
        elif kind == Kind.COLUMNS and data[16] & HIDDEN_COLUMN:
            first, last = struct.unpack_from("<2I", data)
            shown.hide_columns(first, last)
        elif kind in NUMBERS and pads and not shown.is_full:
            column, style = struct.unpack_from("<2I", data)
            if pad := pads.get(style & STYLE_BITS):
                shown.pad(row, column, pad)
    return shown
