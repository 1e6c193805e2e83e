"""Ranges of a histogram suit most of the values, not the two that lie far off."""

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.groups.ranges import width_of


def facts(counts: dict[float, int], more: int = 0) -> ColumnFacts:
    rows = sum(counts.values()) + more
    top = tuple(counts.items())
    return ColumnFacts("minutes", "float", rows, 0, len(counts), min(counts), max(counts), top)


class TestWidthOf:
    def test_is_round_and_makes_about_twelve_ranges(self):
        assert width_of(facts({float(at): 3 for at in range(60, 181)})) == 10.0
        assert width_of(facts({at / 100: 1 for at in range(121)})) == 0.1

    def test_goes_by_all_but_the_outermost_hundredths(self):
        held = {float(at): 10 for at in range(60, 181)}
        assert width_of(facts(held | {1.0: 1, 900.0: 3})) == 10.0
        assert width_of(facts(held | {1.0: 1, 900.0: 90})) == 100.0

    def test_makes_a_hundred_ranges_at_most_for_what_lies_far_off(self):
        held = {float(at): 10 for at in range(10)}
        assert width_of(facts(held | {100_000.0: 1})) == 1000.0

    def test_goes_by_the_ends_where_not_all_values_are_known(self):
        held = {float(at): 10 for at in range(60, 181)}
        assert width_of(facts(held | {900.0: 3}, more=500)) == 100.0

    def test_is_one_where_there_are_no_two_numbers(self):
        assert width_of(facts({5.0: 3})) == 1.0
