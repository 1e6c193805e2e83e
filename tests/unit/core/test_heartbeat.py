"""Heartbeats: who beats, for whom, and what their silence means."""

import threading
from collections.abc import Iterator

import pytest

from modelwright.core.process import heartbeat
from modelwright.core.process.heartbeat import SUPERVISOR, HeartbeatBoard, PartSilent


@pytest.fixture
def board() -> Iterator[HeartbeatBoard]:
    made = HeartbeatBoard(["api", "worker"], 10.0)
    made.beat(SUPERVISOR)
    heartbeat.put_up(made)
    yield made
    heartbeat.put_up(None)


class TestBeat:
    def test_is_heard_of_the_part_that_beats(self, board: HeartbeatBoard):
        heartbeat.begin("worker")
        first = board.pulse("worker").beat
        heartbeat.beat()
        assert board.pulse("worker").beat > first
        assert board.pulse("api").beat == 0.0

    def test_of_another_thread_says_nothing_of_the_loop(self, board: HeartbeatBoard):
        heartbeat.begin("worker")
        first = board.pulse("worker").beat
        thread = threading.Thread(target=heartbeat.beat)
        thread.start()
        thread.join()
        assert board.pulse("worker").beat == first

    def test_costs_nothing_where_nobody_listens(self):
        heartbeat.put_up(None)
        heartbeat.begin("worker")
        heartbeat.beat()
        assert heartbeat.board() is None


class TestLimit:
    def test_is_the_setting_unless_more_was_announced(self, board: HeartbeatBoard):
        heartbeat.begin("worker")
        assert board.limit(board.pulse("worker")) == heartbeat.START_SECONDS
        heartbeat.beat()
        assert board.limit(board.pulse("worker")) == 10.0
        heartbeat.beat(may_take=25.0)
        assert board.limit(board.pulse("worker")) == 25.0


class TestProbe:
    def test_is_silent_while_all_live(self, board: HeartbeatBoard):
        board.probe()

    def test_names_who_is_silent_before_it_is_replaced(self, board: HeartbeatBoard):
        board.record("worker", 4.9)
        board.probe()
        board.record("worker", 5.1)
        with pytest.raises(PartSilent, match=r"The worker .* 5 seconds"):
            board.probe()

    def test_counts_replacements(self, board: HeartbeatBoard):
        board.record("api", 11.0, replaced=True)
        board.record("api", 0.0)
        board.record("api", 11.0, replaced=True)
        assert (board.pulse("api").replaced, board.pulse("worker").replaced) == (2, 0)
