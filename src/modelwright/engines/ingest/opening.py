"""Opens a file with the reader of its format and has it written to Parquet."""

import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from modelwright.engines.facts import ColumnType
from modelwright.engines.ingest.boxed import BoxedRows, is_boxed
from modelwright.engines.ingest.columnar import Columnar
from modelwright.engines.ingest.copied import is_copied
from modelwright.engines.ingest.delimited import Delimited, DoubtfulReading
from modelwright.engines.ingest.dialect import Dialect, find_dialect
from modelwright.engines.ingest.encoding_names import encoding_named
from modelwright.engines.ingest.encodings import TextEncoding, decoder_of
from modelwright.engines.ingest.fixed_width import FixedWidthCells, is_aligned
from modelwright.engines.ingest.formats import KNOWN, Found, find_format
from modelwright.engines.ingest.kinds import Kind
from modelwright.engines.ingest.local_forms import (
    LocalForm,
    find_forms,
    said_of_forms,
    said_of_long_numbers,
    said_of_sure,
)
from modelwright.engines.ingest.non_data_rows import find_non_data_rows, without_another_table
from modelwright.engines.ingest.odd_values import (
    OddColumn,
    find_mixed_zones,
    find_odd,
    names_zone,
    said_of_digits,
    said_of_gaps,
    said_of_mixed_zones,
    said_of_sums,
    said_of_texts,
    said_of_words_for_nothing,
    said_of_zones,
)
from modelwright.engines.ingest.quoted_length import QUOTED_LENGTH
from modelwright.engines.ingest.quoted_lines import SAID as SAID_OF_QUOTES
from modelwright.engines.ingest.quoted_lines import QuotedLines, are_quoted
from modelwright.engines.ingest.read_options import CALLED, ReadOptions
from modelwright.engines.ingest.records import Records
from modelwright.engines.ingest.rows_apart import said_of_rows_apart, said_of_sideways
from modelwright.engines.ingest.ruled import RuledRows, spans_of
from modelwright.engines.ingest.sheet import Sheet
from modelwright.engines.ingest.side_by_side import said_of_short_columns
from modelwright.engines.ingest.streaming import (
    Edit,
    PackedBytes,
    Recoder,
    SingleSigns,
    TextStream,
    doubled_sign,
    unchanged,
)
from modelwright.engines.ingest.table import Bounds, BrokenFile, Column, Format, Table
from modelwright.engines.ingest.texts import Texts
from modelwright.engines.ingest.type_inference import write_settled

Reader = Delimited | Sheet | Records | Columnar
MOST_NAMED = 10
"""Names that an error lists."""
Written = tuple[pa.Table, int, tuple[Column, ...]]
"""The last rows of a table, the number of its rows, and its columns."""
_OF_LINES = re.compile(r"jsonl|ndjson|json-?lines|json-?seq")
"""How files of a JSON record a line are named."""
_NO_TEXT = re.compile(r"\.(xlsx?|parquet|json|geojson)(?= )")
"""The end of a name, before the declared type, of a file that should not be text."""


def write_parquet(
    source: Path,
    target: Path,
    hints: str,
    bounds: Bounds,
    scratch: Path,
    progress: Callable[[float], None],
    options: ReadOptions | None = None,
) -> Table:
    """Writes any file as Parquet.

    Args:
        source: The file.
        target: The Parquet file.
        hints: The file's name and declared type, in lower case.
        bounds: What is refused, and the memory and threads to use.
        scratch: An existing folder for temporary files.
        progress: Told the share of the work that is done, 0 to 1.
        options: What the owner of the file says of it.

    Returns:
        Rows, columns and notices.

    Raises:
        BrokenFile: The file is no table, is damaged, or is beyond the bounds.
    """
    options = options or ReadOptions()
    pa.set_cpu_count(bounds.threads)
    pa.set_io_thread_count(1)
    found = find_format(source, hints, bounds)

    encoding = TextEncoding(lambda: PackedBytes(source, found.packing, bounds), _encoding(options))

    def opened(edit: Edit = unchanged) -> TextStream:
        packed = PackedBytes(source, found.packing, bounds, advanced)
        return TextStream(packed, edit, Recoder(encoding, decoder_of))

    def advanced(share: float) -> None:
        progress(0.9 * share)

    kind, reader = _reader(source, found, opened, hints, bounds, advanced, options)
    reader.null_values, reader.types = options.null_values, options.types

    def write() -> Written:
        return write_settled(reader, target, scratch, bounds)

    written, odd = _without_doubt(reader, write), None
    if isinstance(reader, Delimited | Sheet):
        written, odd = _without_rows_that_are_no_data(reader, target, written, write)
    if not isinstance(reader, Columnar):
        odd = find_odd(target) if odd is None else odd
        reader.said = [*encoding.notices, *_settle_forms(reader, target, odd, options)]
        written = _without_odd_values(reader, target, odd, written, write)
    _, rows, columns = written
    columns = tuple(replace(one, unit=reader.units.get(one.name, "")) for one in columns)
    _check_types(options.types, columns, target)
    named = _NO_TEXT.search(hints)
    if found.content == "delimited" and named and (rows == 0 or len(columns) == 1):
        raise BrokenFile(f"The file is named {named[0]} but holds plain text.", expected=KNOWN)
    notices = (*reader.notices, *reader.read_so, *_said_of_options(options, kind))
    return Table(kind, rows, columns, notices, _read_as(reader, encoding, options))


