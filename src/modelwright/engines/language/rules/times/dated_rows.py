"""Which tables tell when rows happened that have no date of their own.

Lines of orders happened when their orders did. They lead to products as well, which have a date
too: that on which they were launched, of which no line tells.
"""

from collections.abc import Sequence
from typing import Protocol


class Leading(Protocol):
    """A key: each row of one table has at most one of another."""

    @property
    def table(self) -> str:
        """The table whose rows lead."""

    @property
    def to_table(self) -> str:
        """The table that they lead to."""


def tell_when(keys: Sequence[Leading], led_to: Sequence[str]) -> list[str]:
    """Returns the tables that tell when rows without a date of their own happened.

    A table whose rows lead on to others tells what happened; one that leads nowhere only describes
    things.

    Args:
        keys: All keys between tables.
        led_to: The tables with dates that the rows lead to.

    Returns:
        Those of them that none of the others leads to: the ones that lead on, where some do.
    """
    nearest = [
        one
        for one in led_to
        if not any(one in reached(keys, other) for other in led_to if other != one)
    ]
    return [one for one in nearest if reached(keys, one)] or nearest


def reached(keys: Sequence[Leading], start: str) -> set[str]:
    """Returns the tables that a table leads to, by one key or several; never itself."""
    found, edge = set[str](), {start}
    while edge:
        edge = {key.to_table for key in keys if key.table in edge} - found - {start}
        found |= edge
    return found
