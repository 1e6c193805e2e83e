"""Refusals of delimited text, each with its line, and the lines that they count."""

import codecs
import io
from collections.abc import Iterator

from modelwright.engines.ingest.streaming import CHUNK_BYTES, TextStream
from modelwright.engines.ingest.table import Bounds, BrokenFile


def lines_of(stream: TextStream, bounds: Bounds) -> Iterator[str]:
    """Yields the lines of a text with their ends.

    Args:
        stream: The text.
        bounds: What is refused, and the memory and threads to use.

    Yields:
        A line.

    Raises:
        BrokenFile: A line is no UTF-8, or has no end.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    held, ended, number = "", False, 0
    while not ended:
        chunk = stream.read(CHUNK_BYTES)
        ended = not chunk
        try:
            text, damaged = decoder.decode(chunk, ended), False
        except UnicodeDecodeError as error:
            text, damaged = error.object[: error.start].decode(), True
        *lines, held = ["", *io.StringIO(held + text, newline="")]
        # Half of a Windows line end must not count as a line of its own.
        if held.endswith("\n") or (held.endswith("\r") and ended):
            lines, held = [*lines, held], ""
        for line in lines[1:] if lines else []:
            number += 1
            yield line
        if damaged:
            raise _not_utf8(number + 1)
        if len(held) > bounds.max_cell_bytes:
            raise too_long(number + 1, bounds)
    if held:
        yield held


def _not_utf8(line: int) -> BrokenFile:
    """Makes the refusal of text whose encoding is none.

    Args:
        line: Number of the line, from 1.

    Returns:
        The refusal, to be raised.
    """
    return BrokenFile(
        f"Line {line:,} is not valid UTF-8, although the text before it is:"
        " save the file as UTF-8 and upload it again.",
        line=line,
        expected="UTF-8",
    )


def too_long(line: int, bounds: Bounds) -> BrokenFile:
    """Makes the refusal of a row with a cell that does not end.

    Args:
        line: Number of the line on which the row starts, from 1.
        bounds: What is refused, and the memory and threads to use.

    Returns:
        The refusal, to be raised.
    """
    longest = f"{bounds.max_cell_bytes / 2**20:g} MiB"
    return BrokenFile(
        f"In the row that starts on line {line:,} a cell is longer than {longest}, or its quote is"
        " never closed.",
        line=line,
        expected=f"cells of at most {longest}",
    )


def ragged(cells: int, line: int, width: int) -> BrokenFile:
    """Makes the refusal of a row with too many or too few cells.

    Args:
        cells: How many the row has.
        line: Number of the line, from 1.
        width: How many it should have.

    Returns:
        The refusal, to be raised.
    """
    has = "1 cell" if cells == 1 else f"{cells:,} cells"
    return BrokenFile(
        f"Line {line:,} has {has}, but the first row has {width:,}:"
        " quote cells that contain the delimiter, and fill up or shorten the row.",
        line=line,
        expected="1 cell" if width == 1 else f"{width:,} cells",
    )


def misquoted(line: int, quote: str, *, unclosed: bool) -> BrokenFile:
    """Makes the refusal of a row whose quotes can be read in no way that fits the table.

    Args:
        line: Number of the line on which the row starts, from 1.
        quote: The sign that quotes.
        unclosed: Whether a quote is never closed; else one is closed too early.

    Returns:
        The refusal, to be raised.
    """
    if unclosed:
        return BrokenFile(
            f"In the row that starts on line {line:,} a quote is opened and never closed: close"
            " it, or take it out.",
            line=line,
            expected=f"a closing {quote}",
        )
    return BrokenFile(
        f"In the row that starts on line {line:,} a quoted cell goes on after its closing quote:"
        f" write a quote inside a quoted cell twice ({2 * quote}).",
        line=line,
        expected="a delimiter or the end of the line after a closing quote",
    )
