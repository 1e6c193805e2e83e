"""Brings a table of a database in as a run does, and tells what is kept of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq

from modelwright.connections import driver_process
from modelwright.engines.facts import notices_of
from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds

REACHING = {
    "connect_seconds": 8,
    "seconds": 60.0,
    "hosts": ["127.0.0.1"],
    "options": {},
    "takes_public_key": False,
}
"""What a child is told beside the database."""


@dataclass(frozen=True)
class Kept:
    """What became of a table."""

    names: list[str]
    types: dict[str, str]
    columns: dict[str, list[Any]]
    notices: list[str]
    path: Path

    def said_of(self, name: str) -> list[str]:
        """Gives the notices that name a column."""
        return [one for one in self.notices if f" {name} " in f" {one.replace(',', ' ')} "]


def bring_in(folder: Path, payload: dict[str, Any], **asked: str) -> Kept:
    """Reads from a database, and converts the file as an upload is converted."""
    raw, target = folder / "rows.parquet", folder / "table.parquet"
    whole = REACHING | {"table": None, "query": None, "target": str(raw), "most_bytes": 1 << 30}
    driver_process.ingest(whole | payload | asked, lambda _: None)
    convert(raw, target, name="rows.parquet", content_type="", bounds=Bounds(), scratch=folder)
    rows = pq.read_table(target)
    with duckdb.connect() as db:
        told = db.execute(f"describe from read_parquet('{target}')").fetchall()
    types = {one[0]: one[1] for one in told}
    return Kept(rows.column_names, types, rows.to_pydict(), notices_of([target]), target)
