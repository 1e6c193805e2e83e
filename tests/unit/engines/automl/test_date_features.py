"""Models learn from moments and decimals as they do from dates and doubles."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.load_columns import raw_column, read_rows, read_table
from modelwright.engines.facts import column_facts

FIRST = datetime(2024, 1, 1, tzinfo=UTC)
ROWS = 200


@pytest.fixture
def tables(tmp_path: Path) -> list[Path]:
    """The same rows twice: as a database gives them, and as files did before they had zones."""
    moments = [FIRST + timedelta(hours=7 * n) for n in range(ROWS)]
    prices = [Decimal(n % 23) + Decimal("0.25") for n in range(ROWS)]
    exact: dict[str, Any] = {
        "seen": pa.array(moments, pa.timestamp("us", "UTC")),
        "price": pa.array(prices, pa.decimal128(20, 2)),
        "big": pa.array([Decimal(10**20 + n) for n in range(ROWS)], pa.decimal128(38, 0)),
        "cost": pa.array([2.0 * float(price) + n % 3 for n, price in enumerate(prices)]),
    }
    plain = exact | {
        "seen": exact["seen"].cast(pa.timestamp("us")),
        "price": exact["price"].cast(pa.float64()),
        "big": exact["big"].cast(pa.float64()),
    }
    paths = [tmp_path / "exact.parquet", tmp_path / "plain.parquet"]
    for path, columns in zip(paths, (exact, plain), strict=True):
        pq.write_table(pa.table(columns), path)
    return paths


def test_whole_numbers_beyond_64_bits_have_exact_facts(tables: list[Path]):
    (big,) = [one for one in column_facts(tables[:1]) if one.name == "big"]
    assert (big.type, big.minimum, big.maximum) == ("integer", 10**20, 10**20 + ROWS - 1)


def test_both_are_planned_alike(tables: list[Path]):
    exact, plain = (make_plan([path], "Predict cost", seconds=10) for path in tables)
    assert exact.kinds == plain.kinds
    assert exact.kinds["seen"] == "date"
    assert exact.kinds["price"] == "number"


@pytest.mark.parametrize("name", ["seen", "price"])
def test_both_are_read_alike_also_one_below_the_other(tables: list[Path], name: str):
    kind: Any = "date" if name == "seen" else "number"
    exact, plain = (
        raw_column(read_table([path], [name]).column(name), kind).values for path in tables
    )
    assert np.array_equal(exact, plain)
    some = np.array([3, ROWS + 3], dtype=np.intp)
    rows = read_rows(tables, [name], some).column(name)
    values = raw_column(rows, kind).values
    assert values[0] == values[1] == exact[3]
