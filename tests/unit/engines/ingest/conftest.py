"""Converts a few bytes and reads back what became of them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.read_options import ReadOptions
from modelwright.engines.ingest.table import Bounds, BrokenFile, Table


@dataclass(frozen=True)
class Ingested:
    table: Table
    names: list[str]
    rows: list[tuple[Any, ...]]
    path: Path

    @property
    def types(self) -> list[str]:
        return [column.type for column in self.table.columns]

    def values(self, place: int = 0) -> list[Any]:
        return [row[place] for row in self.rows]


Ingest = Callable[..., Ingested]


@pytest.fixture
def ingest(tmp_path: Path) -> Ingest:
    def run(
        content: str | bytes | Path,
        name: str = "t.csv",
        bounds: Bounds | None = None,
        **options: Any,
    ) -> Ingested:
        source = tmp_path / "source"
        if isinstance(content, Path):
            source = content
        else:
            source.write_bytes(content.encode() if isinstance(content, str) else content)
        target = tmp_path / "target.parquet"
        table = convert(
            source,
            target,
            name=name,
            content_type="",
            bounds=bounds or Bounds(),
            scratch=tmp_path,
            options=ReadOptions(**options),
        )
        read = pq.read_table(target)
        assert [column.name for column in table.columns] == read.column_names
        assert table.rows == read.num_rows
        rows = [tuple(row) for row in zip(*(c.to_pylist() for c in read.columns), strict=True)]
        return Ingested(table, read.column_names, rows, target)

    return run


@pytest.fixture
def broken(ingest: Ingest) -> Callable[..., BrokenFile]:
    def run(
        content: str | bytes | Path, name: str = "t.csv", bounds: Bounds | None = None
    ) -> BrokenFile:
        with pytest.raises(BrokenFile) as caught:
            ingest(content, name, bounds)
        return caught.value

    return run
