"""Finds the line on which a delimited text breaks, by reading it again slowly and strictly."""

import codecs
import csv
import io
from collections.abc import Iterator

from modelwright.engines.ingest.aside import is_note
from modelwright.engines.ingest.dialect import Dialect, Rows
from modelwright.engines.ingest.streaming import CHUNK, TextStream
from modelwright.engines.ingest.table import Bounds, BrokenFile
from modelwright.engines.ingest.writing import FOOT


def find_break(stream: TextStream, dialect: Dialect, bounds: Bounds) -> BrokenFile | None:
    """Reads a text from its very start and tells what is wrong with it; None if nothing is.

    Notes at its foot are nothing wrong.
    """
    width, above = len(dialect.names), dialect.above
    notes: list[BrokenFile] = []
    rows = dialect.rows(_lines(stream, bounds), bounds.max_cell_bytes, strict=True)
    try:
        for row in rows:
            said = rows.line == 1 and row[0].startswith("sep=")
            if not said:
                above -= 1
            if said or above >= 0:
                continue
            if len(row) == width and not notes:
                continue
            notes.append(_ragged(row, rows.line, width))
            if not is_note(row, width) or len(notes) > FOOT:
                return notes[0]
    except UnicodeDecodeError:
        return BrokenFile(
            f"Line {rows.line:,} is not valid UTF-8, although the text before it is:"
            " save the file as UTF-8 and upload it again.",
            line=rows.line,
            expected="UTF-8",
        )
    except csv.Error as error:
        return _misquoted(str(error), rows, dialect, bounds)
    return None


def _ragged(row: list[str], line: int, width: int) -> BrokenFile:
    cells = "1 cell" if len(row) == 1 else f"{len(row):,} cells"
    expected = "1 cell" if width == 1 else f"{width:,} cells"
    return BrokenFile(
        f"Line {line:,} has {cells}, but the first row has {width:,}:"
        " quote cells that contain the delimiter, and fill up or shorten the row.",
        line=line,
        expected=expected,
    )


def _misquoted(error: str, rows: Rows, dialect: Dialect, bounds: Bounds) -> BrokenFile:
    if "expected after" in error:
        return BrokenFile(
            f"In the row that starts on line {rows.line:,} a quoted cell goes on after its"
            f" closing quote: write a quote inside a quoted cell twice ({dialect.quote * 2}).",
            line=rows.line,
            expected="a delimiter or the end of the line after a closing quote",
        )
    row = f"In the row that starts on line {rows.line:,}"
    if "larger" in error:
        longest = f"{bounds.max_cell_bytes / 2**20:g} MiB"
        return BrokenFile(
            f"{row} a cell is longer than {longest}, or its quote is never closed.",
            line=rows.line,
            expected=f"cells of at most {longest}",
        )
    return BrokenFile(
        f"{row} a quote is opened and never closed.",
        line=rows.line,
        expected=f"a closing {dialect.quote}",
    )


def _lines(stream: TextStream, bounds: Bounds) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    held, ended = "", False
    while not ended:
        chunk = stream.read(CHUNK)
        ended = not chunk
        try:
            text, damage = decoder.decode(chunk, ended), None
        except UnicodeDecodeError as error:
            text, damage = error.object[: error.start].decode(), error
        *lines, held = ["", *io.StringIO(held + text, newline="")]
        yield from lines[1:]
        if damage:
            yield from [held] if held.endswith(("\n", "\r")) else []
            raise damage
        if len(held) > bounds.max_cell_bytes:
            raise csv.Error("larger than the longest cell")
    yield held
