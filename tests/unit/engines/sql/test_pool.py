"""Children of many sessions: few, shared out by use, gone when their session is."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from modelwright.engines.sql.executing import Rows
from modelwright.engines.sql.failures import Busy, Cancelled
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
    bounds = {"max_rows": 10, "max_bytes": 10_000}
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

    def test_whose_sessions_rest_may_ask_in_any(self, small: Pool, tables: dict[str, Path]):
        for number in range(4):
            assert ask(small, f"ana {number}", tables, "SELECT 1", owner="ana").rows == [[1]]


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
