"""Reads zips and arrays that may come from anybody: bounded before a byte is unpacked.

Nothing is written to disk, no name is a path, no object is unpickled, and no array is larger than
the bytes that are there for it. What is wrong is a `ValueError` with a sentence.
"""

import io
import json
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[np.generic]]
MAX_MEMBERS = 60_000
"""Members of a zip at most."""
END = struct.Struct("<4s4H2LH")
LOCATOR_BYTES = 20
"""Bytes before the end record that would name one of the zip64 kind."""
LONGEST_NAME = 200
"""Characters of a member's name."""
BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError,
)  # fmt: skip
MAGIC = b"\x93NUMPY\1\0"
HEADER_AT = len(MAGIC) + 2
HEADER = re.compile(
    rb"\{'descr': '([^']+)', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,18}, ?)*(?:\d{1,18})?)\), \}[ \n]*"
)
"""What NumPy writes before an array of one kind.

Its own reader parses that as Python, and until 3.11.8 two threads that do so fail each other.
"""
KINDS = {"<f4", "<f8", "<i4", "<i8", "|b1"}
MOST_JSON = 64 << 20
"""Bytes of a JSON member."""
MAX_EMPTY_DIMENSION = 1_000_000
"""A dimension of an array without numbers is below this."""


def read_zip(
    content: bytes | Path, most: int, only: Collection[str] | None = None
) -> dict[str, bytes]:
    """Unpacks every member, or `only` these; refuses more than `most` bytes, and no plain zip.

    Args:
        content: The bytes of a zip, or where it lies.
        most: Bytes that all members may have together, unpacked.
        only: The members to unpack; without it all.

    Returns:
        Members by their name.

    Raises:
        ValueError: It is no plain zip, or has more than `most` bytes.
    """
    with io.BytesIO(content) if isinstance(content, bytes) else content.open("rb") as file:
        _check_end(file, most)
        try:
            with zipfile.ZipFile(file) as packed:
                infos = packed.infolist()
                _check_members(infos, most)
                wanted = [one for one in infos if only is None or one.filename in only]
                return {info.filename: packed.read(info) for info in wanted}
        except BROKEN as error:
            raise ValueError(f"the zip is broken: {error}") from None


def _check_end(file: io.BufferedReader | io.BytesIO, most: int) -> None:
    """Looks at the end record alone: reading a directory of millions would take the memory."""
    size = file.seek(0, io.SEEK_END)
    if size > most:
        raise ValueError(f"it has {size} bytes, more than the {most} that are allowed")
    if size < END.size:
        raise ValueError("it is no zip")
    file.seek(max(0, size - END.size - LOCATOR_BYTES))
    located = file.read(4) == b"PK\6\7"
    file.seek(-END.size, io.SEEK_END)
    mark, _, _, _, members, length, start, comment = END.unpack(file.read())
    directory = members * (46 + 2 * LONGEST_NAME)
    if mark != b"PK\5\6" or located or comment or start + length + END.size != size:
        raise ValueError("it is no zip, or not a plain one")
    if members > MAX_MEMBERS or length > directory:
        raise ValueError(f"the zip lists more than {MAX_MEMBERS} members, or more than their names")


def _check_members(infos: list[zipfile.ZipInfo], most: int) -> None:
    names = [info.filename for info in infos]
    if len(set(names)) != len(names):
        raise ValueError("the zip has two members of one name")
    for info in infos:
        if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise ValueError(f"the member {info.filename!r} is packed in a way that is not read")
        if info.flag_bits & 1:
            raise ValueError(f"the member {info.filename!r} is encrypted")
    total = sum(info.file_size for info in infos)
    if total > most:
        raise ValueError(f"unpacked it has {total} bytes, more than the {most} that are allowed")


def read_arrays(content: bytes, most: int, only: Collection[str] | None = None) -> Arrays:
    """Reads the arrays of an `.npz`: numbers and booleans only, none of them NaN.

    Args:
        content: The bytes of an `.npz`.
        most: Bytes that all arrays may have together.
        only: The names of the arrays that are read; None for all.

    Returns:
        Arrays by their name.

    Raises:
        ValueError: It is no such file, or an array is of another type than numbers and booleans.
    """
    names = None if only is None else {name + end for name in only for end in ("", ".npy")}
    members = read_zip(content, most, names)
    return {name.removesuffix(".npy"): _array(name, one) for name, one in members.items()}


def _array(name: str, content: bytes) -> NDArray[np.generic]:
    start = HEADER_AT + int.from_bytes(content[HEADER_AT - 2 : HEADER_AT], "little")
    header = HEADER.fullmatch(content[HEADER_AT:start])
    if not content.startswith(MAGIC) or not header:
        raise ValueError(f"the array {name} has a format that is not read")
    kind, by_columns, sizes = (part.decode() for part in header.groups())
    if kind not in KINDS:
        raise ValueError(f"the array {name} holds {kind}, not numbers")
    shape = [int(size) for size in sizes.split(",") if size]
    count = math.prod(shape)
    if count * np.dtype(kind).itemsize != len(content) - start or (
        not count and max(shape) > MAX_EMPTY_DIMENSION
    ):
        raise ValueError(f"the array {name} is not as large as it says")
    if kind == "|b1" and max(content[start:], default=0) > 1:
        raise ValueError(f"the array {name} holds what is neither true nor false")
    flat = np.frombuffer(content, kind, count, start)
    if flat.dtype.kind == "f" and np.isnan(flat).any():
        raise ValueError(f"the array {name} has numbers that are none")
    return flat.reshape(shape, order="F" if by_columns == "True" else "C")


def read_json(content: bytes) -> Any:
    """Reads JSON of bounded size and depth; refuses numbers that are none.

    Args:
        content: JSON in UTF-8.

    Returns:
        The value.

    Raises:
        ValueError: It is no JSON, too large, nested too deep, or has a number that is none.
    """
    if len(content) > MOST_JSON:
        raise ValueError(f"a JSON member has more than {MOST_JSON} bytes")
    try:
        return json.loads(content, parse_float=_finite, parse_constant=_finite)
    except RecursionError:
        raise ValueError("a JSON member is nested too deep") from None


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no number")
    return value
