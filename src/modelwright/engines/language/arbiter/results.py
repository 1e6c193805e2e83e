"""When two results say the same: columns matched by content, rows in any order.

Two readers seldom write the same SQL; that they say the same is seen in what it gives, and counts
for both.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

MAX_MATCHED_COLUMNS = 24
"""Wider results are compared column by column in their order."""
SIGNIFICANT_DIGITS = 9
"""Numbers that agree in so many digits are the same."""


@dataclass(frozen=True, slots=True)
class Result:
    """What SQL gave, or why it gave nothing."""

    columns: tuple[str, ...] = ()
    rows: Sequence[Sequence[Any]] = ()
    is_cut: bool = False
    """Whether there were more rows."""
    error: str = ""
    """The engine's message where it did not run."""

    @property
    def ran(self) -> bool:
        """Whether there is a result."""
        return not self.error

    @property
    def is_empty(self) -> bool:
        """Whether it holds nothing: no row, or one of nothing but NULL."""
        return self.ran and all(value is None for row in self.rows for value in row)

    @property
    def is_none(self) -> bool:
        """Whether it counts nothing: no row of tables that may not have met."""
        return len(self.rows) == 1 and all(value in {None, 0} for value in self.rows[0])


def same_result(one: Result, other: Result) -> bool:
    """Returns whether two results say the same; one may show more columns than the other.

    Args:
        one: A result.
        other: Another result of the same question.

    Returns:
        Whether both ran and the columns of the narrower are columns of the wider, row by row.
    """
    if not (one.ran and other.ran) or len(one.rows) != len(other.rows):
        return False
    if one.is_cut != other.is_cut:
        return False
    narrow, wide = sorted((one, other), key=lambda result: len(result.columns))
    if not narrow.rows:
        return len(narrow.columns) == len(wide.columns)
    left, right = _columns(narrow), _columns(wide)
    if len(right) > MAX_MATCHED_COLUMNS:
        return left == right
    chosen = _matched(left, right)
    if chosen is None:
        return False
    shown = [tuple(column[at] for column in chosen) for at in range(len(wide.rows))]
    told = [tuple(column[at] for column in left) for at in range(len(narrow.rows))]
    return Counter(shown) == Counter(told)


def _columns(result: Result) -> list[list[str]]:
    return [[_plain(row[at]) for row in result.rows] for at in range(len(result.columns))]


def _matched(left: list[list[str]], right: list[list[str]]) -> list[list[str]] | None:
    """Finds for each column one of the other result with the same values, each only once."""
    free = list(right)
    chosen = []
    for column in left:
        counted = Counter(column)
        alike = [one for one in free if one == column]
        alike = alike or [one for one in free if Counter(one) == counted]
        if not alike:
            return None
        chosen.append(alike[0])
        free.remove(alike[0])
    return chosen


def _plain(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float | Decimal):
        return f"{float(value):.{SIGNIFICANT_DIGITS}g}"
    if isinstance(value, date):
        return value.isoformat().replace("T00:00:00", "")
    return str(value).removesuffix("T00:00:00").removesuffix(" 00:00:00")
