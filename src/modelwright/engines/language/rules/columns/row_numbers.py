"""Whole numbers that count the rows name them, whatever they are called: `visit` 1, 2, 3.

An amount may take each number once by chance, or because somebody made it up: names tell those.
"""

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.vocabulary import word_set

LEAST_NUMBERED = 20
"""Fewer rows may be numbered by chance."""
ROUND = 100
"""Numbers of things often begin at one of its multiples, or right behind."""
FIRST_YEAR, LAST_YEAR = 1500, 2100
SHORTEST_PLURAL = 3
"""Letters that a plural has at least one more of."""
AMOUNTS = word_set(
    "catalog.summed", "catalog.averaged", "catalog.units", "catalog.amounts_of_one"
) - word_set("catalog.numbering")
"""What names of amounts say, and names of row numbers do not."""


def numbers_rows(facts: ColumnFacts) -> bool:
    """Returns whether whole numbers go on from 0, 1 or a round number, one for each row.

    Args:
        facts: What is known of the column.

    Returns:
        Whether they are row numbers; never of a column that is called as amounts are, or in
        the plural: `goals` are counted, a `goal` may be numbered.
    """
    low, high = facts.minimum, facts.maximum
    if facts.type != "integer" or not isinstance(low, int) or not isinstance(high, int):
        return False
    counted = high - low + 1 == facts.distinct == facts.rows >= LEAST_NUMBERED
    parts = name_parts(facts.name)
    if not (counted and _begins(low, high)) or any(map(_is_plural, parts[-1:])):
        return False
    return AMOUNTS.isdisjoint([*parts, *(part.removesuffix("s") for part in parts)])


def _begins(low: int, high: int) -> bool:
    """Whether numbers begin where counting does, `1001`, and are no years."""
    is_round = low >= ROUND and low % ROUND in {0, 1}
    return low in {0, 1} or (is_round and not (low >= FIRST_YEAR and high <= LAST_YEAR))


def numbers_things(name: str) -> bool:
    """Returns whether a column is called as numbers of things are: `Order #`, `borrowernumber`.

    Numbers of what is counted are in the plural: `Visits #`.

    Args:
        name: The column's name.
    """
    *before, last = name_parts(name)
    if name.rstrip().endswith("#"):
        return not _is_plural(last)
    thing = last.removesuffix("number")
    run_together = not before and thing != last and len(thing) > SHORTEST_PLURAL
    return last == "barcode" or (run_together and not _is_plural(thing))


def _is_plural(word: str) -> bool:
    return len(word) > SHORTEST_PLURAL and word.endswith("s") and not word.endswith(("ss", "us"))
