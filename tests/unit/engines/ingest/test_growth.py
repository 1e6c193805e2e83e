"""Hostile input is read in a time that grows with its size, not with the square of it."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from modelwright.engines.ingest import local_forms
from modelwright.engines.ingest.local_forms import find_forms
from modelwright.engines.ingest.naming import distinct_names, said_of_nameless
from modelwright.engines.ingest.opening import _misfit
from modelwright.engines.ingest.record_shapes import table_in

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


class TestAmounts:
    @pytest.mark.parametrize("written", ["${:,.2f}", "{:,.2f} €", "{:,.2f}", "({:,.2f})"])
    def test_are_looked_at_by_their_shapes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str
    ):
        looked: list[int] = []

        def values(form: Any, texts: Any) -> Any:
            looked.append(len(texts))
            return read(form, texts)

        read = local_forms._values
        monkeypatch.setattr(local_forms, "_values", values)
        amounts = [written.format(900 + number * 37 / 100) for number in range(20_000)]
        pq.write_table(pa.table({"price": amounts}), tmp_path / "t.parquet")
        [found] = find_forms(tmp_path / "t.parquet", {}, None)
        assert found.kind == "number"
        assert looked
        assert max(looked) <= 100


class TestLists:
    def test_of_records_in_many_members_are_no_table(self):
        series = {
            f"s{number}": {"prices": [{"day": 1, "price": 2.5}, {"day": 2, "price": 3.5}]}
            for number in range(3_000)
        }
        assert table_in({"meta": [1], "series": series}) is None

    def test_below_a_long_name_are_looked_for(self):
        deep: dict[str, Any] = {f"m{number}": {} for number in range(50_000)}
        assert table_in({"x" * 2**22: deep, "y": 1}) is None


def test_many_columns_without_names_are_counted():
    names = ["id", *["" for _ in range(3_000)]]
    [said] = said_of_nameless(names, [["1" for _ in names]])
    assert "column_2, column_3, column_4 and 2,997 more" in said


def test_many_columns_of_one_name_are_told_apart():
    names = distinct_names([*["a"] * 6_000, "A_2", "a_3"])
    assert names[:4] == ["a", "a_4", "a_5", "a_6"]
    assert len({*map(str.casefold, names)}) == len(names)


class TestValuesOfAnotherType:
    def test_are_found_below_many_others(self, tmp_path: Path):
        values = [*map(str, range(100_000)), "abc"]
        pq.write_table(pa.table({"id": values}), tmp_path / "t.parquet")
        assert _misfit(tmp_path / "t.parquet", "id", "integer") == "abc"

    def test_are_found_below_times_of_which_some_name_a_zone(self, tmp_path: Path):
        times = [f"2024-01-{1 + n % 28:02}T10:{n // 28 % 60:02}:00" for n in range(1_680)]
        values = [text + "Z" * (n % 2) for n, text in enumerate(times)]
        pq.write_table(pa.table({"day": [*values, "never", "2024"]}), tmp_path / "t.parquet")
        assert _misfit(tmp_path / "t.parquet", "day", "date") == "never"
