"""Tables that stand beside each other, parted by columns without any cell.

A smaller one that begins or ends in other rows, such as a key or sums beside the data, is none of
it. Of others nobody can tell whether a blank column parts two tables or the parts of one: they are
read as one, and this is said.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pyarrow.parquet as pq

from modelwright.engines.ingest.cell_range import letters_of
from modelwright.engines.ingest.quoted_length import MOST_NAMED, QUOTED_LENGTH

LEAST_COLUMNS = 2
"""A table has so many columns; a single one beside others may be remarks, which end anywhere."""
LEAST_SHORTER = 2
"""So many rows before or behind the others a table of its own begins or ends."""


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring columns, in which the sampled rows have cells."""

    first: int
    last: int
    """Columns, counted from 0."""
    start: int
    end: int
    """The first and the last of the sampled rows that have several cells in them, from 0."""
    cells: int
    is_dense: bool
    """No row between them is blank here."""

    @property
    def is_table(self) -> bool:
        """Whether the block is wide enough for one."""
        return self.last - self.first + 1 >= LEAST_COLUMNS and self.cells > LEAST_COLUMNS

    @property
    def columns(self) -> str:
        """The columns as sheets call them, such as `A:C`."""
        return f"{letters_of(self.first)}:{letters_of(self.last)}"


def blocks_of(rows: Sequence[Collection[int]]) -> list[Block]:
    """Returns the blocks of columns that columns without any cell part.

    Args:
        rows: For each row, the columns in which it has cells.

    Returns:
        Blocks, from left to right.
    """
    used = sorted(set().union(*rows))
    runs: list[list[int]] = []
    for column in used:
        if runs and runs[-1][-1] == column - 1:
            runs[-1].append(column)
        else:
            runs.append([column])
    place_of = {column: place for place, run in enumerate(runs) for column in run}
    # One pass over the cells: a sheet may have thousands of blocks.
    filled: list[dict[int, int]] = [{} for _ in runs]
    for number, row in enumerate(rows):
        for column in row:
            cells = filled[place_of[column]]
            cells[number] = cells.get(number, 0) + 1
    return [_block(run, cells) for run, cells in zip(runs, filled, strict=True)]


def _block(columns: Sequence[int], filled: Mapping[int, int]) -> Block:
    """Makes a block of its columns and the number of cells in each of its rows."""
    # A single cell is a title or a note.
    held = [row for row, number in filled.items() if number >= LEAST_COLUMNS] or [0]
    dense = all(row in filled for row in range(held[0], held[-1] + 1))
    return Block(columns[0], columns[-1], held[0], held[-1], sum(filled.values()), dense)


def main_block(blocks: Sequence[Block]) -> Block | None:
    """Returns the only table that is to be read, where the others plainly are tables of their own.

    Args:
        blocks: The blocks of a sheet.

    Returns:
        The largest block, or None where all are read together.
    """
    tables = [block for block in blocks if block.is_table]
    if len(tables) < LEAST_COLUMNS:
        return None
    largest = max(tables, key=lambda block: block.cells)
    others = [block for block in tables if block is not largest]
    return largest if all(_is_apart(block, largest) for block in others) else None


def _is_apart(block: Block, largest: Block) -> bool:
    """Returns whether a block begins or ends in other rows than the largest one."""
    begins, ends = abs(block.start - largest.start), abs(block.end - largest.end)
    return block.is_dense and max(begins, ends) >= LEAST_SHORTER


