"""Reads Thrift's compact protocol as far as the headers of Parquet files need it.

Source: the Thrift compact protocol specification.
"""

from typing import TypeAlias

MOST_STRUCTS = 2_000_000
"""Structs of a header; a real one has a few for each column of each row group."""
MAX_DEPTH = 50
"""Levels of nested structs; Parquet's headers have five."""
_TRUE = 1
"""Type of a boolean that is true."""
_FALSE = 2
"""Type of a boolean that is false."""
_BYTE = 3
"""Type of a byte."""
_DOUBLE = 7
"""Type of a double of 8 bytes."""
_BINARY = 8
"""Type of bytes and texts, their length before them."""
_LIST = 9
"""Type of a list."""
_SET = 10
"""Type of a set, written as a list."""
_MAP = 11
"""Type of a map."""
_STRUCT = 12
"""Type of a struct."""
_LONG_LIST = 15
"""The length of a list that says that the real one follows."""

Value: TypeAlias = "int | Struct | list[Struct]"
Struct: TypeAlias = dict[int, "Value"]


class MalformedError(ValueError):
    """Bytes that are no struct, or more structs than any file needs."""


class CutShortError(MalformedError):
    """A struct that goes on after the bytes at hand."""


class ThriftReader:
    """Reads structs one after another.

    Of a struct it keeps, by field, numbers, structs, lists of structs, and the lengths of other
    lists; texts and the like are skipped.
    """

    def __init__(self, data: bytes) -> None:
        self.at = 0
        self._data = data
        self._structs = 0

    def struct(self, depth: int = 0) -> Struct:
        """Reads a struct.

        Args:
            depth: How deep it is nested.

        Returns:
            Values by the numbers of their fields.

        Raises:
            MalformedError: It is damaged, nested too deep, or has too many parts.
        """
        self._structs += 1
        if depth > MAX_DEPTH or self._structs > MOST_STRUCTS:
            raise MalformedError
        found: Struct = {}
        field = 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self._number()
            value = self._value(head & 15, depth)
            if value is not None:
                found[field] = value
        return found

    def _value(self, kind: int, depth: int) -> "Value | None":
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in {_LIST, _SET}:
            return self._list(depth)
        if kind == _BINARY:
            length = self._varint()
            self.at += length
        elif kind == _DOUBLE:
            self.at += 8
        elif kind == _BYTE:
            self.at += 1
        elif kind == _MAP:
            raise MalformedError
        elif kind not in {_TRUE, _FALSE}:
            return self._number()
        return None

    def _list(self, depth: int) -> Value:
        head = self._byte()
        length = head >> 4 if head >> 4 != _LONG_LIST else self._varint()
        if length > len(self._data):
            raise CutShortError
        if not length:
            return []
        if head & 15 == _STRUCT:
            return [self.struct(depth + 1) for _ in range(length)]
        for _ in range(length):
            if head & 15 in {_TRUE, _FALSE}:
                self._byte()
            else:
                self._value(head & 15, depth + 1)
        return length

    def _byte(self) -> int:
        self.at += 1
        if self.at > len(self._data):
            raise CutShortError
        return self._data[self.at - 1]

    def _varint(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:  # noqa: PLR2004 - the last byte of a number
                return number
            if shift > 63:  # noqa: PLR2004 - numbers have at most 64 bits
                raise MalformedError

    def _number(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)


def number_in(struct: Struct, field: int, missing: int = 0) -> int:
    """Returns a number that cannot be negative.

    Args:
        struct: A struct that was read.
        field: Number of the field.
        missing: What stands for a field that is not there.

    Returns:
        The number.

    Raises:
        MalformedError: It is no number, or negative.
    """
    value = struct.get(field, missing)
    if not isinstance(value, int) or value < 0:
        raise MalformedError
    return value


def struct_in(struct: Struct, field: int) -> Struct:
    """Returns a struct, empty where there is none.

    Args:
        struct: A struct that was read.
        field: Number of the field.

    Returns:
        The struct.

    Raises:
        MalformedError: It is another value.
    """
    value = struct.get(field, {})
    if not isinstance(value, dict):
        raise MalformedError
    return value


def structs_in(struct: Struct, field: int) -> list[Struct]:
    """Returns a list of structs, empty where there is none.

    Args:
        struct: A struct that was read.
        field: Number of the field.

    Returns:
        The structs.

    Raises:
        MalformedError: It is another value.
    """
    value = struct.get(field, [])
    if not isinstance(value, list):
        raise MalformedError
    return value
