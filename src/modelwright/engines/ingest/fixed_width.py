"""Text whose cells are parted by runs of blanks, read as if single tabs parted them."""

import re

from modelwright.engines.ingest.dialect import SAMPLE_CHARACTERS, Dialect, Sample
from modelwright.engines.ingest.header import (
    TYPED,
    fitted_names,
    has_header,
    has_names,
    is_dashes,
    kind_of,
)
from modelwright.engines.ingest.table import Bounds
from modelwright.engines.ingest.whole_lines import WholeLines

LEAST_ROWS = 3
"""Rows below which it is chance that blanks stand under each other."""
AMBIGUOUS_CELLS = 2
"""Two cells a row are dates with times and telephone numbers too, unless both are numbers."""
_BLANKS = re.compile(rb'(?m)^[ \t]+|[ \t]+(?=\r?$)|("[^"\r\n]*")|([ \t]+)')


class FixedWidthCells(WholeLines):
    """Makes a tab of the blanks between cells, and nothing of those around lines."""

    def _changed(self, lines: bytes) -> bytes:
        return _BLANKS.sub(lambda found: found[1] or (b"\t" if found[2] else b""), lines)


def is_aligned(sample: bytes, dialect: Dialect, bounds: Bounds) -> bool:
    """Returns whether blanks part the cells of a text in which no delimiter does.

    All rows have as many cells then, and most columns are numbers, dates or truths, or are named
    as words above such.

    Args:
        sample: The first bytes, in UTF-8.
        dialect: How the text is read else.
        bounds: What is refused, and the memory and threads to use.

    Returns:
        Whether it is read with blanks as delimiters.
    """
    text = sample[:SAMPLE_CHARACTERS].decode("utf-8", "replace")
    begun = Sample(text, len(sample) <= SAMPLE_CHARACTERS, bounds)
    cells = [row[0] for row in begun.rows(dialect)[0] if len(row) == 1]
    if len(dialect.names) > 1 or kind_of(cells[1:]) != "string":
        return False
    squeezed = FixedWidthCells(len(text))(text.encode(), True).decode()
    rows, _, _ = Sample(squeezed, begun.whole, bounds).rows(Dialect(delimiter="\t"))
    rows = [row for row in rows if not is_dashes(row)]
    rows = [fitted_names(rows), *rows[1:]] if rows else []
    if len(rows) < LEAST_ROWS or len(set(map(len, rows))) > 1 or len(rows[0]) < AMBIGUOUS_CELLS:
        return False
    columns = zip(*rows[has_header(rows) :], strict=True)
    typed = sum(kind_of(column) in TYPED for column in columns)
    enough = len(rows[0]) if len(rows[0]) == AMBIGUOUS_CELLS else len(rows[0]) // 2 + 1
    return typed >= enough or has_names(rows)
