"""Heavy steps in processes of their own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from modelwright.jobs import subprocesses
from modelwright.jobs.errors import ChildFailed, ChildKilled, DiskFull, JobCancelled, JobRefused
from modelwright.jobs.subprocesses import NOTHING
from modelwright.system.sandbox.process import Reach

HERE = "tests.unit.jobs.targets"
ROOT = Path(__file__).parents[3]
SOON = 60.0


def run(
    target: str,
    *,
    memory_mb: int = 400,
    seconds: float = 60,
    reports: list[dict[str, Any]] | None = None,
    check: Callable[[], None] = lambda: None,
    reach: Reach = NOTHING,
    **payload: object,
) -> dict[str, Any]:
    heard = [] if reports is None else reports
    return subprocesses.run(
        f"{HERE}:{target}",
        payload,
        limits=subprocesses.ChildLimits(memory_mb, seconds),
        on_report=heard.append,
        check=check,
        reach=reach,
        prepare=f"{HERE}:start_a_relative" if target == "have_a_family" else None,
    )


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def gone(pids: list[int], within: float = SOON) -> bool:
    """Whether all of these have ended (a zombie has)."""
    until = time.monotonic() + within
    while any(map(_lives, pids)):
        if time.monotonic() > until:
            return False
        os.sched_yield()
    return True


def _lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class TestAnswers:
    def test_the_answer_and_the_reports_come_back(self):
        reports: list[dict[str, Any]] = []
        assert run("double", number=21, reports=reports) == {"number": 42}
        assert reports == [{"percent": 40, "stage": "doubling", "message": "doubling 21"}]

    def test_garbage_is_looked_for_but_not_among_what_was_loaded(self):
        found = run("tell_of_garbage")
        assert found["is_looked_for"]
        assert found["left_alone"] > 1000

    def test_an_answer_is_heard_whose_process_ended_while_nobody_listened(self):
        others = {child.pid for child in psutil.Process().children()}

        def look_elsewhere() -> None:
            assert gone(
                [child.pid for child in psutil.Process().children() if child.pid not in others]
            )

        assert run("double", number=21, check=look_elsewhere) == {"number": 42}

    def test_a_large_payload_and_answer_pass(self):
        assert run("double", number="ab" * 500_000) == {"number": "ab" * 1_000_000}

    def test_a_refusal_carries_its_reason(self):
        with pytest.raises(JobRefused, match="too few cells") as caught:
            run("refuse")
        assert caught.value.reason == {"message": "line 3 has too few cells", "line": 3}

    def test_an_error_carries_its_trace(self):
        with pytest.raises(ChildFailed, match="ValueError: a mistake of ours"):
            run("fail")

    def test_no_secret_is_in_the_environment(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("MODELWRIGHT_DATABASE_URL", "postgresql://user:secret@host/db")
        assert "secret" not in str(run("show_environment"))

    def test_linear_algebra_takes_no_threads_beside_those_of_the_work(self):
        assert run("show_environment")["OPENBLAS_NUM_THREADS"] == "1"


class TestLimits:
    def test_a_child_that_grows_is_killed(self):
        with pytest.raises(ChildKilled, match="more than 200 MB") as caught:
            run("grow", memory_mb=200)
        assert caught.value.why == "memory"

    def test_what_its_own_children_use_counts(self):
        with pytest.raises(ChildKilled, match="more than 300 MB") as caught:
            run("have_a_family", memory_mb=300, relative_mb=700)
        assert caught.value.why == "memory"

    def test_running_out_of_memory_inside_is_the_same(self):
        with pytest.raises(ChildKilled) as caught:
            run("out_of_memory")
        assert caught.value.why == "memory"

    def test_a_child_that_takes_too_long_is_killed(self, monkeypatch: pytest.MonkeyPatch):
        """The minute is over as soon as the family is there, however long that takes."""
        reports: list[dict[str, Any]] = []
        passing = SimpleNamespace(monotonic=lambda: 61.0 if reports else 0.0)
        monkeypatch.setattr(subprocesses, "time", passing)
        with pytest.raises(ChildKilled, match="longer than 60 seconds") as caught:
            run("have_a_family", seconds=60, reports=reports)
        assert caught.value.why == "deadline"
        assert gone(reports[0]["pids"])


class TestFullDisk:
    @pytest.mark.parametrize("target", ["fill_the_disk", "fill_the_disk_by_duckdb"])
    def test_is_told_as_what_it_is(self, target: str):
        with pytest.raises(DiskFull, match="disk is full"):
            run(target, reach=Reach(writable=("/dev/full",)))


class TestCrashes:
    @pytest.mark.parametrize(
        ("target", "said"),
        [("crash", "SIGSEGV"), ("leave", "status 7"), ("run_out_of_memory", "memory runs out")],
    )
    def test_a_crash_is_told(self, target: str, said: str):
        with pytest.raises(ChildKilled, match=said) as caught:
            run(target)
        assert caught.value.why == "crash"

    def test_the_trace_of_a_crash_is_kept_for_the_log(self):
        with pytest.raises(ChildKilled) as caught:
            run("crash")
        assert "Segmentation fault" in caught.value.trace
        assert "Segmentation" not in caught.value.message


class TestStopped:
    @pytest.mark.parametrize("victim", range(3))
    def test_a_child_that_stands_still_is_killed_with_its_family(self, victim: int):
        """The one that works, its keeper, or a process of its own."""
        reports: list[dict[str, Any]] = []

        def check() -> None:
            if reports:
                os.kill(reports[0]["pids"][victim], signal.SIGSTOP)

        with pytest.raises(ChildKilled, match="was stopped") as caught:
            run("have_a_family", seconds=600, reports=reports, check=check)
        assert caught.value.why == "crash"
        assert gone(reports[0]["pids"])


class TestStopping:
    def test_what_check_raises_kills_the_whole_family(self):
        reports: list[dict[str, Any]] = []

        def check() -> None:
            if reports:
                raise JobCancelled

        with pytest.raises(JobCancelled):
            run("have_a_family", reports=reports, check=check)
        assert gone(reports[0]["pids"])

    @pytest.mark.parametrize("victim", ["worker", "keeper"])
    def test_nothing_outlives_a_killed_parent(self, victim: str):
        script = (
            "import sys\n"
            "from modelwright.jobs import subprocesses\n"
            f"subprocesses.run('{HERE}:have_a_family', {{}},"
            " limits=subprocesses.ChildLimits(400, 60),"
            " on_report=lambda report: print(*report['pids'], flush=True), check=lambda: None,"
            f" prepare='{HERE}:start_a_relative')"
        )
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as worker:
            assert worker.stdout is not None
            pids = [int(word) for word in worker.stdout.readline().split()]
            assert all(map(_lives, pids))
            os.kill(worker.pid if victim == "worker" else pids[1], 9)
            worker.wait(SOON)
        assert gone(pids)
