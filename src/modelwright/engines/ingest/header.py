"""Whether the first row of a table names its columns or is data already."""

from itertools import pairwise

import pyarrow as pa

from modelwright.engines.ingest.kinds import Kind, join
from modelwright.engines.ingest.texts import Texts

JUDGED = 500
"""So many columns are enough to tell a header."""
TYPED = ("integer", "float", "boolean", "date", "datetime", "instant")


def has_header(rows: list[list[str]]) -> bool:
    """Tells names from data: names differ in kind from what stands below them.

    Where nothing differs, a first row that would be a good row of data is one, unless its numbers
    count up one by one beside some text, as the years of a cross table do.
    """
    judged = _judged(rows)
    if any(map(_contrast, judged)):
        return True
    first = [kind for kind, _ in judged]
    if len(rows) == 1:
        return not all(kind in TYPED for kind in first)
    typed = [(kind, rest) for kind, rest in judged if rest in TYPED]
    if not typed or any(kind not in TYPED or join(kind, rest) == "string" for kind, rest in typed):
        return True
    return "string" in first and _counts_up(rows[0], first)


def has_names(rows: list[list[str]]) -> bool:
    """Tells whether the first row differs in kind from what stands below it."""
    return any(map(_contrast, _judged(rows)))


def _judged(rows: list[list[str]]) -> list[tuple[Kind, Kind]]:
    """Gives for each column the kind of its first cell and of the cells below it."""
    judged = []
    for place, cell in enumerate(rows[0][:JUDGED]):
        below = [row[place] or None for row in rows[1:] if place < len(row)]
        judged.append((_kind([cell or None]), _kind(below)))
    return judged


def _kind(cells: list[str | None]) -> Kind:
    return Texts(pa.array(cells, pa.string())).kind()


def _contrast(judged: tuple[Kind, Kind]) -> bool:
    first, rest = judged
    return rest in TYPED and first == "string"


def _counts_up(row: list[str], kinds: list[Kind]) -> bool:
    numbers = [int(cell) for cell, kind in zip(row, kinds, strict=False) if kind == "integer"]
    steps = {after - before for before, after in pairwise(numbers)}
    return steps == {1}
