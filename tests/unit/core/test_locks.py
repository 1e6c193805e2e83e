"""Locks between the processes on one data folder."""

from pathlib import Path

from structlog.testing import capture_logs

from modelwright.core.process.locks import file_lock


class TestHeld:
    def test_one_that_is_free_is_held_without_a_word(self, tmp_path: Path):
        with capture_logs() as lines, file_lock(tmp_path / "worker.lock", lambda _: True) as lock:
            assert lock is not None
        assert lines == []

    def test_whoever_waits_says_so_once(self, tmp_path: Path):
        path, pauses = tmp_path / "worker.lock", iter([False, False, True])
        with (
            file_lock(path, lambda _: True),
            capture_logs() as lines,
            file_lock(path, lambda _: next(pauses)) as lock,
        ):
            assert lock is None
        assert [(line["event"], line["lock"]) for line in lines] == [
            ("lock.awaited", "worker.lock")
        ]
