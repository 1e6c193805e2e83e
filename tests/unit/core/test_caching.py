"""Values that are made once and kept while they are used."""

from threading import Barrier, Thread

import pytest

from modelwright.core.caching import SingleFlightCache


class TestGet:
    def test_makes_a_value_once_however_many_ask(self):
        cache: SingleFlightCache[object] = SingleFlightCache(2)
        made: list[object] = []
        got: list[object] = []
        together = Barrier(8)

        def make() -> object:
            made.append(object())
            return made[-1]

        def ask() -> None:
            together.wait()
            got.append(cache.get("a", make))

        threads = [Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(made), len(got)) == (1, 8)
        assert set(map(id, got)) == {id(made[0])}

    def test_lets_the_least_recently_used_go(self):
        cache: SingleFlightCache[str] = SingleFlightCache(2)
        for name in ("a", "b", "a", "c"):
            cache.get(name, name.upper)
        assert [name in cache for name in "abc"] == [True, False, True]

    def test_a_failure_is_told_and_tried_again(self):
        cache: SingleFlightCache[str] = SingleFlightCache(2)

        def fail() -> str:
            raise LookupError("nothing there")

        with pytest.raises(LookupError, match="nothing there"):
            cache.get("a", fail)
        assert cache.get("a", lambda: "A") == "A"
