"""Decimals whose declaration says too little, such as a bare `numeric`: settled by their values.

They are written as the texts that the database gives; once all are seen, the file is written
again with the one decimal type that holds every value.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from modelwright.connections.remarks import TOO_MANY_DIGITS, Remarks

DECIMAL_DIGITS = 38
"""Digits that the widest decimal holds."""
SHORT_DIGITS = 18
"""Digits that fit into 64 bits for sure."""
_LONE_ZERO = r"^-?0(\.|$)"


def _whole_number(digits: int) -> pa.DataType | None:
    """Returns the type that holds whole numbers of so many digits; None where none does."""
    if digits <= SHORT_DIGITS:
        return pa.int64()
    return pa.decimal128(DECIMAL_DIGITS) if digits <= DECIMAL_DIGITS else None


def declared_decimal(digits: int, scale: int) -> pa.DataType | None:
    """Returns the type of a declared decimal; None where it has to be settled by its values."""
    if scale == 0:
        return _whole_number(digits)
    widest = max(digits, scale)
    return pa.decimal128(widest, scale) if 0 < scale <= widest <= DECIMAL_DIGITS else None


@dataclass(slots=True)
class _Digits:
    """The most digits that the values of one column have before and behind the point."""

    whole: int = 0
    scale: int = 0
    scale_needed: int = 0
    """Behind the point without zeros at the end."""

    def see(self, texts: pa.Array) -> None:
        """Takes the next values, written without an exponent."""
        point = pc.find_substring(texts, ".")
        has_point = pc.greater_equal(point, 0)
        length = pc.binary_length(texts)
        before = pc.if_else(has_point, point, length)
        sign = pc.starts_with(texts, "-").cast(pa.int32())
        whole = pc.if_else(
            pc.match_substring_regex(texts, _LONE_ZERO), 0, pc.subtract(before, sign)
        )
        self.whole = max(self.whole, _most(whole))
        if pc.any(has_point).as_py():
            cut = pc.binary_length(pc.utf8_rtrim(texts, "0"))
            self.scale = max(self.scale, _most(_behind(length, point, has_point)))
            self.scale_needed = max(self.scale_needed, _most(_behind(cut, point, has_point)))

    def type(self) -> pa.DataType | None:
        """Returns the type that holds all values; None where there is none."""
        for scale in (self.scale, self.scale_needed):
            digits = self.whole + scale
            if digits <= DECIMAL_DIGITS:
                wide = SHORT_DIGITS if digits <= SHORT_DIGITS else DECIMAL_DIGITS
                return pa.decimal128(wide, scale) if scale else _whole_number(self.whole)
        return None


class OpenDecimals:
    """The columns of a table, by place, whose decimals are settled by their values."""

    def __init__(self, places: Iterable[int]) -> None:
        self._digits = {place: _Digits() for place in places}

    def see(self, batch: pa.RecordBatch) -> None:
        """Takes the next rows."""
        for place, digits in self._digits.items():
            digits.see(batch.column(place))

    def settled(self, remarks: Remarks) -> dict[int, pa.DataType]:
        """Returns the types of the columns; those whose values no decimal holds stay texts."""
        found: dict[int, pa.DataType] = {}
        for place, digits in self._digits.items():
            kind = digits.type()
            if kind is None:
                remarks.say(place, TOO_MANY_DIGITS)
            else:
                found[place] = kind
        return found


def write_again(
    source: Path,
    target: Path,
    types: Mapping[int, pa.DataType],
    told: Mapping[bytes, str],
    options: Mapping[str, Any],
) -> None:
    """Writes a Parquet file again, a row group at a time, with columns cast to their types.

    `told` is what is written into the file beside its rows.
    """
    with pq.ParquetFile(source) as file:
        schema = file.schema_arrow
        for place, kind in types.items():
            schema = schema.set(place, pa.field(schema.names[place], kind))
        with pq.ParquetWriter(target, schema, **options) as writer:
            writer.add_key_value_metadata(told)
            for group in range(file.num_row_groups):
                writer.write_table(_cast(file.read_row_group(group), types, schema))


def _cast(rows: pa.Table, types: Mapping[int, pa.DataType], schema: pa.Schema) -> pa.Table:
    columns = list(rows.columns)
    for place, kind in types.items():
        columns[place] = _without_zeros(columns[place]).cast(kind)
    return pa.table(columns, schema=schema)


def _without_zeros(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Takes off zeros behind the point: with them, a text may have more digits than a decimal."""
    cut = pc.utf8_rtrim(pc.utf8_rtrim(texts, "0"), ".")
    return pc.if_else(pc.match_substring(texts, "."), cut, texts)


def _behind(length: pa.Array, point: pa.Array, has_point: pa.Array) -> pa.Array:
    return pc.if_else(has_point, pc.subtract(pc.subtract(length, point), 1), 0)


def _most(counts: pa.Array) -> int:
    return int(pc.max(counts).as_py() or 0)
