"""Rows of a text or sheet that are none of its data: names again, a sum or notes at the foot.

They are looked for once a table is written, and where there are any it is written again without.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from modelwright.engines.ingest.header import MIN_TITLED_CELLS, TYPED, kind_of
from modelwright.engines.ingest.kinds import Kind, common_type
from modelwright.engines.ingest.odd_values import OddColumn, another_table
from modelwright.engines.ingest.quoted_length import QUOTED_LENGTH
from modelwright.engines.ingest.repaired_rows import lines_named
from modelwright.engines.ingest.rows_apart import SPOKEN
from modelwright.engines.ingest.table import BrokenFile
from modelwright_runtime.number_parsing import form_of, written_in

LEAST_ROWS = 3
"""Fewer rows do not tell that one is their sum."""
MOST_ABOVE = 1_000_000
"""Above so many rows, blank ones above another table are not looked for."""
FOOT_ROWS = 10
"""Rows at the end that are looked at for sums and notes."""
SUM_TOLERANCE = 1e-6
"""A sum may differ by so much of what is added up, as it was rounded."""
BARE = " \t\"'"
_SUM = re.compile(
    r"(?i)\s*((grand|overall)[ -])?(totals?|sums?|summe|gesamt(summe)?|insgesamt|somme|totale"
    r"|totaal|suma|total g[eé]n[eé]ral|итого|всего|合计|总计)( +\d{4})?\s*:?\s*"
)


@dataclass(frozen=True, slots=True)
class NonDataRows:
    """What is left out while a table is read."""

    names: tuple[str, ...] = ()
    """Rows that say these once more."""
    rows: int | None = None
    """Rows from this number on, counted from 0 without those above."""
    blanks: bool = False
    """Rows without a value in any column."""
    notices: tuple[str, ...] = ()


def find_non_data_rows(
    path: Path,
    foot: pa.Table,
    known: NonDataRows,
    line_of: Callable[[Sequence[str]], int | None],
) -> NonDataRows | None:
    """Looks for more that is none of the data, by the table as written and its last rows.

    Args:
        path: The table as it was written.
        foot: Its last rows.
        known: What was left out already.
        line_of: Finds the line of the file with some cells.

    Returns:
        What to leave out too, or None where there is no more.

    Raises:
        BrokenFile: A row names the columns once more, in another order.
    """
    texts = [one.name for one in foot.schema if pa.types.is_string(one.type)]
    if len(texts) == foot.num_columns > 1 and not known.names:
        again = _repeated(path, foot.column_names)
        if again:
            row = "1 row repeats" if len(again) == 1 else f"{len(again):,} rows repeat"
            where = lines_named(again, "row")
            left_out = _left_out(len(again))
            said = f"{row} the names of the columns ({where} of the data) and {left_out}."
            names = tuple(foot.column_names)
            return replace(known, names=names, notices=(*known.notices, said))
    if len(texts) == foot.num_columns > 1:
        _refuse_other_order(path, foot.column_names, line_of)
    if foot.num_columns == 1 or not foot.num_rows:
        return None
    with pq.ParquetFile(path) as file:
        return _without_blanks(file, foot, known) or (
            _without_foot(file, foot, known) if texts else None
        )


def sifted(columns: Sequence[pa.Array], aside: NonDataRows, read: int) -> list[pa.Array]:
    """Returns the rows of text columns that are data, where so many were read before.

    Args:
        columns: Columns of one piece.
        aside: What is left out.
        read: Rows of the pieces before.

    Returns:
        Columns of the rows that are data.
    """
    kept = list(columns)
    if aside.names:
        data = pc.invert(_names_again(kept, aside.names))
        kept = [column.filter(data) for column in kept]
    if aside.rows is not None:
        kept = [column.slice(0, max(aside.rows - read, 0)) for column in kept]
    return kept


def _names_again(columns: Sequence[pa.Array], names: Sequence[str]) -> pa.Array:
    """Tells of each row whether its cells are all the names of their columns."""
    again = pc.equal(_bare(columns[0]), names[0])
    for column, name in zip(columns[1:], names[1:], strict=True):
        again = pc.and_(again, pc.equal(_bare(column), name))
    return pc.fill_null(again, False)


def without_blanks(columns: list[pa.Array], blank: pa.Array) -> list[pa.Array]:
    """Returns the rows that have any value.

    Args:
        columns: Columns of one piece.
        blank: Which rows have none.

    Returns:
        Columns of the rows that are data.
    """
    return [one.filter(pc.invert(blank)) for one in columns]


def _bare(texts: pa.Array) -> pa.Array:
    """Takes blanks and quotes off cells; in files that were joined a mark parts them from these."""
    return pc.utf8_trim(texts, characters=BARE)


def bare_cells(cells: Iterable[str | None]) -> list[str]:
    """Takes blanks and quotes off cells.

    Args:
        cells: Texts, None where there is none.

    Returns:
        What is left of them.
    """
    return [(cell or "").strip(BARE) for cell in cells]


def is_note(cells: Sequence[str | None], width: int) -> bool:
    """Returns whether a row of a table of some columns has words in one cell, and nothing else.

    A delimiter in them may make several cells of them, half of the row at the most. A single word
    may be the start of a row that was cut short.

    Args:
        cells: Texts, None where there is none.
        width: Columns of the table.

    Returns:
        Whether the row is a note.
    """
    filled = [cell.strip() for cell in cells if cell and cell.strip()]
    few = len(filled) == 1 or (len(cells) < width and 0 < 2 * len(filled) <= width)
    return width >= MIN_TITLED_CELLS and few and all(map(SPOKEN.match, filled))


def notes_left_out(texts: Sequence[str]) -> str:
    """Says which lines at the foot were passed over.

    Args:
        texts: The notes.

    Returns:
        A sentence.
    """
    quoted = ", ".join(repr(text.strip()[:QUOTED_LENGTH]) for text in texts)
    lines = "The last line is a note" if len(texts) == 1 else f"The last {len(texts)} lines are"
    lines += "" if len(texts) == 1 else " notes"
    return f"{lines} ({quoted}) and {_left_out(len(texts))}."


def said_above(rows: Sequence[Sequence[str]], completed: int) -> tuple[str, ...]:
    """Says which rows stand above the names of the columns, where there is anything in them.

    The last ones, which completed the names, are none of them.

    Args:
        rows: The rows above.
        completed: How many of the last ones completed the names.

    Returns:
        One sentence, or none.
    """
    if rows and completed:
        number = {1: "Two", 2: "Three"}.get(completed, "Several")
        said = f"{number} lines together name the columns."
        return (*said_above(rows[:-completed], 0), said)
    texts = [next(filter(None, map(str.strip, row)), "") for row in rows]
    quoted = ", ".join(repr(text[:QUOTED_LENGTH]) for text in texts if text)
    if not quoted:
        return ()
    first = "The first line stands" if len(rows) == 1 else f"The first {len(rows)} lines stand"
    left_out = _left_out(len(rows))
    return (f"{first} above the names of the columns ({quoted}) and {left_out}.",)


def _left_out(number: int) -> str:
    return "is left out" if number == 1 else "are left out"


def _repeated(path: Path, names: Sequence[str]) -> list[int]:
    """Returns the rows, counted from 1, whose cells are all the names of their columns."""
    found, before = list[int](), 0
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(columns=[names[0]]):
            if pc.any(pc.equal(_bare(batch.column(names[0])), names[0])).as_py():
                break
        else:
            return found
        for batch in file.iter_batches():
            again = pc.indices_nonzero(_names_again(batch.columns, names))
            found += [before + place + 1 for place in again.to_pylist()]
            before += batch.num_rows
    return found


def _without_blanks(file: pq.ParquetFile, foot: pa.Table, known: NonDataRows) -> NonDataRows | None:
    """Leaves out rows at the foot that have nothing in any cell."""
    if any(column[-1].is_valid for column in foot.columns):
        return None
    rows = file.metadata.num_rows
    for group in reversed(range(file.num_row_groups)):
        table = file.read_row_group(group)
        ends = (pc.indices_nonzero(pc.is_valid(column)) for column in table.columns)
        last = max((int(end[-1].as_py()) for end in ends if len(end)), default=-1)
        rows -= table.num_rows - last - 1
        if last >= 0:
            break
    empty = file.metadata.num_rows - rows
    said = "The last row is empty" if empty == 1 else f"The last {empty} rows are empty"
    notices = (*known.notices, f"{said} and {_left_out(empty)}.")
    return replace(known, rows=rows, notices=notices) if rows else None


def _without_foot(file: pq.ParquetFile, foot: pa.Table, known: NonDataRows) -> NonDataRows | None:
    rows = foot.to_pylist()
    at = len(rows)
    while at and _says_little(rows[at - 1], foot.num_columns):
        at -= 1
    before = file.metadata.num_rows - len(rows)
    if at and (label := _label(rows[at - 1])) and _adds_up(file, rows[at - 1], before + at - 1):
        notes = [label, *_words(rows[at:])]
        sums = f"The last row ({label!r}) adds up the rows above it and is left out."
        more = f"The last rows ({', '.join(map(repr, notes))}) are the sum of those above and"
        said = sums if at == len(rows) else f"{more} notes, and are left out."
        return replace(known, rows=before + at - 1, notices=(*known.notices, said))
    notes = _words(rows[at:])
    parted = at < len(rows) and all(value is None for value in rows[at].values())
    sure = any(map(_SUM.fullmatch, notes)) or parted or _spoils(file, rows[at:], before + at)
    if notes and before + at >= LEAST_ROWS and sure:
        said = notes_left_out(notes)
        return replace(known, rows=before + at, notices=(*known.notices, said))
    return _without_rows_of_words(file, rows, known)


def _without_rows_of_words(
    file: pq.ParquetFile, rows: Sequence[Mapping[str, Any]], known: NonDataRows
) -> NonDataRows | None:
    """Leaves out last rows that have words where all rows above have numbers or dates.

    They have them in several columns, or in the first one and nothing in another.
    """
    half = rows[: len(rows) // 2]
    if len(half) < LEAST_ROWS:
        return None
    spelt = [[None if value is None else str(value) for value in row.values()] for row in rows]
    names = list(rows[0])
    typed = [
        place
        for place in range(len(names))
        if all(row[place] for row in spelt[: len(half)])
        and kind_of([row[place] for row in spelt[: len(half)]]) in TYPED
    ]
    at, odd = len(rows), set[int]()
    while at > len(half) and (words := _words_among(spelt[at - 1], typed)):
        at, odd = at - 1, odd | words
    before = file.metadata.num_rows - len(rows) + at
    if not odd or not all(_kind_of(file, names[place], before) in TYPED for place in odd):
        return None
    said = notes_left_out([next(filter(None, row), "") for row in spelt[at:]])
    return replace(known, rows=before, notices=(*known.notices, said))


def _words_among(row: Sequence[str | None], typed: Sequence[int]) -> set[int]:
    """Returns the columns of numbers and dates in which a row at the foot has words."""
    words = {
        place
        for place in typed
        if (cell := row[place]) and any(map(str.isalpha, cell)) and kind_of([cell]) == "string"
    }
    blank = any(not row[place] for place in typed)
    return words if len(words) > 1 or (0 in words and blank) else set()


def without_another_table(
    path: Path, odd: Sequence[OddColumn], known: NonDataRows, choice: str
) -> NonDataRows | None:
    """Leaves out the rows from those on that name the columns of another table.

    Args:
        path: The table as it was written.
        odd: Columns with odd values.
        known: What was left out already.
        choice: How another table is read, as a sentence.

    Returns:
        What to leave out too, or None where no other table begins.
    """
    row = another_table(path, odd)
    if row is None:
        return None
    with pq.ParquetFile(path) as file:
        table = file.read().slice(0, row) if row < MOST_ABOVE else None
        above = table.slice(max(row - FOOT_ROWS, 0)).to_pylist() if table is not None else []
        width = file.metadata.num_columns
        named = _row_of(file, row)
    while above and _says_little(above[-1], width):
        above.pop()
        row -= 1
    said = (
        f"Another table begins below the first {row:,} rows (with {named}): only the first is read."
        f" {choice}"
    )
    return replace(known, rows=row, notices=(*known.notices, said))


def _row_of(file: pq.ParquetFile, number: int) -> str:
    for batch in file.iter_batches():
        if number < batch.num_rows:
            cells = batch.slice(number, 1).to_pylist()[0].values()
            return ", ".join(repr(str(cell)[:QUOTED_LENGTH]) for cell in cells if cell is not None)
        number -= batch.num_rows
    return ""


def _refuse_other_order(
    path: Path, names: Sequence[str], line_of: Callable[[Sequence[str]], int | None]
) -> None:
    """Refuses a table in which a row names the columns once more, in another order."""
    known = pa.array(names, pa.string())
    before = 0
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches():
            named = pc.fill_null(pc.is_in(_bare(batch.column(names[0])), known), False)
            for place in pc.indices_nonzero(named).to_pylist():
                cells = bare_cells(column[place].as_py() for column in batch.columns)
                if sorted(cells) == sorted(names) and cells != list(names):
                    raise BrokenFile(
                        f"Row {before + place + 1:,} of the data names the columns once more, in"
                        f" another order ({', '.join(cells)[:QUOTED_LENGTH]}): save what is below"
                        " it as a file of its own.",
                        line=line_of(cells),
                        expected=", ".join(names)[:QUOTED_LENGTH],
                    )
            before += batch.num_rows


def _says_little(row: Mapping[str, Any], width: int) -> bool:
    filled = [value for value in row.values() if value is not None and value != ""]
    if len(filled) != 1 or not isinstance(filled[0], str):
        return not filled
    return is_note(filled, width) or (width >= MIN_TITLED_CELLS and _label(row) is not None)


def _words(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    cells = [value for row in rows for value in row.values() if isinstance(value, str)]
    return [cell.strip()[:QUOTED_LENGTH] for cell in cells if cell.strip()]


def _label(row: Mapping[str, Any]) -> str | None:
    """Returns the words for a sum that a row begins with."""
    first = next((value for value in row.values() if value is not None and value != ""), None)
    words = first.strip() if isinstance(first, str) else ""
    return words if len(words) <= QUOTED_LENGTH and _SUM.fullmatch(words) else None


def _adds_up(file: pq.ParquetFile, row: Mapping[str, Any], rows: int) -> bool:
    """Returns whether a value is the sum of those in the rows above."""
    if rows < LEAST_ROWS:
        return False
    for name, value in row.items():
        if value is None or isinstance(value, bool):
            continue
        column = file.read([name])[name].slice(0, rows)
        if isinstance(value, str):
            told, values = _amounts(value, column)
        elif isinstance(value, int | float):
            told, values = float(value), pc.cast(column, pa.float64(), safe=False)
        else:
            continue
        total, size = (pc.sum(one).as_py() or 0.0 for one in (values, pc.abs(values)))
        half = 0.5 * 10.0 ** -len(str(told).removesuffix(".0").partition(".")[2])
        if told and math.isclose(told, total, rel_tol=0, abs_tol=max(SUM_TOLERANCE * size, half)):
            return True
    return False


def _amounts(value: str, column: pa.ChunkedArray) -> tuple[float, pa.ChunkedArray]:
    """Reads a text and those above it as amounts, where all of them are."""
    coded = column.combine_chunks().dictionary_encode()
    texts = coded.dictionary.to_pylist()
    form = form_of([*texts, value])
    if form is None:
        return 0.0, pa.array([], pa.float64())
    written = written_in(form, texts)
    read = pa.array(map(written.read, texts), pa.float64(), from_pandas=True)
    return written.read(value), read.take(coded.indices)


def _spoils(file: pq.ParquetFile, notes: Sequence[Mapping[str, Any]], rows: int) -> bool:
    """Returns whether the columns of notes are of numbers, dates or truths but for them."""
    names = {name for row in notes for name, value in row.items() if value is not None}
    return all(_kind_of(file, name, rows) in TYPED for name in names)


def _kind_of(file: pq.ParquetFile, name: str, rows: int) -> Kind:
    kind: Kind = "empty"
    for batch in file.iter_batches(columns=[name]):
        kind = common_type(kind, _kind_of_batch(batch.column(name).slice(0, max(rows, 0))))
        rows -= batch.num_rows
        if kind == "string":
            break
    return kind


def _kind_of_batch(column: pa.Array) -> Kind:
    if pa.types.is_string(column.type):
        return kind_of(pc.unique(column).to_pylist())
    return kind_of(column.slice(0, 1).cast(pa.string()).to_pylist())
