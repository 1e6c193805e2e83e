"""Long tables are counted as short ones, but for floats that mostly differ."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from modelwright.engines import facts as module
from modelwright.engines.facts import column_facts

ROWS = 4000


def test_floats_that_mostly_differ_are_estimated_and_all_else_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    maker = np.random.default_rng(0)
    varied = maker.normal(size=ROWS)
    columns = {
        "varied": pa.array(varied, mask=maker.random(ROWS) < 0.1),
        "coarse": np.round(varied, 1),
        "empty": pa.nulls(ROWS, pa.float64()),
        "key": np.arange(ROWS),
        "kind": maker.choice(["a", "b"], ROWS),
    }
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    exact = {one.name: one for one in column_facts([tmp_path / "t.parquet"])}
    monkeypatch.setattr(module, "ROUGH_COUNT_MIN_ROWS", ROWS - 1)
    found = {one.name: one for one in column_facts([tmp_path / "t.parquet"])}
    rough, counted = found.pop("varied"), exact.pop("varied")
    assert found == exact
    assert rough.distinct == pytest.approx(counted.distinct, rel=0.1)
    assert rough.distinct <= ROWS - rough.missing
    assert (rough.missing, rough.minimum, rough.maximum) == (
        counted.missing, counted.minimum, counted.maximum
    )  # fmt: skip
    assert rough.top == ()
