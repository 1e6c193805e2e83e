"""Locks between the processes on one data folder."""

from pathlib import Path

from structlog.testing import capture_logs

from modelwright.core.process.locks import file_lock, living_lock


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


class TestTakenOver:
    def test_it_is_waited_for_as_long_as_its_holder_gives_signs_of_life(self, tmp_path: Path):
        path, tries = tmp_path / "worker.lock", iter(range(100))
        with living_lock(path, lambda _: True, 1.0) as held:
            assert held is not None

            def pause(_seconds: float) -> bool:
                assert held.keep()
                return next(tries) == 50

            with living_lock(path, pause, 1.0) as heir:
                assert heir is None

    def test_a_silent_holder_loses_it_and_is_told_when_it_goes_on(self, tmp_path: Path):
        path = tmp_path / "worker.lock"
        with living_lock(path, lambda _: True, 1.0) as silent, capture_logs() as lines:
            assert silent is not None
            silent.file.write("folder_first")
            with living_lock(path, lambda _: False, 1.0) as heir:
                assert heir is not None
                assert heir.keep()
                assert not silent.keep()
                assert heir.file.read() == ""  # whose it was is forgotten with it
                with living_lock(path, lambda _: True, 1.0) as third:
                    assert third is None
        assert [line["event"] for line in lines][:2] == ["lock.awaited", "lock.taken_over"]

    def test_of_two_who_take_it_the_first_is_told_too(self, tmp_path: Path):
        path = tmp_path / "worker.lock"
        with (
            living_lock(path, lambda _: True, 1.0),
            living_lock(path, lambda _: False, 1.0) as first,
            living_lock(path, lambda _: False, 1.0) as second,
        ):
            assert first is not None
            assert second is not None
            assert (first.keep(), second.keep()) == (False, True)

    def test_one_whose_holder_ended_is_held_at_once(self, tmp_path: Path):
        path = tmp_path / "worker.lock"
        with living_lock(path, lambda _: True, 1.0):
            pass
        with living_lock(path, lambda _: True, 1.0) as lock:
            assert lock is not None
            assert lock.keep()
