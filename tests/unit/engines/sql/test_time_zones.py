"""Moments are kept; the time zone decides their days and months, and how they are shown."""

from pathlib import Path

import duckdb
import pytest

from modelwright.engines.facts import column_facts
from modelwright.engines.profiling.source import ProfileLimits, Source
from modelwright.engines.profiling.table_profile import profile
from modelwright.engines.sql.failures import QueryFailed
from modelwright.engines.sql.pool import Pool

NEW_YORK = "America/New_York"
MONTHS = "SELECT month(seen) AS m, count(*) AS n FROM t GROUP BY m ORDER BY m"


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two moments of New York's March, and one of its April that is UTC's too."""
    path = tmp_path_factory.mktemp("moments") / "t.parquet"
    duckdb.connect().execute(
        "copy (select * from (values (1, timestamptz '2024-03-31 23:30:00-04'),"
        " (2, timestamptz '2024-04-01 00:15:00-04'), (3, timestamptz '2024-03-31 12:00:00-04'))"
        f" as v (id, seen)) to '{path}'"
    )
    return path


def asked(pool: Pool, path: Path, sql: str, zone: str = "UTC") -> list[list[object]]:
    more = {"max_rows": 10, "max_bytes": 10_000, "seconds": 20.0, "time_zone": zone}
    return pool.run("zones", {"t": path}, sql, **more).rows  # type: ignore[arg-type]


def test_days_and_months_are_those_of_the_time_zone(pool: Pool, moments: Path):
    assert asked(pool, moments, MONTHS) == [[3, 1], [4, 2]]
    assert asked(pool, moments, MONTHS, NEW_YORK) == [[3, 2], [4, 1]]
    assert asked(pool, moments, MONTHS) == [[3, 1], [4, 2]]


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("seen", "2024-03-31T23:30:00-04:00"),
        ("date_trunc('month', seen)", "2024-03-01T00:00:00-05:00"),
        ("seen::DATE", "2024-03-31"),
        ("seen < DATE '2024-04-01'", True),
        ("strftime(seen, '%Y-%m-%d %H:%M')", "2024-03-31 23:30"),
        ("[seen]", ["2024-03-31T23:30:00-04:00"]),
    ],
)
def test_a_moment_is_shown_with_its_offset(
    pool: Pool, moments: Path, expression: str, shown: object
):
    sql = f"SELECT {expression} FROM t WHERE id = 1"
    assert asked(pool, moments, sql, NEW_YORK) == [[shown]]


def test_in_utc_a_moment_ends_in_z(pool: Pool, moments: Path):
    assert asked(pool, moments, "SELECT seen FROM t WHERE id = 1") == [["2024-04-01T03:30:00Z"]]


def test_names_and_values_match_in_decomposed_letters(pool: Pool, tmp_path: Path):
    path = tmp_path / "cafes.parquet"
    duckdb.connect().execute(f"copy (select 'caf\u00e9' as \"r\u00e9gion\") to '{path}'")
    more = {"max_rows": 10, "max_bytes": 10_000, "seconds": 20.0}
    sql = "SELECT count(*) FROM t WHERE \"re\u0301gion\" = 'cafe\u0301'"
    assert pool.run("letters", {"t": path}, sql, **more).rows == [[1]]  # type: ignore[arg-type]


def test_sql_cannot_set_another_time_zone(pool: Pool, moments: Path):
    with pytest.raises(QueryFailed):
        asked(pool, moments, f"SET TimeZone = '{NEW_YORK}'")


def test_facts_and_profiles_have_the_clocks_of_the_time_zone(moments: Path, tmp_path: Path):
    (_, seen) = column_facts([moments], NEW_YORK)
    assert (seen.type, str(seen.minimum), str(seen.maximum)) == (
        "date",
        "2024-03-31 12:00:00",
        "2024-04-01 00:15:00",
    )
    assert str(column_facts([moments])[1].minimum) == "2024-03-31 16:00:00"
    profiled = profile(moments, "basic", scratch=tmp_path, time_zone=NEW_YORK)
    assert profiled.stats["date_ranges"]["seen"] == {
        "min": "2024-03-31T12:00:00",
        "max": "2024-04-01T00:15:00",
    }
    with Source(moments, tmp_path, ProfileLimits(), NEW_YORK) as source:
        assert source.fields[1].type == "date"
        assert str(source.one("select max(c1) from t")[0]) == "2024-04-01 00:15:00"
