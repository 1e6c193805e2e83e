"""A session's queries: bounded, one at a time, with a child that may die unseen."""

import os
import select
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from time import monotonic

import duckdb
import psutil
import pytest

from modelwright.engines.sql import failures
from modelwright.engines.sql.executor import QueryExecutor, Rows
from modelwright.engines.sql.fork_server_client import ForkServerClient

FOREVER = "SELECT count(*) FROM range(1000000000000)"
MEMORY = 256 * 1024**2
SOON = 60.0
"""Far from what the queries here would take that are stopped."""
AT_WORK = 0.5
"""A child that has computed for so many seconds has taken its query."""
Make = Callable[..., QueryExecutor]


def ended(pid: int) -> bool:
    """Whether process `pid` ends within some seconds."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    gone = bool(poll.poll(SOON * 1000))
    os.close(handle)
    return gone


def _child(executor: QueryExecutor) -> int:
    """The executor's child; a signal to 0 would go to the whole group of these tests."""
    assert executor.pid
    return executor.pid


def run(executor: QueryExecutor, sql: str, **bounds: object) -> Rows:
    limits: dict[str, object] = {"max_rows": 100, "max_bytes": 1_000_000, "seconds": SOON}
    return executor.run(sql, **(limits | bounds))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServerClient]:
    built = ForkServerClient()
    yield built
    built.close()


@pytest.fixture
def make(fork_server: ForkServerClient, tables: dict[str, Path], tmp_path: Path) -> Iterator[Make]:
    made: list[QueryExecutor] = []

    def build(**changes: object) -> QueryExecutor:
        own = {
            "memory_bytes": MEMORY,
            "home": tmp_path / "home",
            "fork_server": fork_server,
        } | changes
        made.append(QueryExecutor(own.pop("tables", tables), **own))  # type: ignore[arg-type]
        return made[-1]

    yield build
    for executor in made:
        executor.close()


