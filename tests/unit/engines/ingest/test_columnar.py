"""Parquet that comes in: every type becomes one of the five, and nothing in the file is trusted."""

import contextlib
import io
import uuid
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

moment = partial(datetime, tzinfo=None)
NOON = moment(2024, 1, 5, 12, 0, 0, 123456)


def parquet(columns: dict[str, Any], **options: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


COLUMNS: list[tuple[str, pa.DataType, list[Any], str, list[Any] | None]] = [
    ("bytes", pa.int8(), [1, None, -3], "integer", [1, None, -3]),
    ("large integers", pa.int64(), [2**62], "integer", [2**62]),
    ("unsigned integers", pa.uint64(), [2**63 - 1], "integer", [2**63 - 1]),
    ("too large integers", pa.uint64(), [1, 2**64 - 1], "integer", [1, 2**64 - 1]),
    ("whole decimals", pa.decimal128(38, 0), [Decimal(12), None], "integer", [12, None]),
    ("huge whole decimals", pa.decimal128(38, 0), [Decimal(10**30)], "integer", [10**30]),
    ("wide decimals", pa.decimal128(38, 2), [Decimal("-9.99")], "float", [Decimal("-9.99")]),
    ("too wide decimals", pa.decimal256(50, 2), [Decimal("1.25")], "string", ["1.25"]),
    ("decimals", pa.decimal128(10, 2), [Decimal("1.25")], "float", [1.25]),
    ("halves", pa.float16(), [1.5], "float", [1.5]),
    ("singles", pa.float32(), [1.5, None], "float", [1.5, None]),
    ("no numbers", pa.float64(), [float("nan"), 2.5], "float", [None, 2.5]),
    ("truths", pa.bool_(), [True, None], "boolean", [True, None]),
    ("dates", pa.date32(), [date(2024, 2, 29)], "date", [date(2024, 2, 29)]),
    ("date-times", pa.timestamp("us"), [NOON], "date", [NOON]),
    ("seconds", pa.timestamp("s"), [moment(2024, 1, 5)], "date", [moment(2024, 1, 5)]),
    ("nanoseconds", pa.timestamp("ns"), [NOON], "date", [NOON]),
    ("zones", pa.timestamp("us", "Europe/Paris"), [NOON], "date", [NOON.replace(tzinfo=UTC)]),
    ("times", pa.time64("us"), [time(9, 5, 7)], "string", ["09:05:07"]),
    ("durations", pa.duration("ms"), [timedelta(seconds=1.5)], "float", [1.5]),
    ("texts of digits", pa.string(), ["12", "007"], "string", ["12", "007"]),
    ("large texts", pa.large_string(), ["x"], "string", ["x"]),
    ("text views", pa.string_view(), ["x", None], "string", ["x", None]),
    (
        "categories",
        pa.dictionary(pa.int8(), pa.string()),
        ["a", "b", "a"],
        "string",
        ["a", "b", "a"],
    ),
    ("bytes that are text", pa.binary(), ["é".encode(), b"a"], "string", ["é", "a"]),
    ("bytes of which some are none", pa.binary(), [b"ff", b"\xff"], "string", ["6666", "ff"]),
    ("fixed bytes", pa.binary(2), [b"ab"], "string", ["ab"]),
    ("unique ids", pa.uuid(), [uuid.UUID(int=255).bytes], "string", None),
    ("nothing", pa.null(), [None, None], "string", [None, None]),
    ("lists", pa.list_(pa.int64()), [[1, None], None, []], "string", ["[1,null]", None, "[]"]),
    (
        "structs",
        pa.struct([("a", pa.date32()), ("b", pa.string())]),
        [{"a": date(2024, 1, 5), "b": "é"}],
        "string",
        ['{"a":"2024-01-05","b":"é"}'],
    ),
    ("maps", pa.map_(pa.string(), pa.float64()), [[("k", 1.5)]], "string", ['{"k":1.5}']),
    ("no integers", pa.int32(), [None, None], "integer", [None, None]),
]


class TestColumn:
    @pytest.mark.parametrize(
        ("kind", "given", "name", "read"), [c[1:] for c in COLUMNS], ids=[c[0] for c in COLUMNS]
    )
    def test_becomes_one_of_five_types(
        self, ingest: Any, kind: pa.DataType, given: Any, name: str, read: Any
    ):
        found = ingest(
            parquet({"v": pa.array(given, kind), "n": list(range(len(given)))}), "t.parquet"
        )
        assert found.table.format == "parquet"
        assert found.types == [name, "integer"]
        if read is not None:
            assert found.values() == read

    @pytest.mark.parametrize(
        "options",
        [
            {"compression": "gzip"},
            {"compression": "zstd", "data_page_version": "2.0"},
            {"use_dictionary": False},
            {"row_group_size": 1000},
            {"version": "1.0"},
        ],
    )
    def test_is_read_however_it_is_written(self, ingest: Any, options: Any):
        names = [f"n{n % 50}" for n in range(20_000)]
        found = ingest(
            parquet(
                {"n": list(range(20_000)), "t": names, "l": [[n] for n in range(20_000)]}, **options
            ),
            "t.parquet",
        )
        assert found.values() == list(range(20_000))
        assert found.values(1) == names
        assert [column.unique for column in found.table.columns] == [True, False, True]

    def test_is_read_as_other_tools_write_it(self, ingest: Any, tmp_path: Any):
        path = tmp_path / "other.parquet"
        duckdb.sql(
            "copy (select i, i::hugeint as h, 'x' || i as t, i % 2 = 0 as b"
            f" from range(5000) t(i)) to '{path}'"
        )
        found = ingest(path, "t.parquet")
        assert found.types == ["integer", "float", "string", "boolean"]
        assert found.rows[4999] == (4999, 4999.0, "x4999", False)

    def test_decides_late_as_well(self, ingest: Any):
        values = pa.array([1] * 200_000 + [2**64 - 1], pa.uint64())
        found = ingest(parquet({"v": values}), "t.parquet")
        assert (found.types, found.values()[0], found.values()[-1]) == (
            ["integer"],
            1,
            2**64 - 1,
        )

    def test_gets_a_name_of_its_own(self, ingest: Any):
        table = pa.Table.from_arrays([pa.array([1])] * 3, names=["a", "A", ""])
        out = io.BytesIO()
        pq.write_table(table, out)
        assert ingest(out.getvalue(), "t.parquet").names == ["a", "A_2", "column_3"]


class TestNanoseconds:
    @pytest.mark.parametrize(
        "kind", [pa.timestamp("ns"), pa.timestamp("ns", "UTC"), pa.duration("ns")]
    )
    def test_that_are_cut_are_told(self, ingest: Any, kind: pa.DataType):
        columns = {"exact": pa.array([1_000, None], kind), "fine": pa.array([None, 1_001], kind)}
        found = ingest(parquet(columns), "a.parquet").table
        assert found.notices == ("The times in fine are cut to microseconds.",)


class TestRows:
    def test_may_be_none(self, ingest: Any):
        found = ingest(
            parquet({"a": pa.array([], pa.int64()), "b": pa.array([], pa.string())}), "t.parquet"
        )
        assert (found.table.rows, found.names) == (0, ["a", "b"])

    def test_that_are_none_leave_the_types(self, ingest: Any):
        kinds = {kind: given for _, given, _, kind, _ in COLUMNS}
        empty = {kind: pa.array([], given) for kind, given in kinds.items()}
        assert ingest(parquet(empty), "t.parquet").types == list(kinds)


class TestBreak:
    def test_of_a_file_cut_short_is_refused(self, broken: Any):
        assert "cut short" in broken(parquet({"a": [1, 2]})[:-20], "t.parquet").reason

    def test_of_a_footer_that_is_longer_than_the_file_is_refused(self, broken: Any):
        assert "damaged" in broken(b"PAR1PAR1", "t.parquet").reason

    def test_of_no_columns_is_refused(self, broken: Any):
        assert "no columns" in broken(parquet({}), "t.parquet").reason

    @pytest.mark.parametrize("seed", range(20))
    def test_anywhere_is_refused_or_read_but_never_fails_otherwise(self, ingest: Any, seed: int):
        import random

        from modelwright.engines.ingest.table import BrokenFile

        chance = random.Random(seed)
        data = bytearray(
            parquet(
                {
                    "a": list(range(1000)),
                    "t": [f"t{n % 9}" for n in range(1000)],
                    "l": [[n] * 3 for n in range(1000)],
                }
            )
        )
        for _ in range(3):
            data[chance.randrange(4, len(data) - 8)] = chance.randrange(256)
        with contextlib.suppress(BrokenFile):
            ingest(bytes(data), "t.parquet")
