"""Where a model comes from: the bytes of its tables, and the libraries that learnt it."""

import hashlib
import platform
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from modelwright.engines.automl.estimators.families import FAMILIES

LIBRARIES = ("numpy", "pyarrow")
"""Distributions that read rows, whichever families learn from them."""


def hash_of(tables: Sequence[Path]) -> str:
    """Returns the SHA-256 of the Parquet files, one after the other, in hexadecimal digits.

    Args:
        tables: Parquet files, one after the other.

    Returns:
        64 characters.
    """
    found = hashlib.sha256()
    for path in tables:
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                found.update(piece)
    return found.hexdigest()


def libraries() -> dict[str, str]:
    """Returns the versions of Python and of the libraries that numbers depend on.

    Returns:
        Versions by the name of the distribution.
    """
    return dict(_libraries())


@cache
def _libraries() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "modelwright": version("modelwright-platform"),
        **{name: version(name) for name in LIBRARIES},
        **{name: told for name in _of_families() if (told := _version(name))},
    }


def _of_families() -> list[str]:
    return sorted({name for one in FAMILIES.values() for name in one.distributions})


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
