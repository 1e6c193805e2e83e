"""The table the package carries; SOURCE.md says where it is from."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PENGUINS = Path(__file__).with_name("penguins.csv")
TARGET = "species"
EXAMPLES = (152, 0, 276)
"""One row of each species, all cells filled; the first is predicted alone."""

READERS: Mapping[str, Any] = {"integer": int, "float": float}


def examples() -> list[dict[str, str]]:
    """Reads the example rows as the file has them."""
    with PENGUINS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [rows[number] for number in EXAMPLES]


def as_input(row: Mapping[str, str], schema: Mapping[str, str]) -> dict[str, Any]:
    """Picks the fields a model takes, typed as its schema says."""
    return {name: READERS.get(kind, str)(row[name]) for name, kind in schema.items()}