class TestRun:
    def test_a_warm_child_serves_query_after_query(self, make: Make):
        executor = make()
        assert run(executor, "SELECT 1").rows == [[1]]
        pid = executor.pid
        assert run(executor, "SELECT count(*) FROM sales").rows == [[8]]
        assert executor.pid == pid

    def test_a_mistake_leaves_the_child_warm(self, make: Make):
        executor = make()
        run(executor, "SELECT 1")
        pid = executor.pid
        with pytest.raises(failures.SqlFailed):
            run(executor, "SELECT nothing FROM sales")
        assert executor.pid == pid

    def test_a_killed_child_is_not_seen_by_the_next_query(self, make: Make):
        executor = make()
        for _ in range(5):
            run(executor, "SELECT 1")
            os.kill(_child(executor), signal.SIGKILL)
            assert run(executor, "SELECT 2").rows == [[2]]

    def test_a_stopped_child_costs_one_query_only(self, make: Make):
        executor = make()
        run(executor, "SELECT 1")
        os.kill(_child(executor), signal.SIGSTOP)
        with pytest.raises(failures.TimedOut):
            run(executor, "SELECT 2", seconds=0.3)
        assert run(executor, "SELECT 3").rows == [[3]]

    def test_a_killed_fork_server_is_not_seen_by_the_next_query(
        self, make: Make, fork_server: ForkServerClient
    ):
        executor = make()
        run(executor, "SELECT 1")
        child = _child(executor)
        assert fork_server._process
        fork_server._process.kill()
        assert ended(child)
        assert run(executor, "SELECT 2").rows == [[2]]

    def test_a_fork_server_that_dies_again_and_again_is_not_seen(
        self, make: Make, fork_server: ForkServerClient
    ):
        executor = make()
        for number in range(5):
            assert run(executor, f"SELECT {number}").rows == [[number]]
            assert fork_server._process
            fork_server._process.kill()

    def test_a_query_that_takes_two_children_down_fails_alone(self, make: Make):
        executor = make()
        run(executor, "SELECT 1")
        child = 0
        with ThreadPoolExecutor() as threads:
            query = threads.submit(run, executor, FOREVER)
            for _ in range(2):
                while (pid := executor.pid) in {None, child}:
                    pass
                assert pid
                child = pid
                while psutil.Process(child).cpu_times().user < AT_WORK:
                    pass
                os.kill(child, signal.SIGKILL)
            with pytest.raises(failures.Crashed):
                query.result()
        assert run(executor, "SELECT 2").rows == [[2]]

    def test_a_query_survives_one_death_of_its_child(self, make: Make):
        executor = make()
        run(executor, "SELECT 1")
        child, slow = _child(executor), "SELECT count(*) FROM range(1000000000)"
        with ThreadPoolExecutor() as threads:
            query = threads.submit(run, executor, slow)
            while not executor._turn.locked():
                pass
            os.kill(child, signal.SIGKILL)
            assert query.result().rows == [[1_000_000_000]]

    def test_a_query_is_stopped_at_its_time_and_its_child_ends(self, make: Make):
        executor = make()
        run(executor, "SELECT 1")
        child, started = _child(executor), monotonic()
        with pytest.raises(failures.TimedOut):
            run(executor, FOREVER, seconds=0.3)
        assert 0.3 <= monotonic() - started < SOON
        assert ended(child)
        assert run(executor, "SELECT 2").rows == [[2]]

    def test_a_query_nobody_waits_for_is_called_off(self, make: Make):
        executor, gone = make(), Event()
        run(executor, "SELECT 1")
        child = _child(executor)
        with ThreadPoolExecutor() as threads:
            query = threads.submit(run, executor, FOREVER, cancelled=gone)
            gone.set()
            with pytest.raises(failures.Cancelled):
                query.result()
        assert ended(child)

    def test_too_much_memory_is_refused(self, make: Make):
        executor = make()
        with pytest.raises(failures.OutOfMemory):
            run(executor, "SELECT repeat('x', 2000000000)")
        assert run(executor, "SELECT 1").rows == [[1]]

    def test_an_idle_child_ends_and_comes_back(self, make: Make):
        executor = make(idle_seconds=0.5)
        run(executor, "SELECT 1")
        child = executor._child
        assert child
        assert ended(child.pid)
        assert executor.pid is None
        assert run(executor, "SELECT 2").rows == [[2]]


class TestTruncate:
    def test_rows_stop_at_the_most_allowed(self, make: Make):
        executor = make()
        result = run(executor, "SELECT * FROM range(1000)", max_rows=10)
        assert result.truncated
        assert result.row_count == 10
        assert result.rows[-1] == [9]
        assert not run(executor, "SELECT * FROM range(10)", max_rows=10).truncated

    def test_rows_stop_at_the_bytes_allowed(self, make: Make):
        result = run(make(), "SELECT repeat('x', 1000) FROM range(1000)", max_bytes=10_500)
        assert result.truncated
        assert result.row_count == 10
        assert len(result.encoded) <= 10_500

    def test_a_row_too_large_for_any_result_is_refused(self, make: Make):
        with pytest.raises(failures.TooLarge, match=r"larger than 1,000 bytes"):
            run(make(), "SELECT repeat('x', 2000)", max_bytes=1000)

    def test_an_endless_result_ends_at_once(self, make: Make):
        result = run(make(), "SELECT range FROM range(1000000000000)", max_rows=5, seconds=3)
        assert result.rows == [[0], [1], [2], [3], [4]]


