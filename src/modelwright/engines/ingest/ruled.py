"""Printed tables whose columns are as wide as the dashes that are drawn below their names.

Clients of databases print so (`sqlcmd`, SQL*Plus, `db2`), and so are simple tables of
reStructuredText written: cells may hold blanks, and only the dashes tell where they begin.
"""

import re
from collections.abc import Sequence

from modelwright.engines.ingest.whole_lines import WholeLines

SAMPLE_BYTES = 65536
"""Bytes of a file that are looked at."""
SAMPLE_LINES = 200
"""So many lines tell."""
LEAST_ROWS = 2
"""So many lines besides the dashes have to fit them."""
MOST_OTHERS = 0.34
"""So large a share of the lines may not fit: titles, statements, counts of rows."""
_RULER = re.compile(r"[ \t]*[-=]{2,}( +[-=]{1,})+[ \t]*")
_DASHES = re.compile(r"[-=]+")
Spans = tuple[tuple[int, int], ...]
"""Where columns begin and end, in characters."""


def spans_of(sample: bytes) -> Spans | None:
    """Returns where the columns of a printed table are, by the dashes below its names.

    Args:
        sample: The first bytes of the file, in UTF-8.

    Returns:
        Where each column begins and ends; None where no dashes tell it, or lines do not fit.
    """
    text = sample[:SAMPLE_BYTES].decode("utf-8", "replace")
    lines = [line.rstrip() for line in text.splitlines()[:SAMPLE_LINES]]
    ruler = next((line for line in lines if _RULER.fullmatch(line)), None)
    if ruler is None or "\t" in text:
        return None
    spans = tuple(found.span() for found in _DASHES.finditer(ruler))
    others = [line for line in lines if line and not _RULER.fullmatch(line)]
    fitting = sum(_fits(line, spans) for line in others)
    enough = fitting > LEAST_ROWS and len(others) - fitting <= MOST_OTHERS * len(others)
    return spans if enough else None


def _fits(line: str, spans: Spans) -> bool:
    """Returns whether blanks stand between all columns of a line that has several cells."""
    between = (line[end : spans[at + 1][0]] for at, (_, end) in enumerate(spans[:-1]))
    blank = not any(map(str.strip, between)) and not line[: spans[0][0]].strip()
    return blank and len(line) > spans[0][1]


class RuledRows(WholeLines):
    """Makes tabs between the columns of lines that fit them, and blank lines of dashes."""

    def __init__(self, longest: int, spans: Spans) -> None:
        super().__init__(longest)
        self._spans = spans

    def _changed(self, lines: bytes) -> bytes:
        text = lines.decode("utf-8", "surrogateescape")
        told = "".join(map(self._line, text.splitlines(keepends=True)))
        return told.encode("utf-8", "surrogateescape")

    def _line(self, line: str) -> str:
        bare = line.rstrip("\r\n")
        end = line[len(bare) :]
        if _RULER.fullmatch(bare):
            return end
        return ("\t".join(_cells(bare, self._spans)) if _fits(bare, self._spans) else bare) + end


def _cells(line: str, spans: Spans) -> Sequence[str]:
    """Cuts a line; what the last column holds may be wider than its dashes."""
    ends = [end for _, end in spans[:-1]] + [len(line)]
    return [line[start:end].strip() for (start, _), end in zip(spans, ends, strict=True)]