def _said_of_options(options: ReadOptions, kind: Format) -> list[str]:
    """Says which options say nothing of a file of its format."""
    names = options.passed_over(kind)
    verb = "is" if len(names) == 1 else "are"
    said = f"{CALLED[kind]} is read without {', '.join(names)}, which {verb} passed over."
    return [said[0].upper() + said[1:]] if names else []


def _read_as(reader: Reader, encoding: TextEncoding, options: ReadOptions) -> dict[str, Any]:
    """Tells how a file was read, by the names of the options with which it is read so again."""
    told: dict[str, Any] = {}
    if isinstance(reader, Delimited | Records):
        told["encoding"] = encoding.name
    if isinstance(reader, Delimited | Sheet):
        told |= reader.read_as
        told["null_values"] = list(options.null_values)
    return told


def _encoding(options: ReadOptions) -> str | None:
    if options.encoding is None:
        return None
    name = encoding_named(options.encoding)
    if name is None:
        raise BrokenFile(
            f"encoding: there is none named {options.encoding[:QUOTED_LENGTH]!r}.",
            expected="a name such as utf-8, windows-1252 or gbk",
        )
    return name


def _check_types(
    wanted: Mapping[str, ColumnType], columns: tuple[Column, ...], target: Path
) -> None:
    """Refuses a table of which a column is not of the type that its owner says."""
    types = {column.name: column.type for column in columns}
    for name, kind in wanted.items():
        if name not in types:
            there = ", ".join(repr(one[:QUOTED_LENGTH]) for one in list(types)[:MOST_NAMED])
            raise BrokenFile(f"types: there is no column {name!r}.", expected=f"one of {there}")
        if types[name] != kind:
            value = _misfit(target, name, kind)
            because = f": {value[:QUOTED_LENGTH]!r} is none" if value is not None else ""
            if kind == "date" and name in find_mixed_zones(target):
                because = ": some of its times name a zone and others do not"
            raise BrokenFile(
                f"types: column {name!r} cannot be read as {kind}{because}. Name such values in"
                " null_values, or leave the type out.",
                expected=f"values of type {kind} in {name!r}",
            )


def _misfit(target: Path, name: str, kind: ColumnType) -> str | None:
    """Returns the first value of a written column that is none of a type, if one is told apart."""
    column = pq.read_table(target, columns=[name]).column(0)
    kinds: tuple[Kind, ...] = ("date", "datetime", "instant") if kind == "date" else (kind,)
    values = pc.unique(column).drop_null().cast(pa.string())
    zoned = names_zone(values)  # times with a zone fit and times without, but not together
    alike = (pc.indices_nonzero(zoned), pc.indices_nonzero(pc.invert(zoned)))
    found = [place for one in alike for place in _first_misfit(values, one, kinds)]
    return str(values[min(found)]) if found else None


