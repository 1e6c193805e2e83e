"""A few rows of a converted file, as a preview shows them."""

import json
import time
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
from pyarrow import parquet as pq

from modelwright.engines.ingest.reading import MAX_PREVIEW_CHARACTERS, read_records, read_strings

DB = duckdb.connect(config={"threads": 1, "memory_limit": "256MiB"})
DB.execute("set parquet_metadata_cache=true")  # as in the processes that read previews
TEXT = (
    "id,price,ok,day,at,name\n"
    "1,1.5,true,2024-01-05,2024-01-05T10:00:00.5,Zoë\n"
    "2,inf,false,,2024-01-05 00:00:00,\n"
    "3,,,0001-01-01,,x\n"
)


class TestReadStrings:
    def test_gives_texts_with_iso_dates_and_nothing_for_missing(self, ingest: Any):
        assert read_strings(DB, ingest(TEXT).path, 10, 0) == (
            3,
            ["id", "price", "ok", "day", "at", "name"],
            [
                ["1", "1.5", "true", "2024-01-05", "2024-01-05T10:00:00.5", "Zoë"],
                ["2", "inf", "false", "", "2024-01-05T00:00:00", ""],
                ["3", "", "", "0001-01-01", "", "x"],
            ],
        )

    def test_gives_the_rows_asked_for(self, ingest: Any):
        path = ingest("a\n" + "".join(f"{n}\n" for n in range(500_000))).path
        assert read_strings(DB, path, 2, 400_001) == (500_000, ["a"], [["400001"], ["400002"]])
        assert read_strings(DB, path, 10, 499_999)[2] == [["499999"]]
        assert read_strings(DB, path, 10, 500_000)[2] == []
        assert read_strings(DB, path, 0, 0)[2] == []

    def test_cuts_long_texts(self, ingest: Any):
        (cell,) = read_strings(DB, ingest(f"a,b\n{'x' * 20_000},1\n").path, 1, 0)[2][0][:1]
        assert cell == "x" * (MAX_PREVIEW_CHARACTERS - 1) + "…"

    def test_of_no_rows_gives_the_columns(self, ingest: Any):
        assert read_strings(DB, ingest("a,b\n").path, 10, 0) == (0, ["a", "b"], [])

    def test_takes_any_name_of_file_and_column(self, ingest: Any, tmp_path: Path):
        path = ingest('"a""b; --","\'",c\n1,2,x\n').path
        odd = tmp_path / "it's [1]*?.parquet"
        path.rename(odd)
        assert read_strings(DB, odd, 1, 0) == (1, ['a"b; --', "'", "c"], [["1", "2", "x"]])

    def test_of_thousands_of_columns_stays_within_its_memory(self, tmp_path: Path):
        path = tmp_path / "wide.parquet"
        cells = pa.array([f"{row} {'x' * 60}" for row in range(3000)])
        pq.write_table(pa.table({f"c{at}": cells for at in range(5000)}), path)
        total, names, rows = read_strings(DB, path, 2, 2000)
        assert (total, len(names)) == (3000, 5000)
        assert [row[0][:4] for row in rows] == ["2000", "2001"]
        assert {len(row) for row in rows} == {5000}

    def test_is_quick_at_any_offset(self, ingest: Any):
        path = ingest("a,b\n" + "".join(f"{n},text {n}\n" for n in range(600_000))).path
        read_strings(DB, path, 10, 0)
        start = time.process_time()
        read_strings(DB, path, 100, 590_000)
        assert time.process_time() - start < 1


class TestReadRecords:
    def test_gives_what_json_can_say(self, ingest: Any):
        total, names, rows = read_records(DB, ingest(TEXT).path, 2, 1)
        records = [dict(zip(names, row, strict=True)) for row in rows]
        assert total == 3
        assert json.loads(json.dumps(records, allow_nan=False)) == [
            {
                "id": 2,
                "price": None,
                "ok": False,
                "day": None,
                "at": "2024-01-05T00:00:00",
                "name": None,
            },
            {"id": 3, "price": None, "ok": None, "day": "0001-01-01", "at": None, "name": "x"},
        ]
