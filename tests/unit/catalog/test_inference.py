"""What is inferred of tables, and kept: also where there was no time to look at all of them."""

import json
from time import monotonic
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from modelwright.catalog import inference
from modelwright.catalog.inference import MAX_LOOKS, Inference
from modelwright.engines.sql.executor import Rows

SHOP: Any = SimpleNamespace(
    data_id="shop",
    tables=[SimpleNamespace(table=name, units={}) for name in ("orders", "customers")],
)
ENOUGH_SECONDS = 60.0


class Tables:
    """Two tables with a key between them; counts what they are asked."""

    def __init__(self) -> None:
        self.asked = 0
        self._db = duckdb.connect()
        self._db.execute(
            "CREATE TABLE orders AS SELECT i AS id, i % 7 AS customer_id FROM range(50) t(i)"
        )
        self._db.execute(
            "CREATE TABLE customers AS SELECT i AS customer_id, 'n' || i AS name FROM range(7) t(i)"
        )

    def run(self, sql: str, most: int) -> Rows:
        self.asked += 1
        found = self._db.execute(sql)
        about = found.description or []
        rows = found.fetchmany(most)
        names, types = [one[0] for one in about], [str(one[1]) for one in about]
        return Rows(names, types, json.dumps(rows).encode(), len(rows), False, 0.0)


@pytest.fixture
def tables() -> Tables:
    return Tables()


def test_what_was_seen_whole_is_kept(tables: Tables):
    known = Inference()
    first = known.infer(SHOP, tables.run, ENOUGH_SECONDS)
    asked = tables.asked
    assert known.infer(SHOP, tables.run, ENOUGH_SECONDS) is first
    assert tables.asked == asked
    assert len(first.catalog.relationships) == 1


def test_what_there_was_no_time_for_is_looked_at_again_later(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
):
    known = Inference()
    hurried = known.infer(SHOP, tables.run, 0.0)
    assert hurried.catalog.relationships == ()
    assert known.infer(SHOP, tables.run, ENOUGH_SECONDS) is hurried
    later = monotonic() + inference.SECONDS_BETWEEN_LOOKS + 1
    monkeypatch.setattr("modelwright.catalog.inference.monotonic", lambda: later)
    again = known.infer(SHOP, tables.run, ENOUGH_SECONDS)
    assert again.look == hurried.look + 1
    assert len(again.catalog.relationships) == 1
    assert known.infer(SHOP, tables.run, 0.0) is again


def test_tables_that_there_is_never_time_for_are_looked_at_a_few_times(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(inference, "SECONDS_BETWEEN_LOOKS", -1.0)
    known = Inference()
    assert known.infer(SHOP, tables.run, 0.0).look == MAX_LOOKS
    asked = tables.asked
    assert known.infer(SHOP, tables.run, 0.0).look == MAX_LOOKS
    assert tables.asked == asked
