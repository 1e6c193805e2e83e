"""The kinds of values that a column can be of, and which kind holds the values of two others.

Blocks are read side by side and each sees its own values only; the order of kinds makes them agree
whichever comes first.
"""

from typing import Literal, Protocol

import pyarrow as pa

from modelwright.engines.facts import ColumnType

Kind = Literal[
    "empty",
    "missing",
    "integer",
    "float",
    "boolean",
    "date",
    "datetime",
    "instant",
    "string",
    "code",
    "comma",
    "decimal",
    "huge",
    "bytes",
]
"""`empty`: nothing yet; `missing`: only words like `NA`; `instant`: a moment, told with its zone;
`code`: digits, and digits around an `E` such as `40E5`, which are numbers only beside decimals;
`comma`: numbers with a decimal comma; `decimal`: numbers of a decimal type, kept in it; `huge`:
whole numbers beyond 64 bits, kept as decimals; `bytes`: bytes of which some are no text, all in
hexadecimal digits."""

STORED: dict[Kind, pa.DataType] = {
    "empty": pa.string(),
    "missing": pa.string(),
    "integer": pa.int64(),
    "float": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
    "instant": pa.timestamp("us", "UTC"),
    "string": pa.string(),
    "code": pa.string(),
    "comma": pa.float64(),
    "decimal": pa.decimal128(38, 10),
    "huge": pa.decimal128(38, 0),
    "bytes": pa.string(),
}
"""The Arrow types in which values are kept; date-times have no zone, moments are in UTC."""
NAMES: dict[Kind, ColumnType] = {
    "empty": "string",
    "missing": "string",
    "integer": "integer",
    "float": "float",
    "boolean": "boolean",
    "date": "date",
    "datetime": "date",
    "instant": "date",
    "string": "string",
    "code": "string",
    "comma": "float",
    "decimal": "float",
    "huge": "integer",
    "bytes": "string",
}
"""The kinds in the contract's five words."""
_WIDER: dict[frozenset[Kind], Kind] = {
    frozenset({"integer", "float"}): "float",
    frozenset({"date", "datetime"}): "datetime",
    frozenset({"code", "integer"}): "code",
    frozenset({"code", "float"}): "float",
    frozenset({"decimal", "float"}): "float",
    frozenset({"huge", "integer"}): "huge",
    frozenset({"string", "bytes"}): "bytes",
    frozenset({"comma", "integer"}): "comma",
}


class Cells(Protocol):
    """Some consecutive cells of one column."""

    def kind(self) -> Kind:
        """Finds the narrowest kind that holds all cells."""

    def fit(self, kind: Kind) -> pa.Array | None:
        """Returns the cells as values of a kind, or None when one of them isn't of that kind.

        What fits a kind fits every wider one.

        Args:
            kind: The kind.

        Returns:
            As many values as there are cells, or None.
        """


def common_type(one: Kind, other: Kind) -> Kind:
    """Returns the narrowest kind that holds the values of both.

    Args:
        one: A kind.
        other: A kind.

    Returns:
        A kind; string where nothing narrower holds both.
    """
    if one == other:
        return one
    for weak in ("empty", "missing"):
        if one == weak:
            return other
        if other == weak:
            return one
    return _WIDER.get(frozenset({one, other}), "string")