class TestExplain:
    @pytest.mark.parametrize(
        ("sql", "position", "suggestion"),
        [
            ("SELECT amonut FROM sales", 7, "amount"),
            ("SELECT 'é', qantity FROM sales", 12, "quantity"),
            ("SELECT sum(region) FROM sales", 7, None),
            ("SELECT region::INTEGER FROM sales", 13, None),
            ("SELECT id, sum(amount) FROM sales", 7, None),
        ],
    )
    def test_a_mistake_says_where_and_what_instead(
        self, make: Make, sql: str, position: int, suggestion: str | None
    ):
        with pytest.raises(failures.SqlFailed) as failure:
            run(make(), sql)
        assert failure.value.position == position
        assert failure.value.suggestion == suggestion
        assert "Candidate" not in failure.value.message
        assert "\nLINE" not in failure.value.message

    def test_missing_data_is_said_without_its_path(self, make: Make, tmp_path: Path):
        executor = make(tables={"gone": tmp_path / "gone.parquet"})
        with pytest.raises(failures.Unavailable) as failure:
            run(executor, "SELECT 1")
        assert str(tmp_path) not in failure.value.message

    def test_data_broken_later_is_said_without_its_path(self, make: Make, tmp_path: Path):
        path = tmp_path / "t.parquet"
        duckdb.connect().execute(f"COPY (SELECT range AS a FROM range(10)) TO '{path}'")
        executor = make(tables={"t": path})
        assert run(executor, "SELECT max(a) FROM t").rows == [[9]]
        path.write_bytes(b"PAR1 nothing PAR1")
        with pytest.raises(failures.QueryFailed) as failure:
            run(executor, "SELECT max(a) FROM t")
        assert str(tmp_path) not in failure.value.message

    def test_a_path_that_names_many_files_is_refused(self, make: Make, tmp_path: Path):
        path = tmp_path / "a*.parquet"
        duckdb.connect().execute("COPY (SELECT 1 AS a) TO $path", {"path": str(path)})
        with pytest.raises(failures.Unavailable):
            run(make(tables={"t": path}), "SELECT 1")

    def test_strange_names_are_only_names(self, make: Make, tmp_path: Path):
        name = "we\"ird'; DROP VIEW x; -- tablé"
        path = tmp_path / "it's.parquet"
        query = 'SELECT 1 AS "a ""b""; --"'
        duckdb.connect().execute(f"COPY ({query}) TO $path", {"path": str(path)})
        executor = make(tables={name: path, "duckdb_tables": path, "select": path})
        quoted = name.replace('"', '""')
        assert run(executor, f'SELECT "a ""b""; --" FROM "{quoted}"').rows == [[1]]
        assert run(executor, 'FROM duckdb_tables, "select"').rows == [[1, 1]]


class TestShare:
    def test_many_threads_each_get_their_own_answer(self, make: Make):
        executor = make(waiting=64)
        with ThreadPoolExecutor(16) as threads:
            asked = [threads.submit(run, executor, f"SELECT {n}") for n in range(48)]
            assert [query.result().rows for query in asked] == [[[n]] for n in range(48)]

    def test_more_than_may_wait_are_turned_away(self, make: Make):
        executor, gone = make(waiting=0), Event()
        with ThreadPoolExecutor() as threads:
            query = threads.submit(run, executor, FOREVER, cancelled=gone)
            while not executor._turn.locked():
                pass
            with pytest.raises(failures.Busy):
                run(executor, "SELECT 1")
            gone.set()
            with pytest.raises(failures.Cancelled):
                query.result()

    def test_waiting_counts_against_a_querys_time(self, make: Make):
        executor, gone = make(), Event()
        with ThreadPoolExecutor() as threads:
            query = threads.submit(run, executor, FOREVER, cancelled=gone)
            while not executor._turn.locked():
                pass
            with pytest.raises(failures.TimedOut, match="waited"):
                run(executor, "SELECT 1", seconds=0.1)
            gone.set()
            with pytest.raises(failures.Cancelled):
                query.result()


class TestClose:
    def test_a_running_query_fails_when_its_session_ends(self, make: Make):
        executor = make()
        run(executor, "SELECT 1")
        with ThreadPoolExecutor() as threads:
            query = threads.submit(run, executor, FOREVER)
            while not executor._turn.locked():
                pass
            Event().wait(0.1)
            executor.close()
            with pytest.raises(failures.Cancelled):
                query.result()
        with pytest.raises(failures.Cancelled):
            run(executor, "SELECT 1")