def _first_misfit(values: pa.Array, places: pa.Array, kinds: Sequence[Kind]) -> list[int]:
    """Returns the first of some places with a value of none of the kinds, found by halves."""
    start, end = 0, len(places)
    while start < end:
        half = max((end - start) // 2, 1)
        some = Texts(values.take(places.slice(start, half)))
        if any(some.fit(kind) is not None for kind in kinds):
            start += half
        elif half == 1:
            return [places[start].as_py()]
        else:
            end = start + half
    return []


def _settle_forms(
    reader: Delimited | Sheet | Records, target: Path, odd: list[OddColumn], options: ReadOptions
) -> list[str]:
    """Settles in which local forms columns are read, and says what was guessed of them."""
    forms = find_forms(target, options.types, options.decimal, _habit(reader, target))
    _refuse_either_order(forms, options.types)
    _refuse_other_mark(forms, options.types)
    applied = [form for form in forms if form.applies_to(options.types.get(form.name))]
    reader.forms = {form.name: form.read for form in applied if form.read is not None}
    reader.units = {form.name: form.unit for form in applied if form.unit}
    mixed = find_mixed_zones(target)
    known = {column.name for column in odd if column.gaps or column.is_told}
    emptied = {column.name for column in odd if column.gaps} | {*mixed}
    kept = [form for form in forms if form.name not in (known if form.odd else emptied)]
    reader.read_so = [*said_of_sure(kept, options.types)]
    return [
        *said_of_forms(kept, options.types),
        *said_of_mixed_zones(mixed),
        *said_of_long_numbers(target, options.types),
    ]


def _habit(reader: Delimited | Sheet | Records, target: Path) -> str | None:
    """Returns what stands before decimals in the plain numbers of a text; None without any."""
    if not isinstance(reader, Delimited):
        return None
    has_decimals = any(map(pa.types.is_floating, pq.read_schema(target).types))
    return str(reader.read_as["decimal"]) if has_decimals else None


def _refuse_other_mark(forms: list[LocalForm], wanted: Mapping[str, ColumnType]) -> None:
    """Refuses to read numbers by a mark before decimals that they do not have."""
    for form in forms:
        if form.against and wanted.get(form.name) in {"float", "integer"}:
            raise BrokenFile(
                f"decimal: {form.example[:QUOTED_LENGTH]!r} in column"
                f" {form.name[:QUOTED_LENGTH]!r} has not the mark {form.against!r}. Leave `decimal`"
                " out: each column whose type is named is read by the marks that it has.",
                expected=f"numbers with {form.against!r} before their decimals",
            )


def _refuse_either_order(forms: Sequence[LocalForm], wanted: Mapping[str, ColumnType]) -> None:
    """Refuses dates of which nobody can tell whether the day or the month comes first."""
    for form in forms:
        undecided = form.read is None and form.kind == "date" and not form.odd
        if undecided and form.applies_to(wanted.get(form.name)):
            raise BrokenFile(
                f"types: in column {form.name!r}, either the day or the month may come first"
                f" ({form.example!r}): write its dates as 2024-12-31, or leave the type out.",
                expected="dates with the year first",
            )


def _without_doubt(reader: Reader, write: Callable[[], Written]) -> Written:
    """Writes a table, with every row looked at where the quick reading was doubtful."""
    written = None
    while written is None:
        try:
            written = write()
        except DoubtfulReading:
            if isinstance(reader, Delimited):  # nothing else is doubted
                reader.repair()
    return write() if isinstance(reader, Sheet) and reader.unmerge() else written


def _without_rows_that_are_no_data(
    reader: Delimited | Sheet, target: Path, written: Written, write: Callable[[], Written]
) -> tuple[Written, list[OddColumn] | None]:
    """Writes the table again without names said again, sums, notes and another table below.

    Gives its odd columns too, where they are those of the table as it is now.
    """
    while more := find_non_data_rows(target, written[0], reader.aside, reader.line_of):
        reader.aside = more
        written = write()
    if isinstance(reader, Delimited) and reader.leave_out_blanks():
        written = write()
    odd = find_odd(target)
    cut = without_another_table(target, odd, reader.aside, reader.choice)
    if cut is None:
        return written, odd
    reader.aside = cut
    return write(), None


def _without_odd_values(
    reader: Delimited | Sheet | Records,
    target: Path,
    odd: list[OddColumn],
    written: Written,
    write: Callable[[], Written],
) -> Written:
    """Writes the table again where a few values alone keep columns from being of another kind."""
    zoned, rounded = said_of_zones(reader.zoned), said_of_digits(reader.rounded)
    told = [*zoned, *rounded, *said_of_gaps(odd), *said_of_texts(odd)]
    emptied = {column.name for column in odd if column.gaps}
    told += said_of_words_for_nothing(target, emptied)
    if isinstance(reader, Delimited | Sheet):
        told += said_of_short_columns(target, reader.choice)
        told += [*said_of_rows_apart(target), *said_of_sideways(target)]
    reader.said = [*reader.said, *told, *said_of_sums(target)]
    reader.gaps = {column.name: column.gaps for column in odd if column.gaps}
    return write() if reader.said or reader.forms else written


def _reader(
    path: Path,
    found: Found,
    opened: Callable[..., TextStream],
    hints: str,
    bounds: Bounds,
    advanced: Callable[[float], None],
    options: ReadOptions,
) -> tuple[Format, Reader]:
    if found.content == "parquet":
        return "parquet", Columnar(path, bounds, advanced)
    if found.content == "xlsx":
        return "xlsx", Sheet(path, bounds, advanced, options)
    if found.content == "json":
        return "json", Records(
            opened, path.stat().st_size, bounds, of_lines=_OF_LINES.search(hints) is not None
        )
    return _text_reader(opened, hints, bounds, options)


def _text_reader(
    opened: Callable[..., TextStream], hints: str, bounds: Bounds, options: ReadOptions
) -> tuple[Format, Delimited]:
    """Finds how a text is written: quoted as a whole, boxed, printed, or delimited plainly."""
    tabbed = ".tsv" in hints or "tab-separated" in hints
    dialect, sample = _dialect(opened, tabbed, bounds, options)
    sign = None if options.delimiter else doubled_sign(sample)
    if sign:

        def single() -> TextStream:
            return opened(SingleSigns(sign))

        dialect, _ = _dialect(single, tabbed, bounds, replace(options, delimiter=sign))
        return "csv", Delimited(single, dialect, bounds)
    if are_quoted(sample):

        def unquoted() -> TextStream:
            return opened(QuotedLines(bounds.max_cell_bytes))

        dialect, _ = _dialect(unquoted, tabbed, bounds, options)
        dialect = replace(dialect, notices=(SAID_OF_QUOTES, *dialect.notices))
        return "csv", Delimited(unquoted, dialect, bounds)
    if options.mark in {None, "|"} and is_boxed(sample):

        def inside() -> TextStream:
            return opened(BoxedRows(bounds.max_cell_bytes))

        dialect, _ = _dialect(inside, tabbed, bounds, replace(options, delimiter="|"))
        return "csv", Delimited(inside, replace(dialect, padded=True), bounds)
    printed = None if options.delimiter else _printed(opened, dialect, sample, bounds, options)
    if printed:
        return "tsv", printed
    plain = Delimited(opened, dialect, bounds)
    plain.is_copied = dialect.delimiter == "\t" and is_copied(sample)
    return "tsv" if dialect.delimiter == "\t" else "csv", plain


def _printed(
    opened: Callable[..., TextStream],
    dialect: Dialect,
    sample: bytes,
    bounds: Bounds,
    options: ReadOptions,
) -> Delimited | None:
    """Returns the reader of a text whose cells stand under each other, if they do."""
    edit: Edit
    spans = spans_of(sample) if len(dialect.names) <= 1 else None
    if spans:
        edit, options = RuledRows(bounds.max_cell_bytes, spans), replace(options, delimiter="tab")
    elif is_aligned(sample, dialect, bounds):
        edit = FixedWidthCells(bounds.max_cell_bytes)
    else:
        return None

    def parted() -> TextStream:
        return opened(copy(edit))

    dialect, _ = _dialect(parted, True, bounds, options)
    reader = Delimited(parted, dialect, bounds)
    reader.is_aligned = True
    return reader


def _dialect(
    opened: Callable[[], TextStream], tabbed: bool, bounds: Bounds, options: ReadOptions
) -> tuple[Dialect, bytes]:
    """Finds how a text is written; gives its start too."""
    with opened() as stream:
        sample = stream.read(bounds.max_cell_bytes)
    whole = len(sample) < bounds.max_cell_bytes - 1
    return find_dialect(sample, whole, tabbed, bounds, options), sample
