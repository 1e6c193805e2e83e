"""Hostile input is read in a time that grows with its size, not with the square of it."""

import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from modelwright.engines.ingest.local_forms import find_forms

SOON_S = 5.0
"""CPU seconds that each of these may take; squares of their sizes take several times as many."""


@pytest.fixture(autouse=True)
def soon() -> Iterator[None]:
    started = time.process_time()
    yield
    assert time.process_time() - started < SOON_S


class TestLongCells:
    @pytest.mark.parametrize(
        "cell", [16_000 * "1" + "x", "+" + 16_000 * "0" + "x"], ids=["digits", "zeros"]
    )
    def test_beside_prices_are_told_as_other_texts(self, tmp_path: Path, cell: str):
        prices = ["$1.50", "$2.50", "$3.75", "$4.00", cell]
        pq.write_table(pa.table({"price": prices}), tmp_path / "t.parquet")
        [found] = find_forms(tmp_path / "t.parquet", {}, None)
        assert found.odd == (cell,)
