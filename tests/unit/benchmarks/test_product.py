"""Tests that the benchmark of questions asks the product as it is."""

from datetime import date
from pathlib import Path

import duckdb
from benchmarks.asking.product import RULES, Product, readers_of
from benchmarks.asking.sets import Data


def test_a_question_is_answered_by_the_products_own_way(tmp_path: Path):
    made = "select range as order_id, range % 3 as region from range(12)"
    duckdb.sql(f"copy ({made}) to '{tmp_path}/orders.parquet'")
    data = Data("shop", {"orders": tmp_path / "orders.parquet"}, date(2026, 1, 1))
    told = Product(data, readers_of([RULES]), 0.5, 29).ask("how many orders are there?")
    assert told.kind == "answer"
    with data.store() as store:
        assert store.execute(told.sql[0]).fetchall() == [(12,)]
