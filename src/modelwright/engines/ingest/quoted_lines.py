"""Texts of which each line stands in quotes as a whole, as some exports have it: `"1,""a"",2"`."""

import csv
import re

from modelwright.engines.ingest.whole_lines import WholeLines

LEAST_LINES = 2
"""So many lines tell that all stand in quotes."""
MOST_LINES = 200
"""So many first lines are looked at."""
SAMPLE_BYTES = 2**20
"""Bytes of the text that are looked at."""
SAID = "Each line stands in quotes as a whole, which are taken off."
_LINE = re.compile(rb'^"((?:[^"\r\n]|"")*)"(?=\r?$)', re.MULTILINE)
_DELIMITERS = (",", ";", "\t", "|")


def are_quoted(sample: bytes) -> bool:
    """Returns whether each line is one quoted cell, and all hold equally many cells themselves.

    Args:
        sample: The first bytes of the file, in UTF-8.

    Returns:
        Whether the quotes are none of the table.
    """
    lines = [line for line in sample[:SAMPLE_BYTES].splitlines()[: MOST_LINES + 1] if line.strip()][
        :MOST_LINES
    ]
    found = [_LINE.fullmatch(line) for line in lines]
    if len(lines) < LEAST_LINES or not all(found):
        return False
    inside = [_bare(one).decode("utf-8", "replace") for one in found if one]
    widths = ({len(row) for row in csv.reader(inside, delimiter=sign)} for sign in _DELIMITERS)
    return any(len(width) == 1 and max(width) > 1 for width in widths)


def _bare(found: re.Match[bytes]) -> bytes:
    return found[1].replace(b'""', b'"')


class QuotedLines(WholeLines):
    """Takes the quotes off lines."""

    def _changed(self, lines: bytes) -> bytes:
        return _LINE.sub(_bare, lines)
