"""Opens a file with the reader of its format and has it written to Parquet."""

import re
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from modelwright.engines.ingest.aligned import Squeezer, is_aligned
from modelwright.engines.ingest.aside import find_aside, without_another_table
from modelwright.engines.ingest.columnar import Columnar
from modelwright.engines.ingest.delimited import Delimited, DoubtfulReading
from modelwright.engines.ingest.dialect import Dialect, find_dialect
from modelwright.engines.ingest.encodings import TextEncoding, decoder_of
from modelwright.engines.ingest.formats import KNOWN, Found, find_format
from modelwright.engines.ingest.odd_values import find_odd, said_of_gaps, said_of_texts
from modelwright.engines.ingest.records import Records
from modelwright.engines.ingest.settling import Source, write_settled
from modelwright.engines.ingest.sheet import Sheet
from modelwright.engines.ingest.streaming import Edit, PackedBytes, Recoder, TextStream, unchanged
from modelwright.engines.ingest.table import Bounds, BrokenFile, Format, Table

_NO_TEXT = re.compile(r"\.(xlsx?|parquet)(?= )")
"""The end of a name, before the declared type, of a file that should not be text."""


def write_parquet(
    source: Path,
    target: Path,
    hints: str,
    bounds: Bounds,
    scratch: Path,
    progress: Callable[[float], None],
) -> Table:
    """Writes any file as Parquet; refuses what is broken or beyond the bounds."""
    pa.set_cpu_count(bounds.threads)
    pa.set_io_thread_count(1)
    found = find_format(source, hints, bounds)

    encoding = TextEncoding(lambda: PackedBytes(source, found.packing, bounds))

    def opened(edit: Edit = unchanged) -> TextStream:
        packed = PackedBytes(source, found.packing, bounds, advanced)
        return TextStream(packed, edit, Recoder(encoding, decoder_of))

    def advanced(share: float) -> None:
        progress(0.9 * share)

    kind, reader = _reader(source, found, opened, hints, bounds, advanced)
    try:
        foot, rows, columns = write_settled(reader, target, scratch, bounds)
    except DoubtfulReading:
        reader.repair()  # type: ignore[attr-defined] # only delimited text is doubted
        foot, rows, columns = write_settled(reader, target, scratch, bounds)
    if isinstance(reader, Sheet) and reader.unmerge():
        foot, rows, columns = write_settled(reader, target, scratch, bounds)
    while isinstance(reader, Delimited | Sheet):
        more = find_aside(target, foot, reader.aside)
        if more is None:
            break
        reader.aside = more
        foot, rows, columns = write_settled(reader, target, scratch, bounds)
    odd = find_odd(target) if not isinstance(reader, Columnar) else []
    if isinstance(reader, Delimited | Sheet) and (
        cut := without_another_table(target, odd, reader.aside)
    ):
        reader.aside = cut
        foot, rows, columns = write_settled(reader, target, scratch, bounds)
        odd = find_odd(target)
    said = [*encoding.notices, *said_of_gaps(odd), *said_of_texts(odd)]
    if not isinstance(reader, Columnar) and said:
        reader.gaps = {column.name: column.gaps for column in odd if column.gaps}
        reader.said = said
        foot, rows, columns = write_settled(reader, target, scratch, bounds)
    named = _NO_TEXT.search(hints)
    if found.content == "delimited" and named and (rows == 0 or len(columns) == 1):
        raise BrokenFile(f"The file is named {named[0]} but holds plain text.", expected=KNOWN)
    return Table(kind, rows, columns, tuple(reader.notices))


def _reader(
    path: Path,
    found: Found,
    opened: Callable[..., TextStream],
    hints: str,
    bounds: Bounds,
    advanced: Callable[[float], None],
) -> tuple[Format, Source]:
    if found.content == "parquet":
        return "parquet", Columnar(path, bounds, advanced)
    if found.content == "xlsx":
        return "xlsx", Sheet(path, bounds, advanced)
    if found.content == "json":
        return "json", Records(opened, path.stat().st_size, bounds)
    tabbed = ".tsv" in hints or "tab-separated" in hints
    dialect, sample = _dialect(opened, tabbed, bounds)
    if is_aligned(sample, dialect, bounds):

        def squeezed() -> TextStream:
            return opened(Squeezer(bounds.max_cell_bytes))

        dialect, _ = _dialect(squeezed, True, bounds)
        return "tsv", Delimited(squeezed, dialect, bounds)
    return "tsv" if dialect.delimiter == "\t" else "csv", Delimited(opened, dialect, bounds)


def _dialect(
    opened: Callable[[], TextStream], tabbed: bool, bounds: Bounds
) -> tuple[Dialect, bytes]:
    """Finds how a text is written; gives its start too."""
    with opened() as stream:
        sample = stream.read(bounds.max_cell_bytes)
    whole = len(sample) < bounds.max_cell_bytes - 1
    return find_dialect(sample, whole, tabbed, bounds), sample