def said_of_blocks(blocks: Sequence[Block], main: Block | None, sheet: str) -> list[str]:
    """Says that tables stand side by side, which is read, and how another one is chosen.

    Args:
        blocks: The blocks of a sheet.
        main: The one that is read; None where all are read together.
        sheet: The name of the sheet.

    Returns:
        One sentence, or none.
    """
    tables = [block for block in blocks if block.is_table]
    if len(tables) < LEAST_COLUMNS:
        return []
    shown = tables[: MOST_NAMED + 1]
    named = ", ".join(block.columns for block in shown if block is not main)
    more = " and more" if len(tables) > len(shown) else ""
    if main is None:
        choice = f"{sheet}!{tables[0].columns}"
        return [
            (
                f"Empty columns part the sheet ({named}{more}), and all is read as one table: name"
                f" cells as sheet, such as {choice!r}, if they are tables of their own."
            )
        ]
    other = next(block for block in tables if block is not main)
    choice = f"{sheet}!{other.columns}"
    return [
        (
            f"Other tables stand beside the one in {main.columns} ({named}{more}) and are not read:"
            f" name their cells as sheet, such as {choice!r}, to read one instead."
        )
    ]


def said_of_names_again(names: Sequence[str]) -> list[str]:
    """Says that the names of the columns come again in their order, as those of two tables do.

    Args:
        names: The names as the file has them.

    Returns:
        One sentence, or none.
    """
    plain = [name.strip().casefold() for name in names]
    for number in range(LEAST_COLUMNS, len(plain) // 2 + 1):
        if all(plain[:number]) and plain[:number] == plain[number : 2 * number]:
            return [
                (
                    f"The names {names[0]!r} to {names[number - 1]!r} come again beside each other,"
                    " and all is read as one table: name cells as sheet, or save each part as a"
                    " file of its own, if they are tables side by side."
                )
            ]
    return []


def said_of_short_columns(path: Path, choice: str) -> list[str]:
    """Says which neighbouring columns all end rows before the others, as a smaller table does.

    Args:
        path: The table as it was written.
        choice: How another table is read, as a sentence.

    Returns:
        One sentence, or none.
    """
    with pq.ParquetFile(path) as file:
        filled = _filled(file)
        names = file.schema_arrow.names
        for count, run in groupby(range(len(names)), key=filled.__getitem__):
            columns = list(run)
            longer = sum(number > count + 1 for number in filled)
            if len(columns) >= LEAST_COLUMNS and count >= LEAST_SHORTER and longer > 1:
                some = [names[place] for place in columns]
                if _are_whole(file, some, count):
                    first, last = (f"{name!r:.{QUOTED_LENGTH}}" for name in (some[0], some[-1]))
                    return [
                        (
                            f"The columns {first} to {last} have values in the first {count:,} of"
                            f" {file.metadata.num_rows:,} rows and in no other: they may be a"
                            f" table of their own. {choice}"
                        )
                    ]
    return []


def _filled(file: pq.ParquetFile) -> list[int]:
    """Counts the values of each column."""
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    return [
        sum(one.num_rows - one.column(place).statistics.null_count for one in groups)
        if all(one.column(place).statistics for one in groups)
        else 0
        for place in range(file.metadata.num_columns)
    ]


def _are_whole(file: pq.ParquetFile, names: list[str], count: int) -> bool:
    """Returns whether the first rows have a value in each of some columns."""
    left = count
    for batch in file.iter_batches(columns=names):
        some = batch.slice(0, left)
        if any(column.null_count for column in some.columns):
            return False
        left -= some.num_rows
        if not left:
            break
    return True


def said_of_empty_columns(names: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Says of a text which column without name and cells parts its columns.

    Args:
        names: The names of the columns, blank where there is none.
        rows: The first rows below them.

    Returns:
        One sentence, or none.
    """
    columns = [place for place, name in enumerate(names) if name.strip()]
    filled = [{place for place, cell in enumerate(row) if cell.strip()} for row in rows]
    tables = [one for one in blocks_of([columns, *filled]) if one.is_table] if columns else []
    if len(tables) < LEAST_COLUMNS:
        return []
    first, other = (f"{names[one.first]!r} to {names[one.last]!r}" for one in tables[:2])
    return [
        (
            f"A column without name or cells parts {first} from {other}, and all is read as one"
            " table: save each as a file of its own if they are two."
        )
    ]
