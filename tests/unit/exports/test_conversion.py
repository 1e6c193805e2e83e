"""What becomes of every kind of value, and that a large table takes little memory."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from fastapi.testclient import TestClient

from modelwright.bootstrap.container import Container
from modelwright.exports.conversion import convert_file
from modelwright.jobs.subprocesses import ChildLimits, run
from modelwright.system.sandbox.process import Reach

MONEY = "12345678901234567.89"
KINDS = """
SELECT 1::BIGINT AS whole, 'nan'::DOUBLE AS nan, 'inf'::FLOAT AS inf, 1.25 AS decimal,
  TIMESTAMP '2024-01-02 03:04:05.5' AS moment, DATE '2024-01-02' AS day, true AS yes,
  TIMESTAMPTZ '2024-01-02 03:04:05+02' AS zoned, 'a"b' AS "quo""ted", [1, NULL] AS list,
  {'k': 'v'} AS struct, NULL::VARCHAR AS nothing, '' AS empty, 'ab'::BLOB AS bytes
"""


@pytest.fixture
def converted(tmp_path: Path) -> Callable[..., str]:
    def make(select: str, kind: str, **more: Any) -> str:
        source, target = tmp_path / "t.parquet", tmp_path / "out"
        with duckdb.connect() as connection:
            connection.execute(f"COPY ({select}) TO '{source}'")
        payload = {
            "source": str(source),
            "target": str(target),
            "format": kind,
            "include_headers": True,
            "scratch": str(tmp_path),
            "memory_bytes": 200 << 20,
            **more,
        }
        made = convert_file(payload, lambda _: None)
        assert made["size_bytes"] == target.stat().st_size
        return target.read_text()

    return make


class TestJson:
    def test_every_kind_of_value(self, converted: Callable[..., str]):
        assert json.loads(converted(KINDS, "json")) == [
            {
                "whole": 1,
                "nan": None,
                "inf": None,
                "decimal": 1.25,
                "moment": "2024-01-02T03:04:05.5",
                "day": "2024-01-02",
                "yes": True,
                "zoned": "2024-01-02T01:04:05Z",
                'quo"ted': 'a"b',
                "list": [1, None],
                "struct": {"k": "v"},
                "nothing": None,
                "empty": "",
                "bytes": "YWI=",
            }
        ]

    def test_no_rows_are_an_empty_array(self, converted: Callable[..., str]):
        assert json.loads(converted("SELECT 1 AS a LIMIT 0", "json")) == []

    def test_decimals_that_no_double_holds_are_texts_with_all_their_digits(
        self, converted: Callable[..., str]
    ):
        select = (
            f"SELECT {MONEY}::DECIMAL(20,2) AS a, 19.90::DECIMAL(20,2) AS b,"
            " NULL::DECIMAL(38,10) AS c, -0.0000000001::DECIMAL(38,10) AS d,"
            " 12345678901234567890123456789012345678::DECIMAL(38,0) AS e, 0.1::DECIMAL(2,1) AS f"
        )
        assert json.loads(converted(select, "json")) == [
            {
                "a": MONEY,
                "b": 19.9,
                "c": None,
                "d": -1e-10,
                "e": "12345678901234567890123456789012345678",
                "f": 0.1,
            }
        ]
        told = converted(select, "csv").splitlines()[1]
        whole = "12345678901234567890123456789012345678"
        assert told == f"{MONEY},19.90,,-0.0000000001,{whole},0.1"


class TestCsv:
    def test_nothing_and_the_empty_text_differ(self, converted: Callable[..., str]):
        text = converted("SELECT NULL AS a, '' AS b, E'x\\ny,z' AS c", "csv")
        assert text == 'a,b,c\n,"","x\ny,z"\n'

    def test_rows_keep_their_order(self, converted: Callable[..., str]):
        text = converted("SELECT range AS n FROM range(200000)", "csv", include_headers=False)
        assert [int(row[0]) for row in csv.reader(text.splitlines())] == list(range(200000))


class TestMemory:
    @pytest.mark.parametrize("kind", ["csv", "json"])
    def test_a_table_larger_than_its_memory_is_written(self, tmp_path: Path, kind: str):
        source, target = tmp_path / "t.parquet", tmp_path / "out"
        with duckdb.connect() as connection:
            connection.execute(
                "COPY (SELECT range AS n, md5(range::VARCHAR) || repeat('x', 200) AS text"
                f" FROM range(1200000)) TO '{source}'"
            )
        payload = {
            "source": str(source),
            "target": str(target),
            "format": kind,
            "include_headers": True,
            "scratch": str(tmp_path),
            "memory_bytes": 180 << 20,
        }
        made = run(
            "modelwright.exports.conversion:convert_file",
            payload,
            limits=ChildLimits(400, 120),
            on_report=lambda _: None,
            check=lambda: None,
            reach=Reach(readable=(str(source),)),
            folder=tmp_path,
        )
        assert made["size_bytes"] > 250_000_000


class TestJob:
    def test_a_real_process_makes_the_file(
        self, export: Callable[..., dict[str, Any]], api: TestClient
    ):
        made = export(format="json")
        assert made["status"] == "completed"
        assert api.get(made["files"][0]["download_url"]).json()[0]["city"] == "Oslo"

    def test_too_little_time_fails_the_export_with_the_reason(
        self, container: Container, export: Callable[..., dict[str, Any]]
    ):
        work: Any = next(one for one in container.handlers if one.kind == "export")
        work.settings = container.settings.model_copy(update={"export_seconds": 0.01})
        made = export(format="csv")
        assert (made["status"], made["files"]) == ("failed", [])
        assert "seconds" in made["error"]
