"""What converting a file yields, the bounds it keeps, and the refusal of a broken file.

Every format ends in these, so that what comes after reading, and every refusal, is the same for all
of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from modelwright.engines.facts import ColumnType

Format = Literal["csv", "tsv", "json", "parquet", "xlsx"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a converted file, judged on all of its rows."""

    name: str
    type: ColumnType
    nullable: bool
    """At least one row has no value here."""
    unique: bool
    """There are values, and no two rows have the same one; counted exactly."""
    unit: str = ""
    """What all its numbers were written with: `%` or a currency."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a file turned out to be, once it is Parquet."""

    format: Format
    """The format of the original, found in its bytes."""
    rows: int
    columns: tuple[Column, ...]
    notices: tuple[str, ...] = ()
    """What is to be said of rows that were left out."""
    read_as: Mapping[str, Any] = field(default_factory=dict)
    """How the file was read, by the names of `ReadOptions`; guessed where nobody said it."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The sizes beyond which a file is refused, and the means with which it is read."""

    max_columns: int = 10_000
    max_cell_bytes: int = 8 * 2**20
    """Bytes of the longest cell; a text row as a whole has to fit into the same size."""
    max_expanded_bytes: int = 64 * 2**30
    """Bytes after unpacking, whatever the format."""
    max_expansion: int = 300
    """How many times its own size a file may unpack to, once that is more than a floor."""
    memory_bytes: int = 2**30
    """Bytes of memory to plan with."""
    threads: int = 2


PACKED_FLOOR = 64 * 2**20
"""Unpacking to this many bytes is fine, however small the packed file is."""
CODED_FLOOR = 2**31
"""The same where unpacking is cheap: Parquet has codes for repeated values."""
BYTES_PER_CELL = 16
"""A cell counts as so many bytes where cells can be claimed without being written."""


class BrokenFile(Exception):
    """A file that cannot be converted, with what its owner has to know to repair it."""

    def __init__(self, reason: str, line: int | None = None, expected: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        """A sentence that can be acted upon."""
        self.line = line
        """The line (for Excel the row) where the trouble is, counted from 1."""
        self.expected = expected
        """What should have been there."""


class UnpacksTooMuch(BrokenFile):
    """A file that unpacks to more than the bounds allow."""


class DecompressionBudget:
    """The bytes that a file may still unpack to; a bomb runs out of them early."""

    def __init__(self, bounds: Bounds, floor: int = PACKED_FLOOR) -> None:
        self._bounds = bounds
        self._floor = floor
        self._taken = 0

    def take(self, amount: int, read: int) -> None:
        """Counts what was unpacked.

        Args:
            amount: Bytes unpacked since the last call.
            read: Packed bytes read so far.

        Raises:
            UnpacksTooMuch: It is more than the bounds allow.
        """
        self._taken += amount
        allowed = max(self._floor, self._bounds.max_expansion * read)
        allowed = min(allowed, self._bounds.max_expanded_bytes)
        if self._taken > allowed:
            raise UnpacksTooMuch(
                f"The file unpacks to more than {allowed / 2**20:,.0f} MiB, suspiciously much"
                " for its size: split it into smaller files, or upload it unpacked."
            )
