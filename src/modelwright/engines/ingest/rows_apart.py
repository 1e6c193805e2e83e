"""Rows that are written unlike all others: without words, as headings of groups, as statistics.

They stay among the data, because they may belong to it, and are told.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from modelwright.engines.ingest.quoted_length import QUOTED_LENGTH
from modelwright.engines.ingest.repaired_rows import lines_named

LEAST_ROWS = 3
"""Fewer rows tell nothing of one of them."""
MOST_SHARE = 0.34
"""So large a share of the rows may be unlike the others."""
LEAST_COLUMNS = 3
"""In a table of two columns a row that lacks one is nothing odd, unless it is the last."""
FOOT_ROWS = 10
"""Statistics stand in so many last rows."""
LEAST_CELLS = 2
"""So many words that are unlike each other tell that rows are of one kind."""
_STATISTIC = re.compile(
    r"(?i)\s*(mean|median|mode|std|sd|se|sem|stdev|st\.? ?dev\.?|std\.? ?dev(iation)?"
    r"|standard deviation|var(iance)?|min(imum)?|max(imum)?|range|count|n|cv|rsd"
    r"|anzahl|standardabweichung|median[ae]?|moyenne|[ée]cart[ -]type|m[ií]n\.?|m[áa]x\.?)\s*:?\s*"
)
_SURE_STATISTIC = re.compile(
    r"(?i)\s*(mean|median|std|stdev|st\.? ?dev\.?|std\.? ?dev(iation)?|standard deviation"
    r"|variance|standardabweichung|moyenne|[ée]cart[ -]type)\s*:?\s*"
)
SPOKEN = re.compile(r"(?s)(?=.*[^\W\d_]{3}).*[\s:]")
"""A cell with words: letters, and a blank or a colon."""
_SIDEWAYS_ROWS = 30
"""A table that lies on its side has so few rows at the most."""


def said_of_rows_apart(path: Path) -> list[str]:
    """Says which rows look like sums without a word, headings, statistics or notes.

    Args:
        path: The table as it was written.

    Returns:
        Sentences.
    """
    with pq.ParquetFile(path) as file:
        rows, schema = file.metadata.num_rows, file.schema_arrow
        words = [one.name for one in schema if pa.types.is_string(one.type)]
        others = [one.name for one in schema if not pa.types.is_string(one.type)]
        if rows < LEAST_ROWS or len(schema) < LEAST_CELLS or not words:
            return []
        told = _said_of_statistics(file, schema.names[0])
        if schema.names[0] not in words:
            return told
        without = _rows_without(file, words) if others else []
        if without:
            where = lines_named(without, "row")
            told.append(f"There are no words in {where}, unlike in the others: they may be sums.")
        if alone := _rows_without(file, schema.names[1:]):
            told += _said_of_headings(file, alone)
    return told


def said_of_sideways(path: Path) -> list[str]:
    """Says that a table looks as if it lay on its side, with one column for each record.

    Then the values of a row are alike, and those of a column are not.

    Args:
        path: The table as it was written.

    Returns:
        One sentence, or none.
    """
    with pq.ParquetFile(path) as file:
        schema, rows = file.schema_arrow, file.metadata.num_rows
        all_words = all(pa.types.is_string(one.type) for one in schema)
        if not all_words or not LEAST_CELLS <= rows <= _SIDEWAYS_ROWS:
            return []
        if len(schema) <= LEAST_CELLS:
            return []
        cells = [[one or "" for one in column.to_pylist()] for column in file.read().columns[1:]]
    turned = list(zip(*cells, strict=True))
    numbers = [[_is_number(cell) for cell in row] for row in turned]
    alike = all(len(set(row)) == 1 for row in numbers)
    if not alike or len({row[0] for row in numbers}) < LEAST_CELLS:
        return []
    said = "The table looks as if it lay on its side: each row holds values of one kind, and each"
    turn = "Turn it before it is uploaded if its rows should be columns."
    return [f"{said} column values of several. {turn}"]


def _is_number(cell: str) -> bool:
    plain = cell.strip().replace(",", "").lstrip("-")
    return plain.replace(".", "", 1).isdigit()


def _rows_without(file: pq.ParquetFile, names: Sequence[str]) -> list[int]:
    """Returns the rows, from 1, that lack all of some columns, where no other lacks the first."""
    number = _null_count(file, names[0])
    most = MOST_SHARE * file.metadata.num_rows
    if not 0 < number <= most or any(_null_count(file, one) < number for one in names[1:]):
        return []
    apart = file.read([names[0]]).column(names[0]).combine_chunks().is_null()
    for name in names[1:]:
        apart = pc.and_(apart, file.read([name]).column(name).combine_chunks().is_null())
    places: list[int] = pc.indices_nonzero(apart).to_pylist()
    return [place + 1 for place in places] if len(places) == number else []


def _null_count(file: pq.ParquetFile, name: str) -> int:
    """Returns how many rows lack a value, by what the file says of its parts."""
    place, groups = file.schema_arrow.names.index(name), range(file.num_row_groups)
    told = [file.metadata.row_group(group).column(place).statistics for group in groups]
    return sum(one.null_count for one in told if one is not None and one.has_null_count)


def _said_of_headings(file: pq.ParquetFile, rows: list[int]) -> list[str]:
    """Says which rows have a word in the first column and nothing else."""
    names, is_last = file.schema_arrow.names, rows == [file.metadata.num_rows]
    is_narrow = len(names) < LEAST_COLUMNS
    cell = file.read([names[0]]).column(names[0])[rows[0] - 1].as_py()
    if cell is None or (is_narrow and not (is_last and SPOKEN.match(cell))):
        return []
    where, name = lines_named(rows, "row"), names[0][:QUOTED_LENGTH]
    what = "it may be a note" if is_last else "they may be headings of groups"
    return [f"Nothing but {name} ({cell[:QUOTED_LENGTH]!r}) has a value in {where}: {what}."]


def _said_of_statistics(file: pq.ParquetFile, name: str) -> list[str]:
    """Says which of the last rows begin with the name of a statistic, such as `Mean`."""
    total = file.metadata.num_rows
    column = file.read([name]).column(name).slice(max(total - FOOT_ROWS, 0))
    cells = ["" if cell is None else str(cell) for cell in column.to_pylist()]
    at = len(cells)
    while at and _STATISTIC.fullmatch(cells[at - 1]):
        at -= 1
    found = cells[at:]
    if at == 0 or not any(map(_SURE_STATISTIC.fullmatch, found)):
        return []
    where = lines_named(range(total - len(found) + 1, total + 1), "row")
    quoted = ", ".join(map(repr, found))
    said = f"The beginning of {where} ({quoted}) names a statistic of the rows above"
    return [f"{said}, but is counted like any other row."]
