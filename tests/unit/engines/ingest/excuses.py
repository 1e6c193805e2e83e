"""Which notices excuse a table that is read otherwise than it should be: those of the fault.

A notice of one column excuses no other one, and a notice of the names excuses no values.
"""

import re
from collections.abc import Sequence

OF_VALUES = re.compile(
    r"as people write them|is read as text although|is read as numbers, in which|is no value"
    r"|is read with a decimal|no day of the calendar|named their zones|stays a text"
    r"|more than 15 digits|spreadsheets shorten|are texts: |cut to microseconds"
    r"|hexadecimal digits|^In .*, .* is read as "
)
"""What is said of the values of columns, which it names."""
OF_NAMES = re.compile(
    r"above the names|is read as the names|below the names|together name|of the same name"
    r"|that has no name|The rows are the|table of pandas|Left out beside|decimal comma"
    r"|names of their columns|blank lines? (is|are) left out|^Hidden, |Only the first sheet"
    r"|is a note|are notes|adds up"
)
"""What is said of the rows above and below the data, of names, and of parts that are not read."""
OF_ROWS = re.compile(r"\b[Rr](ows?|ecord) \d")
"""What names rows, and so tells which of them are none."""
Lines = Sequence[Sequence[str]]
"""A table as rows of cells, of which the first has the names with the letters of their types."""


def excuse(expected: Lines, read: Lines, notices: Sequence[str]) -> bool:
    """Tells whether a notice concerns what is otherwise than it should be.

    Args:
        expected: The table that the file stands for; nothing where nobody could tell it.
        read: The table as it was read.
        notices: What was said.

    Returns:
        Whether one does, of each column that is wrong.
    """
    of_all = [one for one in notices if not OF_VALUES.search(one)]
    if not expected or len(expected) != len(read) or _names(expected) != _names(read):
        return bool(of_all) or any(map(OF_ROWS.search, notices))
    if any(not OF_NAMES.search(one) for one in of_all):
        return True
    wrong = [
        name
        for at, name in enumerate(_names(expected))
        if [row[at] for row in expected] != [row[at] for row in read]
    ]
    commas = any("decimal comma" in one for one in of_all)
    return all(any(name[:20] in one for one in notices) or commas for name in wrong)


def _names(table: Lines) -> list[str]:
    return [name.rpartition(":")[0] or name for name in table[0]]
