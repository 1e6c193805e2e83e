"""Puts made rows into a table of DuckDB."""

from collections.abc import Sequence
from typing import Any

import duckdb


def insert(store: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Sequence[Any]]) -> None:
    """Inserts rows, in their order, by one statement: one a row takes a hundred times as long."""
    kinds = [kind for _, kind, *_ in store.execute(f"describe {table}").fetchall()]
    columns = [[row[at] for row in rows] for at in range(len(kinds))]
    listed = ", ".join(f"unnest(?::{kind}[])" for kind in kinds)
    store.execute(f"insert into {table} select {listed}", columns)
