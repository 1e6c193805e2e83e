"""Types reach JSON whole."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from modelwright.engines.sql.executor import Rows
from modelwright.engines.sql.pool import Pool

Ask = Callable[..., Rows]

FAITHFUL = {
    "9007199254740993": 9007199254740993,
    "170141183460469231731687303715884105727::HUGEINT": 170141183460469231731687303715884105727,
    "340282366920938463463374607431768211455::UHUGEINT": 340282366920938463463374607431768211455,
    "123456789012345678901234567890123456789012345::BIGNUM": int(
        "123456789012345678901234567890123456789012345"
    ),
    "1.10::DECIMAL(10,2)": 1.1,
    "'NaN'::DOUBLE": None,
    "'infinity'::DOUBLE": None,
    "'-infinity'::FLOAT": None,
    "['NaN'::DOUBLE, 1.5]": [None, 1.5],
    "0.1::FLOAT": 0.1,
    "[0.1::FLOAT]": [0.1],
    "'3.4028235e38'::FLOAT": 3.4028235e38,
    "0.1::DOUBLE + 0.2::DOUBLE": 0.30000000000000004,
    "NULL": None,
    "true": True,
    "DATE '2024-02-29'": "2024-02-29",
    "TIME '12:34:56.789'": "12:34:56.789000",
    "TIMETZ '12:00:00+02:30'": "12:00:00+02:30",
    "TIMESTAMP '2024-02-29 12:34:56'": "2024-02-29T12:34:56",
    "TIMESTAMP '2024-02-29 12:34:56.000001'": "2024-02-29T12:34:56.000001",
    "TIMESTAMPTZ '2024-02-29 12:34:56+05:30'": "2024-02-29T07:04:56Z",
    "TIMESTAMP_NS '2024-01-01 00:00:00.123456789'": "2024-01-01 00:00:00.123456789",
    "DATE '0044-03-15 (BC)'": "0044-03-15 (BC)",
    "INTERVAL '1 month 3 days 02:00:00.5'": "1 month 3 days 02:00:00.5",
    "[INTERVAL 1 MONTH, NULL]": ["1 month", None],
    "{'i': INTERVAL 1 DAY, 'INTERVAL': 1}": {"i": "1 day", "INTERVAL": 1},
    "UUID '12345678-1234-1234-1234-123456789012'": "12345678-1234-1234-1234-123456789012",
    "'\\x00\\xFFa'::BLOB": "AP9h",
    "'1010'::BIT": "1010",
    "'a'::ENUM('a', 'b')": "a",
    "'{\"a\": 1}'::JSON": '{"a": 1}',
    "['x', NULL]": ["x", None],
    "[[1], [], NULL]": [[1], [], None],
    "[1, 2]::INTEGER[2]": [1, 2],
    "{'a': 1, 'b': {'c': [DATE '2024-01-01']}}": {"a": 1, "b": {"c": ["2024-01-01"]}},
    "row(1, 'x')": [1, "x"],
    "MAP {'a': 1}": {"a": 1},
    "MAP {1: 'one', 2: 'two'}": {"1": "one", "2": "two"},
    "MAP {DATE '2024-01-01': 0.1::FLOAT}": {"2024-01-01": 0.1},
    "MAP {[1, 2]: 'x'}": {"[1,2]": "x"},
    "MAP {'key': [1], 'value': [2]}": {"key": [1], "value": [2]},
    "union_value(number := 5)": 5,
    "{'a': [1, 2], 'm': MAP {1: 2}}::VARIANT": {"a": [1, 2], "m": [{"key": 1, "value": 2}]},
    "'quote \" back \\ line\n tab\t é 🦆'": 'quote " back \\ line\n tab\t é 🦆',
    "chr(0) || 'x'": "\0x",
}


class TestRender:
    @pytest.mark.parametrize("expression", FAITHFUL)
    def test_a_value_is_said_faithfully(self, ask: Ask, expression: str):
        assert json.loads(ask(f"SELECT {expression}").encoded) == [[FAITHFUL[expression]]]

    def test_decimals_keep_every_digit(self, ask: Ask):
        result = ask("SELECT 12345678901234567890123456.789::DECIMAL(38,3), 2.50::DECIMAL(5,2)")
        assert result.encoded == b'[["12345678901234567890123456.789",2.50]]'
        assert result.rows == [[Decimal("12345678901234567890123456.789"), 2.5]]
        assert result.types == ["DECIMAL(38,3)", "DECIMAL(5,2)"]

    def test_every_type_of_duckdb_gives_valid_json(self, tmp_path: Path, pool: Pool):
        path = tmp_path / "all.parquet"
        columns = "* EXCLUDE (bignum, timestamp_ns, timestamp_tz_ns, bit, time_ns, medium_enum, "
        columns += 'large_enum, empty_struct, tuple, "union", time_tz)'
        duckdb.connect().execute(
            f"COPY (SELECT {columns} FROM test_all_types()) TO '{path}' (FORMAT parquet)"
        )
        result = pool.run("types", {"t": path}, "FROM t", max_rows=10, max_bytes=10**6, seconds=20)
        assert len(json.loads(result.encoded)) == 3
        assert len(result.rows[0]) == len(result.types) == len(result.columns)

    def test_names_that_repeat_stay(self, ask: Ask):
        result = ask("SELECT 1 AS a, INTERVAL 1 DAY AS a, 2 AS a")
        assert result.columns == ["a", "a", "a"]
        assert result.types == ["INTEGER", "INTERVAL", "INTEGER"]
        assert result.rows == [[1, "1 day", 2]]

    def test_lossy_columns_keep_the_order_of_rows(self, ask: Ask):
        sql = "SELECT id, to_days(id) AS d FROM sales ORDER BY id DESC -- last\n;"
        assert ask(sql).rows[:2] == [[8, "8 days"], [7, "7 days"]]

    def test_a_dynamic_pivot_may_hold_lossy_columns(self, ask: Ask):
        sql = "PIVOT (SELECT region, to_days(quantity) AS d FROM sales) ON region USING max(d)"
        assert ask(sql).rows == [["5 days", "3 days", "6 days"]]
