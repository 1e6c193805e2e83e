"""A target that two columns give exactly is told of; one that they nearly give is not."""

from typing import Any

import numpy as np
import pytest
from tests.unit.engines.automl.conftest import Write

from modelwright.engines.automl.planning.build_plan import make_plan

N = 500
MAKER = np.random.default_rng(5)
PRICE = MAKER.uniform(1, 90, N).round(2)
COUNT = MAKER.integers(1, 40, N)
NOISE = MAKER.normal(size=N)
DAY = np.datetime64("2024-03-01T00:00:00", "us")
BEGUN = DAY + MAKER.integers(0, 9_000_000, N).astype("timedelta64[s]")
TOOK = MAKER.integers(1, 90_000, N)


def said(write: Write, **columns: Any) -> list[str]:
    found = make_plan([write(**columns)], "", target="y", task="regression", seconds=10)
    return [one.split(" in every row looked at: ")[0] for one in found.warnings]


class TestFormulas:
    @pytest.mark.parametrize(
        ("truth", "told"),
        [
            (PRICE + COUNT, "price plus count"),
            (COUNT - PRICE, "count minus price"),
            ((PRICE * COUNT).round(2), "price times count"),
            (PRICE / COUNT, "price divided by count"),
            (100 * COUNT / PRICE, "100 times (count divided by price)"),
            ((PRICE + COUNT) / 2, "0.5 times (price plus count)"),
        ],
    )
    def test_of_two_numbers_are_told(self, write: Write, truth: Any, told: str):
        columns = {"noise": NOISE, "price": PRICE, "count": COUNT, "y": truth}
        assert said(write, **columns) == [f"y is {told}"]

    def test_of_two_dates_are_told(self, write: Write):
        ended = BEGUN + TOOK.astype("timedelta64[s]")
        columns = {"begun": BEGUN, "ended": ended, "y": TOOK / 3600}
        assert said(write, **columns) == ["y is 0.000277778 times (ended minus begun)"]

    def test_that_one_row_breaks_are_not(self, write: Write):
        truth = PRICE * COUNT
        truth[7] += 5
        assert said(write, price=PRICE, count=COUNT, y=truth) == []

    def test_that_hold_by_and_large_are_not(self, write: Write):
        truth = PRICE * COUNT * (1 + NOISE / 100)
        assert said(write, price=PRICE, count=COUNT, y=truth) == []

    def test_of_columns_with_gaps_are_not(self, write: Write):
        price = np.where(np.arange(N) % 9, PRICE, np.nan)
        assert said(write, price=price, count=COUNT, y=PRICE * COUNT) == []

    def test_are_looked_for_in_a_wide_sparse_table_quickly(self, write: Write):
        flags = {f"flag {at}": MAKER.random(N) < 0.01 for at in range(300)}
        counts = {name: flag.astype(int) for name, flag in flags.items()}
        assert said(write, **counts, y=MAKER.integers(0, 3, N)) == []
