"""Facts of columns are exact, whatever the columns hold and however many they are."""

from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from modelwright.engines import facts
from modelwright.engines.facts import column_facts


def _written(folder: Path, called: str = "one", /, **columns: Any) -> Path:
    path = folder / f"{called}.parquet"
    parquet.write_table(pa.table(columns), path)
    return path


class TestColumnFacts:
    def test_count_gaps_and_values(self, tmp_path: Path):
        days = [date(2024, 1, 1), None, date(2023, 1, 1)]
        path = _written(tmp_path, a=[3, None, 3], s=["x", "y", "y"], d=days, b=[True] * 3)
        a, s, d, b = column_facts([path])
        assert (a.type, a.rows, a.missing, a.distinct, a.top) == ("integer", 3, 1, 1, ((3, 2),))
        assert (s.minimum, s.maximum, s.top) == ("x", "y", (("y", 2), ("x", 1)))
        assert (d.type, d.minimum, d.maximum) == ("date", days[2], days[0])
        assert (b.type, b.top) == ("boolean", ((True, 3),))

    def test_keep_the_order_of_the_table_and_odd_names(self, tmp_path: Path):
        names = ['q"uote', "name", "v", "n", "t"]
        path = _written(tmp_path, **{name: [place] for place, name in enumerate(names)})
        assert [(one.name, one.minimum) for one in column_facts([path])] == [
            (name, place) for place, name in enumerate(names)
        ]

    def test_of_stacked_tables_count_a_missing_column_as_gaps(self, tmp_path: Path):
        paths = [_written(tmp_path, a=[1, 2]), _written(tmp_path, "two", a=[3], z=[1.5])]
        a, z = column_facts(paths)
        assert (a.distinct, z.rows, z.missing) == (3, 3, 2)

    def test_of_nothing_are_empty(self, tmp_path: Path):
        gaps = _written(tmp_path, a=pa.nulls(2, pa.string()), b=pa.nulls(2, pa.float64()))
        assert [(one.missing, one.distinct, one.top) for one in column_facts([gaps])] == [
            (2, 0, ()),
            (2, 0, ()),
        ]
        none = _written(tmp_path, "none", a=pa.array([], pa.int64()))
        assert column_facts([none])[0].rows == 0

    def test_cut_the_values_of_a_column_that_has_many(self, tmp_path: Path):
        many = [*range(1001), 7]
        (one,) = column_facts([_written(tmp_path, a=many)])
        assert one.distinct == 1001
        assert one.top == ((7, 2), *((value, 1) for value in range(50) if value != 7))

    def test_are_the_same_column_by_column(self, tmp_path: Path, monkeypatch: Any):
        path = _written(tmp_path, a=[1, 2, 2], b=[4, None, 4], c=["x", None, "z"])
        together = column_facts([path])
        monkeypatch.setattr(facts, "MAX_CELLS_TOGETHER", 1)
        assert column_facts([path]) == together

    def test_of_many_columns_come_quickly(self, tmp_path: Path):
        path = _written(tmp_path, **{f"c{place}": [place, 0] for place in range(800)})
        assert [one.maximum for one in column_facts([path])] == list(range(800))
