r"""Texts as PostgreSQL's `COPY`, MySQL's `SELECT INTO OUTFILE` and `mysql --batch` write them.

Tabs part their cells, `\N` or `NULL` stands for no value, and a tab, a line end or a backslash
inside of a cell is written with a backslash before it.
"""

import re

import pyarrow as pa
import pyarrow.compute as pc

SAID = "Backslashes are read as PostgreSQL and MySQL write them: \\t as a tab, \\n as a line end."
SAMPLE_BYTES = 1024 * 1024
"""Bytes of a file that are looked at."""
_NOTHING = re.compile(rb"(?m)(^|\t)\\N(?=\t|\r?$)")
_NULL = re.compile(rb"(?m)(^|\t)NULL(?=\t|\r?$)")
_SURE = re.compile(
    rb"(?<=[\w:])\\\\(?=\w)"
    rb"|(?<=[^\\\s])\\[nt](?= |\\[nt])"
    rb"|(?<=[.;:!?])\\n(?=[A-Z])"
)
r"""An escape of a batch that is neither TeX nor the start of a name: `\\temp`, `.\n\nThen`."""
_FOLDER = re.compile(rb"(?m)\b[A-Za-z]:\\(?!\\)|(?:^|\t)\\\\[^\\\t\r\n]+\\(?!\\)")
"""A folder of Windows, which other programs write beside `NULL`: its backslashes are no escapes."""
_BACKSLASH = re.compile(rb"(?s)\\(.)")
_ESCAPE = re.compile(r"\\([\\tnrbfv])")
_MEANT = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}


def is_copied(sample: bytes) -> bool:
    r"""Returns whether a text has gaps as databases copy them, and no backslash of another use.

    Other programs write `NULL` as well as a batch of MySQL does, which escapes nothing but tabs,
    line ends and backslashes; some escape has to be a sure one, too. `\N` is sign enough.

    Args:
        sample: The first bytes of the file, in UTF-8.

    Returns:
        Whether its backslashes are escapes.
    """
    start = sample[:SAMPLE_BYTES]
    signs = set(b"".join(_BACKSLASH.findall(start)))
    if _NOTHING.search(start):
        return signs <= set(b"N\\tnrbfv")
    is_batch = signs <= set(b"\\tn") and _SURE.search(start) and not _FOLDER.search(start)
    return bool(is_batch) and _NULL.search(start) is not None


def meant(texts: pa.Array) -> pa.Array:
    """Returns the texts that are meant by those with escapes; the same array where there are none.

    Args:
        texts: An array of strings.

    Returns:
        As many strings.
    """
    escaped = pc.fill_null(pc.match_substring_regex(texts, r"\\[\\tnrbfv]"), False)
    if not pc.any(escaped, min_count=0).as_py():
        return texts
    told = [
        None if text is None else _ESCAPE.sub(lambda found: _MEANT[found[1]], text)
        for text in texts.to_pylist()
    ]
    return pa.array(told, pa.string())
