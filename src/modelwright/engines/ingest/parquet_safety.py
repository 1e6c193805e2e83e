"""What a Parquet file claims in its footer and page headers, checked before anything is unpacked.

Readers allocate what a page header claims, so a few bytes can demand gigabytes.
Source: the Parquet format, `parquet.thrift`, `FileMetaData` and `PageHeader`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from modelwright.engines.ingest.table import CODED_FLOOR, Bounds, BrokenFile, DecompressionBudget
from modelwright.engines.ingest.thrift import (
    CutShortError,
    MalformedError,
    Struct,
    ThriftReader,
    number_in,
    struct_in,
    structs_in,
)

DAMAGED = "The Parquet file is damaged: write it again and upload that."
TOO_DENSE = "The Parquet file packs too much into too little: write it with smaller row groups."
LONGEST_FOOTER = 64 * 2**20
"""Bytes of a footer: 2,000 columns in thousands of row groups stay below."""
LARGEST_PAGE = 256 * 2**20
"""Bytes that one page may claim unpacked; writers make pages of about 1 MiB."""
MOST_PAGES = 1_000_000
"""Pages whose headers are read; more would only cost time."""
NESTED_VALUES = 64 * 2**20
"""A row group may hold so many values of a nested column, because one row could hold them all."""
HEADER_BYTES = 4096
"""Bytes that are read for a page header at first; nearly all are shorter."""
LONGEST_HEADER = 2**20
"""Bytes of a page header with its statistics."""
_SCHEMA = 2
"""Field of `FileMetaData`: the columns."""
_GROUPS = 4
"""Field of `FileMetaData`: the row groups."""
_CHUNKS = 1
"""Field of `RowGroup`: the column chunks."""
_GROUP_BYTES = 2
"""Field of `RowGroup`: its bytes, unpacked."""
_GROUP_ROWS = 3
"""Field of `RowGroup`: its rows."""
_METADATA = 3
"""Field of `ColumnChunk`: its metadata."""
_PATH = 3
"""Field of `ColumnMetaData`: the path of the column."""
_CHUNK_VALUES = 5
"""Field of `ColumnMetaData`: how many values it has."""
_CHUNK_BYTES = 7
"""Field of `ColumnMetaData`: its bytes in the file."""
_DATA_AT = 9
"""Field of `ColumnMetaData`: where its first data page begins."""
_DICTIONARY_AT = 11
"""Field of `ColumnMetaData`: where its dictionary page begins."""
_UNPACKED = 2
"""Field of `PageHeader`: its bytes, unpacked."""
_PACKED = 3
"""Field of `PageHeader`: its bytes in the file."""
_DATA = 5
"""Field of `PageHeader`: the header of a data page."""
_DATA_2 = 8
"""Field of `PageHeader`: the header of a data page of version 2."""
_VALUES = 1
"""Field of either data page header: how many values it has."""


@dataclass(frozen=True, slots=True)
class RowGroup:
    """A row group, as the footer tells it."""

    rows: int
    row_bytes: int
    """The unpacked bytes of a row on average."""


def check_claims(path: Path, bounds: Bounds) -> list[RowGroup]:
    """Reads the footer and every page header; gives the row groups.

    Refuses too many columns, pages and rows that unpack to too much, and damage.

    Args:
        path: The file, not trusted.
        bounds: What is refused, and the memory and threads to use.

    Returns:
        Of each row group its rows and bytes.

    Raises:
        BrokenFile: The file is damaged, or claims too many columns or bytes.
    """
    size = path.stat().st_size
    budget = DecompressionBudget(bounds, CODED_FLOOR)
    try:
        with path.open("rb") as file:
            footer = _footer(file, size)
            columns = len(structs_in(footer, _SCHEMA)) - 1
            if columns > bounds.max_columns:
                raise BrokenFile(
                    f"The Parquet file has more than {bounds.max_columns:,} columns.",
                    expected=f"at most {bounds.max_columns:,}, those in nested columns included",
                )
            groups = [_group(group) for group in structs_in(footer, _GROUPS)]
            budget.take(sum(group.rows for group in groups) * columns, size)
            _check_pages(file, footer, bounds, size)
    except (MalformedError, OSError, OverflowError) as damage:
        raise BrokenFile(DAMAGED) from damage
    return groups


def _footer(file: IO[bytes], size: int) -> Struct:
    file.seek(max(size - 8, 0))
    tail = file.read()
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != b"PAR1":
        raise BrokenFile("The Parquet file is cut short: upload it again, whole.")
    if length > size:
        raise BrokenFile(DAMAGED)
    if length > LONGEST_FOOTER:
        raise BrokenFile(TOO_DENSE, expected="a footer of at most 64 MiB")
    file.seek(max(size - 8 - length, 0))
    return ThriftReader(file.read(length)).struct()


def _group(group: Struct) -> RowGroup:
    rows = number_in(group, _GROUP_ROWS)
    return RowGroup(rows, number_in(group, _GROUP_BYTES) // max(rows, 1))


def _check_pages(file: IO[bytes], footer: Struct, bounds: Bounds, size: int) -> None:
    budget = DecompressionBudget(bounds, CODED_FLOOR)
    pages = 0
    for group in structs_in(footer, _GROUPS):
        for chunk in structs_in(group, _CHUNKS):
            metadata = struct_in(chunk, _METADATA)
            values = 0
            for page_values, unpacked in _pages(file, metadata):
                pages += 1
                values += page_values
                if unpacked > LARGEST_PAGE or pages > MOST_PAGES:
                    raise BrokenFile(TOO_DENSE, expected="pages of at most 256 MiB")
                budget.take(max(unpacked, page_values), size)
            if number_in(metadata, _PATH) > 1 and values > NESTED_VALUES:
                raise BrokenFile(TOO_DENSE, expected=f"at most {NESTED_VALUES:,} nested values")


def _pages(file: IO[bytes], metadata: Struct) -> Iterator[tuple[int, int]]:
    """Yields for each page of a column chunk the values and the unpacked bytes that it claims."""
    if not number_in(metadata, _CHUNK_VALUES):
        return
    at = number_in(metadata, _DATA_AT)
    dictionary = number_in(metadata, _DICTIONARY_AT)
    if 0 < dictionary < at:
        at = dictionary
    end = at + number_in(metadata, _CHUNK_BYTES)
    while at < end:
        header, length = _page_header(file, at)
        at += length + number_in(header, _PACKED)
        data = struct_in(header, _DATA) or struct_in(header, _DATA_2)
        yield number_in(data, _VALUES), number_in(header, _UNPACKED)


def _page_header(file: IO[bytes], at: int) -> tuple[Struct, int]:
    for size in (HEADER_BYTES, LONGEST_HEADER):
        file.seek(at)
        reader = ThriftReader(file.read(size))
        try:
            return reader.struct(), reader.at
        except CutShortError:
            continue
    raise MalformedError
