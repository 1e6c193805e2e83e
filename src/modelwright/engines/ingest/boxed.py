"""Tables that are drawn with lines, as Markdown and the clients of databases print them."""

import re

from modelwright.engines.ingest.whole_lines import WholeLines

RULER = re.compile(
    rb"^[ \t]*([|+](?=[^\r\n]*[-=])[-=+:| \t]*[|+]|[-=]{5,})[ \t]*(?=\r?$)", re.MULTILINE
)
_HEAD = re.compile(rb"^[ \t]*\|\|([^|\r\n]+(?:\|\|[^|\r\n]+)+)\|\|[ \t]*(?=\r?$)", re.MULTILINE)
"""The names of columns as wikis draw them: `||name||units||`."""
_DRAWN = {
    **dict.fromkeys(map(ord, "│┃║┆┇┊┋╎╏"), "|"),
    **dict.fromkeys(map(ord, "─━═╌╍┄┅┈┉╴╶╸╺"), "-"),
}
_SIGNS = {**dict.fromkeys(range(9472, 9600), "+"), **_DRAWN}
"""The signs of Unicode that draw boxes, as those of ASCII."""
_BEGINS_DRAWN = re.compile(rb"^[ \t]*\xe2(\x94[\x80-\xbf]|\x95[\x80-\xbf])", re.MULTILINE)
_ROW = re.compile(rb"^[ \t]*\|[ \t]*(.*?)[ \t]*\|[ \t]*(?=\r?$)", re.MULTILINE)
LEAST_ROWS = 2
"""So many rows tell that a table is drawn."""
MOST_OTHERS = 0.34
"""So large a share of the lines may stand outside of the drawing."""
SAMPLE_BYTES = 65536
"""Bytes of a file that are looked at."""


def is_boxed(sample: bytes) -> bool:
    """Returns whether lines begin and end with a bar: all, or some draw what stands between them.

    Args:
        sample: The first bytes of the file, in UTF-8.

    Returns:
        Whether the table is drawn.
    """
    lines = [line for line in _plain(sample[:SAMPLE_BYTES]).splitlines()[:200] if line.strip()]
    rulers = sum(RULER.match(line) is not None for line in lines)
    rows = sum(_ROW.match(line) is not None for line in lines) - sum(
        RULER.match(line) is not None and _ROW.match(line) is not None for line in lines
    )
    others = len(lines) - rulers - rows
    is_ruled = rulers > 0 or not others
    return is_ruled and rows >= LEAST_ROWS and others <= MOST_OTHERS * len(lines)


class BoxedRows(WholeLines):
    """Makes blank lines of those that are drawn, and takes the outer bars off the others."""

    def _changed(self, lines: bytes) -> bytes:
        named = _HEAD.sub(lambda found: b"|" + found[1].replace(b"||", b"|") + b"|", _plain(lines))
        return _ROW.sub(rb"\1", RULER.sub(b"", named))


def _plain(lines: bytes) -> bytes:
    """Writes lines that are drawn with signs of Unicode with those of ASCII.

    They are so only where a line begins with one: others stand inside of cells.
    """
    if not _BEGINS_DRAWN.search(lines):
        return lines
    text = lines.decode("utf-8", "surrogateescape")
    return text.translate(_SIGNS).encode("utf-8", "surrogateescape")
