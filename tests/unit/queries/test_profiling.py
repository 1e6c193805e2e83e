"""What is counted of tables, and what is not where they are large or time is short."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest

from modelwright.engines.facts import ColumnFacts, column_facts
from modelwright.engines.language import table_profile
from modelwright.engines.language.table_profile import Run, profile
from modelwright.engines.sql.executor import Rows
from modelwright.engines.sql.pool import Pool

ORDINARY = """
SELECT range AS id, 'name ' || (range % 3) AS name, range % 7 AS day, range / 4 AS share,
  range % 2 = 0 AS even, DATE '2024-01-01' + (range % 5)::INTEGER AS "on",
  CASE WHEN range % 10 > 0 THEN range % 4 END AS gaps, 'who ' || range AS who
FROM range(3000)
"""


@pytest.fixture
def studied(tmp_path: Path, pool: Pool) -> Callable[[str], tuple[Run, Path]]:
    def make(select: str) -> tuple[Run, Path]:
        path = tmp_path / "t.parquet"
        with duckdb.connect() as connection:
            connection.execute(f"COPY ({select}) TO '{path}'")

        def run(sql: str, most: int) -> Rows:
            bounds: dict[str, Any] = {"max_rows": most, "max_bytes": 10**8, "seconds": 20.0}
            return pool.run(str(path), {"t": path}, sql, **bounds)

        return run, path

    return make


def facts(run: Run, seconds: float = 300) -> dict[str, ColumnFacts]:
    return {one.name: one for one in profile(run, ["t"], seconds).tables[0].columns}


class TestProfile:
    def test_agrees_with_the_engines_own_facts(self, studied: Callable[..., tuple[Run, Path]]):
        run, path = studied(ORDINARY)
        found = facts(run)
        for exact in column_facts([path]):
            mine = found[exact.name]
            assert (mine.type, mine.rows, mine.missing) == (exact.type, 3000, exact.missing)
            assert (mine.minimum, mine.maximum) == (exact.minimum, exact.maximum)
            if exact.distinct <= 1000 or exact.name in {"id", "who"}:
                assert mine.distinct == exact.distinct
            if exact.distinct <= 1000:
                assert set(mine.top) == set(exact.top)
        assert len(found["who"].top) == 50

    def test_values_beyond_the_facts_are_kept_for_questions(
        self, studied: Callable[..., tuple[Run, Path]]
    ):
        run, _ = studied(ORDINARY)
        assert len(profile(run, ["t"], 20).values["t", "who"]) == 3000

    @pytest.mark.parametrize("different", [1500, 3000, 6000])
    def test_texts_that_were_all_seen_are_counted_exactly(
        self, studied: Callable[..., tuple[Run, Path]], different: int
    ):
        run, _ = studied(f"SELECT 'N' || (i * 7 % {different}) AS tail FROM range(7000) t(i)")
        assert facts(run)["tail"].distinct == different

    def test_without_time_names_and_types_remain(self, studied: Callable[..., tuple[Run, Path]]):
        run, _ = studied(ORDINARY)
        found = facts(run, seconds=-1)
        assert [one.type for one in found.values()][:3] == ["integer", "string", "integer"]
        assert found["name"].top == ()

    def test_large_tables_are_read_at_their_head_but_for_extremes_and_few_values(
        self, studied: Callable[..., tuple[Run, Path]], monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(table_profile, "LARGE_CELLS", 100)
        monkeypatch.setattr(table_profile, "HEAD_ROWS", 500)
        run, _ = studied(
            "SELECT range AS id, CASE WHEN range > 2000 THEN 'late' ELSE 'early' END AS kind"
            ", DATE '2024-01-01' + range::INTEGER AS on_day FROM range(3000)"
        )
        found = facts(run)
        assert (found["id"].distinct, found["id"].maximum) == (3000, 2999)
        assert found["on_day"].maximum == date(2032, 3, 18)
        assert dict(found["kind"].top) == {"early": 2001, "late": 999}

    def test_nested_and_wide_tables_do_no_harm(self, studied: Callable[..., tuple[Run, Path]]):
        columns = ", ".join(f'{n} AS "c{n}"' for n in range(120))
        run, _ = studied(f'SELECT [1, 2] AS list, {{\'a\': 1}} AS "b""c", {columns}')
        found = facts(run)
        assert len(found) == 122
        assert (found['b"c'].type, found["c119"].top) == ("string", ((119, 1),))
