"""One account's questions leave room for another's, and nobody waits for longer than an answer."""

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from modelwright.core.fair_queue import FairQueue
from modelwright.queries.query_runner import MAX_READERS as PLACES
from modelwright.queries.query_runner import READERS_PER_ACCOUNT as OWN

PATIENCE = 30.0


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(20) as threads:
        yield threads


def never() -> bool:
    return False


class TestTurns:
    def test_no_account_has_all_places_and_the_one_with_fewest_is_next(
        self, pool: ThreadPoolExecutor
    ):
        turns, go_on = FairQueue(PLACES, OWN), threading.Event()
        begun: list[str] = []
        changed = threading.Condition()

        def read(account: str) -> None:
            with turns.turn(account, never) as has_one:
                assert has_one
                with changed:
                    begun.append(account)
                    changed.notify()
                assert go_on.wait(PATIENCE)

        def until(number: int) -> bool:
            with changed:
                return changed.wait_for(lambda: len(begun) >= number, PATIENCE)

        hog = [pool.submit(read, "hog") for _ in range(8)]
        assert until(OWN)
        other = pool.submit(read, "other")
        assert until(PLACES)
        assert Counter(begun) == {"hog": OWN, "other": PLACES - OWN}
        go_on.set()
        for one in [*hog, other]:
            one.result(PATIENCE)
        assert Counter(begun) == {"hog": 8, "other": 1}

    def test_whose_answer_nobody_waits_for_leaves_the_line(self):
        turns = FairQueue(PLACES, OWN)
        with turns.turn("a", never), turns.turn("a", never):
            with turns.turn("a", lambda: True) as has_one:
                assert not has_one
            with turns.turn("b", never) as has_one:
                assert has_one
        with turns.turn("a", never) as has_one:
            assert has_one

    def test_a_failure_gives_the_place_back(self):
        turns = FairQueue(PLACES, OWN)
        for _ in range(PLACES + 1):
            with pytest.raises(ValueError, match="wrong"), turns.turn("a", never):
                raise ValueError("wrong")
