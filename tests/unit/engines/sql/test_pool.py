"""Children of many sessions: few, shared out by use, gone when their session is."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import duckdb
import pytest

from modelwright.engines.sql.executor import PreviewRequest, Rows
from modelwright.engines.sql.failures import Busy, Cancelled, QueryFailed, TooLarge
from modelwright.engines.sql.pool import Pool

MEMORY = 256 * 1024**2
FOREVER = "SELECT count(*) FROM range(1000000000000)"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Pool]:
    built = Pool(size=2, memory_bytes=MEMORY, homes=tmp_path / "homes")
    yield built
    built.close()


def ask(
    pool: Pool,
    session: str,
    tables: dict[str, Path],
    sql: str,
    seconds: float = 20,
    cancelled: Event | None = None,
    owner: str = "",
) -> Rows:
    bounds: dict[str, Any] = {"max_rows": 10, "max_bytes": 10_000}
    return pool.run(
        session, tables, sql, **bounds, seconds=seconds, cancelled=cancelled, owner=owner
    )


class TestOwners:
    def test_nobody_has_all_children_at_work(self, small: Pool, tables: dict[str, Path]):
        gone = Event()
        with ThreadPoolExecutor() as threads:
            long = [
                threads.submit(ask, small, f"ana {number}", tables, FOREVER, 20, gone, "ana")
                for number in range(3)
            ]
            assert ask(small, "ben", tables, "SELECT 1", 10, owner="ben").rows == [[1]]
            gone.set()
            for one in long:
                with pytest.raises(Cancelled):
                    one.result()
        assert small._owners == {}

    def test_a_third_is_answered_while_two_have_all_that_they_may(
        self, tables: dict[str, Path], tmp_path: Path
    ):
        homes = tmp_path / "homes"
        with closing(Pool(size=2, memory_bytes=MEMORY, homes=homes, reserved=1)) as pool:
            gone = Event()
            with ThreadPoolExecutor() as threads:
                long = [
                    threads.submit(ask, pool, f"{owner} {number}", tables, FOREVER, 20, gone, owner)
                    for owner in ("ana", "ben")
                    for number in range(2)
                ]
                while len(pool._running) < 2:
                    gone.wait(0.01)
                assert ask(pool, "cleo", tables, "SELECT 1", 10, owner="cleo").rows == [[1]]
                assert len(pool._executors) == 2  # the child beside the others has ended
                gone.set()
                for one in long:
                    with pytest.raises(Cancelled):
                        one.result()

    def test_an_owner_has_as_many_at_work_as_it_may(self, tables: dict[str, Path], tmp_path: Path):
        homes = tmp_path / "homes"
        pool = Pool(size=4, memory_bytes=MEMORY, homes=homes, most_of=lambda _owner: 1)
        with closing(pool), ThreadPoolExecutor() as threads:
            gone = Event()
            long = threads.submit(ask, pool, "one", tables, FOREVER, 20, gone, "ana")
            while not pool._running:
                gone.wait(0.01)
            with pytest.raises(Busy):
                ask(pool, "two", tables, "SELECT 1", 0.2, owner="ana")
            gone.set()
            with pytest.raises(Cancelled):
                long.result()

    def test_whose_sessions_rest_may_ask_in_any(self, small: Pool, tables: dict[str, Path]):
        for number in range(4):
            assert ask(small, f"ana {number}", tables, "SELECT 1", owner="ana").rows == [[1]]


class TestPreview:
    def look(self, pool: Pool, path: Path, limit: int, offset: int, **changes: Any) -> Rows:
        bounds: dict[str, Any] = {"max_bytes": 10_000, "seconds": 20.0, "owner": "ana"} | changes
        wanted = PreviewRequest(limit, offset, as_records=False)
        return pool.preview("p", {"t": path}, wanted, **bounds)

    @pytest.fixture
    def long(self, tmp_path: Path) -> Path:
        path = tmp_path / "long.parquet"
        rows: Any = duckdb.sql("select range as n, repeat('x', 1000) as x from range(5000)")
        rows.write_parquet(str(path))
        return path

    def test_is_rows_as_texts_and_how_many_there_are(self, small: Pool, long: Path):
        found = self.look(small, long, 2, 4000)
        assert (found.total_rows, found.columns, found.truncated) == (5000, ["n", "x"], False)
        assert [row[0] for row in found.rows] == ["4000", "4001"]

    def test_has_fewer_rows_where_they_are_too_large(self, small: Pool, long: Path):
        found = self.look(small, long, 100, 0)
        assert found.truncated
        assert 8 <= found.row_count <= 9

    def test_of_one_row_that_is_too_large_is_refused(self, small: Pool, long: Path):
        with pytest.raises(TooLarge):
            self.look(small, long, 1, 0, max_bytes=500)
        assert self.look(small, long, 1, 0).row_count == 1

    def test_of_a_file_that_is_no_table_fails(self, small: Pool, tmp_path: Path):
        broken = tmp_path / "broken.parquet"
        broken.write_bytes(b"PAR1 no table PAR1")
        with pytest.raises(QueryFailed):
            self.look(small, broken, 1, 0)


class TestRun:
    def test_no_more_children_live_than_allowed(self, small: Pool, tables: dict[str, Path]):
        for session in "abcabcddd":
            assert ask(small, session, tables, "SELECT 1").rows == [[1]]
            assert small.alive <= 2

    def test_the_least_used_child_yields(self, small: Pool, tables: dict[str, Path]):
        for session in ("a", "b", "a", "c"):
            ask(small, session, tables, "SELECT 1")
        assert set(small._executors) == {"a", "c"}

    def test_sessions_do_not_see_each_others_tables(self, small: Pool, tables: dict[str, Path]):
        one = {"only": tables["sales"]}
        assert ask(small, "a", one, "SHOW TABLES").rows == [["only"]]
        assert ask(small, "b", tables, "SHOW TABLES").rows == [["customers"], ["sales"]]

    def test_sessions_run_side_by_side(self, small: Pool, tables: dict[str, Path]):
        gone = Event()
        with ThreadPoolExecutor() as threads:
            long = threads.submit(ask, small, "a", tables, FOREVER, 20, gone)
            assert ask(small, "b", tables, "SELECT 1").rows == [[1]]
            gone.set()
            with pytest.raises(Cancelled):
                long.result()

    def test_all_at_work_is_busy(self, small: Pool, tables: dict[str, Path]):
        gone = Event()
        with ThreadPoolExecutor() as threads:
            long = [threads.submit(ask, small, s, tables, FOREVER, 20, gone) for s in "ab"]
            while sum(small._running.values()) < 2:
                pass
            with pytest.raises(Busy):
                ask(small, "c", tables, "SELECT 1", seconds=0.1)
            gone.set()
            for query in long:
                with pytest.raises(Cancelled):
                    query.result()
        assert ask(small, "c", tables, "SELECT 1").rows == [[1]]

    def test_many_threads_over_many_sessions(self, small: Pool, tables: dict[str, Path]):
        with ThreadPoolExecutor(8) as threads:
            asked = [
                threads.submit(ask, small, f"s{n % 5}", tables, f"SELECT {n}") for n in range(40)
            ]
            assert [query.result().rows for query in asked] == [[[n]] for n in range(40)]
        assert small.alive <= 2


class TestEnd:
    def test_child_and_folder_go_with_the_session(self, small: Pool, tables: dict[str, Path]):
        ask(small, "a", tables, "SELECT 1")
        home = small._home("a")
        assert list(home.iterdir()) == []
        small.end("a")
        assert small.alive == 0
        assert not home.exists()
        small.end("never seen")
