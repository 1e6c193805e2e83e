"""Tables made of columns, profiled as the worker's child does it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds
from modelwright.engines.profiling.table_profile import TableProfile, Thoroughness, profile

Make = Callable[..., TableProfile]


@pytest.fixture
def made(tmp_path: Path) -> Make:
    """Profiles a table of columns given by name, `comprehensive` unless told otherwise."""

    def make(columns: dict[str, Any], thoroughness: Thoroughness = "comprehensive") -> TableProfile:
        path = tmp_path / "table.parquet"
        pq.write_table(pa.table(columns), path)
        return profile(path, thoroughness, scratch=tmp_path)

    return make


@pytest.fixture
def of_table(shared: Path, tmp_path: Path) -> Callable[[str], TableProfile]:
    """Profiles one of the shared tables."""

    def make(name: str) -> TableProfile:
        source, target = shared / "tabular" / f"{name}.csv", tmp_path / f"{name}.parquet"
        convert(
            source, target, name=source.name, content_type="text/csv",
            bounds=Bounds(), scratch=tmp_path,
        )  # fmt: skip
        return profile(target, "comprehensive", scratch=tmp_path)

    return make
